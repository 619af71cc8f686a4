"""Labels beside the points of a plot, so that none covers another or a point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle; `x` and `y` are its left upper corner, in cells or pixels."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Box, gap: float = 0.0) -> bool:
        """Whether they share any area, or lie side by side with less than `gap` between them."""
        return (
            self.x < other.x + other.width + gap
            and other.x < self.x + self.width + gap
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )

    def holds(self, other: Box) -> bool:
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.x + other.width <= self.x + self.width
            and other.y + other.height <= self.y + self.height
        )


def place_labels(
    marks: Sequence[Box], sizes: Sequence[tuple[float, float]], area: Box, gap: float
) -> list[Box | None]:
    """Where the label of each mark goes: beside it, above, below, or at a corner.

    The first labels are placed first: give the marks in the order of their weight. One for which
    there is no room has none, so that what is written can always be read.

    Args:
        marks: the points as drawn.
        sizes: width and height of each label.
        area: where labels may be.
        gap: least distance to the left and right of a label, so that it is seen whose it is.
    """
    placed: list[Box] = []
    found: list[Box | None] = []
    for mark, size in zip(marks, sizes, strict=True):
        place = next(
            (
                box
                for box in _around(mark, *size, gap)
                if area.holds(box)
                and not any(box.meets(other, gap) for other in placed)
                and not any(box.meets(other, 0.0 if other is mark else gap) for other in marks)
            ),
            None,
        )
        if place is not None:
            placed.append(place)
        found.append(place)
    return found


def _around(mark: Box, width: float, height: float, gap: float) -> Iterator[Box]:
    """The places for a label, the best first."""
    right, left = mark.x + mark.width + gap, mark.x - gap - width
    level = mark.y + (mark.height - height) / 2
    above, below = mark.y - height, mark.y + mark.height
    middle = mark.x + (mark.width - width) // 2
    yield Box(right, level, width, height)
    yield Box(left, level, width, height)
    for y in (above, below):
        yield Box(middle, y, width, height)
        yield Box(mark.x, y, width, height)
        yield Box(mark.x + mark.width - width, y, width, height)
        yield Box(right, y, width, height)
        yield Box(left, y, width, height)
