"""Which columns of a table fit in a width, and how wide each is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Heading:
    """A column.

    Attributes:
        key: its identity.
        title: with the unit, and a mark where the table is sorted by it.
        width: least width, in cells.
        wanted: width at which nothing is cut; 0 for the least width.
        right: numbers are aligned to the right.
        strong: shown in bold.
        label: a strategy's label stands in it: names of parameters are shortened before it is cut.
        weight: 0 for a column that is always there; the others come in ascending order.
    """

    key: str
    title: str
    width: int
    wanted: int = 0
    right: bool = False
    strong: bool = False
    weight: int = 0
    label: bool = False


def pages_of(headings: Sequence[Heading], width: int) -> tuple[tuple[int, ...], ...]:
    """Indices of the columns of each page, from left to right.

    Columns of weight 0 are on every page. The first page takes the lightest others that fit, the
    next one goes on from there; each page takes at least one.
    """
    fixed = [index for index, heading in enumerate(headings) if heading.weight == 0]
    waiting = sorted(
        (index for index, heading in enumerate(headings) if heading.weight),
        key=lambda index: headings[index].weight,
    )
    room = width - sum(headings[index].width + 1 for index in fixed) + 1
    pages: list[tuple[int, ...]] = []
    while waiting or not pages:
        page: list[int] = []
        left = room
        while waiting and (not page or headings[waiting[0]].width + 1 <= left):
            index = waiting.pop(0)
            page.append(index)
            left -= headings[index].width + 1
        pages.append(tuple(sorted(fixed + page)))
    return tuple(pages)


def widths_of(headings: Sequence[Heading], width: int) -> list[int]:
    """Widths of the columns of a page: what is left over goes to those that want more."""
    widths = [heading.width for heading in headings]
    left = width - sum(widths) - len(widths) + 1
    for position, heading in enumerate(headings):
        more = min(max(heading.wanted - heading.width, 0), max(left, 0))
        widths[position] += more
        left -= more
    return widths
