"""A Pareto plot in cells of text."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from chunkbench_tui.plots.labels import Box, place_labels
from chunkbench_tui.plots.scale import scale_of, tick_texts
from chunkbench_tui.safe_text import shown
from chunkbench_tui.widgets.line import fit, shortened_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkbench_tui.plots.axes import Axis
    from chunkbench_tui.plots.points import Point
    from chunkbench_tui.plots.scale import Scale

ON_FRONTIER, OFF_FRONTIER, SELECTED = "●", "○", "◉"
LONGEST_LABEL = 26


@dataclass(frozen=True, slots=True)
class Picture:
    """Lines of equal width, each of (text, tone).

    Attributes:
        places: the cell of each configuration's point, from the left and the top.

    A tone is "", "muted", "strong" or "selected".
    """

    lines: tuple[tuple[tuple[str, str], ...], ...]
    places: dict[int, tuple[int, int]]


class _Canvas:
    """Cells that are written over one another."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells = [[(" ", "")] * width for _ in range(height)]

    def write(self, x: int, y: int, text: str, tone: str = "") -> None:
        """Text with wide or joined characters stays in one piece, and is not written over."""
        width = cell_len(text)
        parts = list(text) if width == len(text) else [text, *[""] * (width - 1)]
        self._cells[y][x : x + width] = [(part, tone) for part in parts]

    def lines(self) -> Iterator[tuple[tuple[str, str], ...]]:
        for row in self._cells:
            parts: list[tuple[str, str]] = []
            for text, tone in row:
                if parts and parts[-1][1] == tone:
                    parts[-1] = parts[-1][0] + text, tone
                else:
                    parts.append((text, tone))
            yield tuple(parts)


def draw_scatter(
    points: Sequence[Point], x: Axis, y: Axis, width: int, height: int, selected: int | None
) -> Picture:
    """The plot in so many cells; of points that fall together the first is seen.

    Args:
        points: in the order of their weight: the first are named first.
        selected: configuration that is named whatever its weight.
    """
    canvas = _Canvas(width, height)
    across = scale_of([point.x for point in points], may_be_logarithmic=True)
    up = scale_of([point.y for point in points])
    ticks = up.ticks(max((height - 3) // 3, 2))
    marks = list(zip(ticks, tick_texts(ticks), strict=True))
    left = max((len(text) for _, text in marks), default=0) + 1
    area = Box(left + 1, 1, width - left - 1, height - 4)

    def place(point: Point) -> tuple[int, int]:
        return _column(across, point.x, area), _row(up, point.y, area)

    canvas.write(0, 0, fit(f"{y.heading} (more is better)", width), "muted")
    for row in range(1, height - 3):
        canvas.write(left, row, "│", "muted")
    for tick, text in marks:
        row = _row(up, tick, area)
        canvas.write(left - len(text), row, text, "muted")
        canvas.write(left, row, "┤", "muted")
    _draw_cost_axis(canvas, across, x, left, area)
    places = {point.config: place(point) for point in points}
    _draw_frontier(canvas, [places[point.config] for point in points if point.on_frontier], area)

    ordered = sorted(points, key=lambda point: point.config != selected)
    boxes = [Box(*places[point.config], 1, 1) for point in ordered]
    texts = [_label(point, int(area.width)) for point in ordered]
    labels = place_labels(boxes, [(cell_len(text), 1) for text in texts], area, 1)
    for point, text, label in zip(ordered, texts, labels, strict=True):
        if label is not None:
            tone = "strong" if point.on_frontier else ""
            tone = "selected" if point.config == selected else tone
            canvas.write(int(label.x), int(label.y), text, tone)
    for point in reversed(ordered):
        mark = ON_FRONTIER if point.on_frontier else OFF_FRONTIER
        tone = "strong" if point.on_frontier else ""
        if point.config == selected:
            mark, tone = SELECTED, "selected"
        canvas.write(*places[point.config], mark, tone)
    return Picture(tuple(canvas.lines()), places)


def _label(point: Point, room: int) -> str:
    most = min(LONGEST_LABEL, max(room, 1))
    text = shortened_label(shown(point.label), most)
    return text if cell_len(text) <= most else set_cell_size(text, most - 1) + "…"


def _column(scale: Scale, value: float, area: Box) -> int:
    return int(area.x + round(scale.place(value) * (area.width - 1)))


def _row(scale: Scale, value: float, area: Box) -> int:
    return int(area.y + round((1 - scale.place(value)) * (area.height - 1)))


def _draw_cost_axis(canvas: _Canvas, scale: Scale, axis: Axis, left: int, area: Box) -> None:
    bottom = canvas.height - 3
    canvas.write(left, bottom, "└" + "─" * (canvas.width - left - 1), "muted")
    free = 0
    ticks = scale.ticks(max(int(area.width) // 10, 2))
    for tick, text in zip(ticks, tick_texts(ticks), strict=True):
        column = _column(scale, tick, area)
        start = min(max(column - len(text) // 2, 0), canvas.width - len(text))
        if start >= free:
            canvas.write(column, bottom, "┬", "muted")
            canvas.write(start, bottom + 1, text, "muted")
            free = start + len(text) + 1
    kind = ", logarithmic" if scale.logarithmic else ""
    title = f"{axis.heading}{kind} (less is better)"
    canvas.write(left, bottom + 2, fit(title, canvas.width - left, right=True), "muted")


def _draw_frontier(canvas: _Canvas, members: Sequence[tuple[int, int]], area: Box) -> None:
    """The best that can be had for each cost: steps up from each member to the next dearer one."""
    ordered = sorted(members, key=lambda place: (place[0], -place[1]))
    for (x, y), (next_x, next_y) in itertools.pairwise(ordered):
        canvas.write(x, y, "─" * (next_x - x), "muted")
        if next_y < y:
            canvas.write(next_x, y, "┘" if next_x > x else "│", "muted")
            for row in range(next_y + 1, y):
                canvas.write(next_x, row, "│", "muted")
    if ordered:
        x, y = ordered[-1]
        canvas.write(x, y, "─" * (int(area.x + area.width) - x), "muted")
