"""A panel: several judges grade the same text, and the median counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.judges.judge import Grade

if TYPE_CHECKING:
    from collections.abc import Sequence


def panel_id(members: Sequence[str]) -> str:
    """Id of the panel of these judges, in whatever order they are named."""
    return f"panel of {len(members)}: {'; '.join(sorted(members))}"


def panel_grade(grades: Sequence[Grade]) -> Grade:
    """The median of the members' grades, with all of them in the reason.

    Of an even number it is the mean of the two in the middle, rounded down: what half of a panel
    does not see is not fully there.
    """
    if not grades:
        raise ValueError("a panel has members")
    values = sorted(grade.value for grade in grades)
    middle = (values[(len(values) - 1) // 2] + values[len(values) // 2]) // 2
    said = ", ".join(str(grade.value) for grade in grades)
    spread = "all agree" if values[0] == values[-1] else "they disagree"
    # The reason of a member whose grade is the median, or of the nearest below it.
    spoken = max((g for g in grades if g.value <= middle), key=lambda g: g.value)
    return Grade(middle, f"grades {said}, {spread}: {spoken.reason}")
