"""A row of a table, and text cut to the width of a cell."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size


@dataclass(frozen=True, slots=True)
class Line:
    """One row, its texts ready to show (control characters already escaped).

    Attributes:
        key: identity of the row, whatever its place.
        cells: a text for each heading.
        tone: "", "muted", "good" or "bad"; only ever a repetition of what a cell says.
        spans_from: index of the cell whose text runs on to the end of the line; -1 for none.
    """

    key: int
    cells: tuple[str, ...]
    tone: str = ""
    spans_from: int = -1


_NAME = re.compile(r"\b([A-Za-z_]+)=")
_LONGEST_NAME = 10
"""Letters of a parameter's name that are tried first."""


def shortened_label(label: str, width: int) -> str:
    """A strategy's label with shorter names of parameters, where it is wider than `width` cells.

    The values tell the settings of a sweep apart, so that they are the last to be cut.
    """
    for letters in range(_LONGEST_NAME, 0, -1):
        if cell_len(label) <= width:
            break
        label = _NAME.sub(lambda name: f"{name[1][:letters]}=", label)  # noqa: B023
    return label


def fit(text: str, width: int, right: bool = False) -> str:
    """The text in exactly `width` cells, cut with an ellipsis where it is longer."""
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, max(width - 1, 0)) + "…" if width > 0 else ""
    return " " * (width - length) + text if right else text + " " * (width - length)
