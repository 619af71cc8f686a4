"""Conditions under which a check in CI fails: `orphans > 5%`, `cut_tables > 0`."""

from __future__ import annotations

import difflib
import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkbench_engine.diagnose.kinds import KINDS, share
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

COSTS = ("chunks", "tokens", "hub_skewness", "cold_seconds", "embed_seconds", "index_bytes")
"""What can be named besides the kinds of finding; none is a share of anything."""

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
_CONDITION = re.compile(r"\s*([A-Za-z_-]+)\s*(>=|<=|>|<)\s*(\d+(?:\.\d*)?|\.\d+)\s*(%?)\s*")


@dataclass(frozen=True, slots=True)
class Condition:
    """A bound on one count; where it holds, the check fails.

    Attributes:
        name: a kind of finding, or one of `COSTS`.
        bound: a share where the condition was written in per cent.
        percent: whether it was.
    """

    name: str
    comparison: str
    bound: float
    percent: bool

    def __str__(self) -> str:
        return f"{self.name} {self.comparison} {self._written(self.bound)}"

    def failure(self, counts: Mapping[str, float]) -> str:
        """A sentence if the condition holds, or cannot be told; "" if all is well."""
        found = share(self.name, counts) if self.percent else counts.get(self.name)
        if found is None:
            return f"{self.name} is not known, so {self} cannot be told"
        if not _OPERATORS[self.comparison](found, self.bound):
            return ""
        return f"{self.name} is {self._written(found)}, and the check fails if {self}"

    def _written(self, value: float) -> str:
        return f"{value * 100:.4g}%" if self.percent else f"{value:.10g}"


def parse_condition(written: str) -> Condition:
    """A condition as it is written: name, `>`, `>=`, `<` or `<=`, number, and `%` for a share.

    Raises:
        BadInput: it cannot be read, names nothing there is, or wants the share of a cost.
    """
    match = _CONDITION.fullmatch(written)
    if match is None:
        raise BadInput(
            f"--fail-if {written!r} cannot be read: write a name, a comparison and a number, "
            "as in 'orphans > 5%' or 'cut_tables > 0'"
        )
    name, comparison, number, percent = match.groups()
    name = name.lower().replace("-", "_")
    names = (*KINDS, *COSTS)
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"{near[0]} is meant?" if near else f"there are {', '.join(names)}"
        raise BadInput(f"--fail-if {written!r}: nothing is named {name}; {hint}")
    if percent and name in COSTS:
        raise BadInput(f"--fail-if {written!r}: {name} is no share of anything; leave the % out")
    return Condition(name, comparison, float(number) / (100 if percent else 1), bool(percent))
