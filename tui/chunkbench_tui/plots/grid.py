"""A table of shaded numbers: a heat map, a correlation matrix, histograms side by side."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """One number.

    Attributes:
        text: as shown; "" where there is none.
        shade: from -1 to 1, how far it is from nothing, and in which direction; None for no shade.
            It only repeats what the number says.
        said: what the cell means, in a line.
        config: the configuration it is about; None where there is no single one.
    """

    text: str
    shade: float | None = None
    said: str = ""
    config: int | None = None


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row; its label is not yet safe to show."""

    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows under headings.

    Attributes:
        corner: what the rows are.
        headings: one a column; not yet safe to show.
        note: what the shades and numbers mean, in a line.
    """

    corner: str
    headings: tuple[str, ...]
    rows: tuple[GridRow, ...]
    note: str


def shade_of(value: float, low: float, high: float) -> float:
    """Where a value lies between the least and the greatest, from 0 to 1."""
    return (value - low) / (high - low) if high > low else 0.0
