"""The plots as SVG, for files and HTML reports: pure functions from data to text.

Each is a picture of its own: nothing is loaded, every text is escaped, and a background comes with
it, light or, where the viewer prefers it, dark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from rich.cells import cell_len

from chunkbench_tui.plots.labels import Box, place_labels
from chunkbench_tui.plots.scale import scale_of, tick_text
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chunkbench_tui.plots.axes import Axis
    from chunkbench_tui.plots.distributions import Distribution
    from chunkbench_tui.plots.grid import Cell, Grid
    from chunkbench_tui.plots.points import Point

_CHARACTER = 7.0
"""Width of a cell of text at the size below, rather too wide than too narrow."""
_SIZE = 12
_LINE = 16
_PAPER, _INK, _FAINT, _BLUE, _RED = "#ffffff", "#1b1f24", "#7d8590", "#1f6feb", "#d1570b"
_STYLE = """<style>
@media (prefers-color-scheme: dark) {
.cb-paper { fill: #14171c } .cb-ink { fill: #e6edf3 } .cb-faint { fill: #9aa4af }
.cb-rule { stroke: #9aa4af } .cb-line { stroke: #58a6ff } .cb-blue { fill: #58a6ff }
.cb-ring { stroke: #58a6ff; fill: #14171c }
}
</style>"""


def pareto_svg(
    points: Sequence[Point],
    x: Axis,
    y: Axis,
    *,
    title: str,
    width: int = 760,
    height: int = 460,
) -> str:
    """Quality against cost: the frontier's points full and joined by steps, the others hollow.

    Args:
        points: in the order of their weight: the first are named first. Each says its values when
            pointed at.
        title: above the plot; any text.
    """
    area = Box(64, 44, width - 84, height - 100)
    body: list[str] = []
    if points:
        across = scale_of([point.x for point in points], may_be_logarithmic=True)
        up = scale_of([point.y for point in points])
        for tick in up.ticks(6):
            level = area.y + (1 - up.place(tick)) * area.height
            body.append(_rule(area.x, level, area.x + area.width, level))
            body.append(_text(area.x - 8, level + 4, tick_text(tick), "faint", "end"))
        for tick in across.ticks(8):
            column = area.x + across.place(tick) * area.width
            body.append(_rule(column, area.y + area.height, column, area.y + area.height + 5))
            body.append(
                _text(column, area.y + area.height + 20, tick_text(tick), "faint", "middle")
            )
        places = [
            (
                area.x + across.place(point.x) * area.width,
                area.y + (1 - up.place(point.y)) * area.height,
            )
            for point in points
        ]
        body.append(_steps(points, places, area))
        body += [_mark(point, *place, x, y) for point, place in zip(points, places, strict=True)]
        texts = [shown(point.label) for point in points]
        marks = [Box(px - 5, py - 5, 10, 10) for px, py in places]
        sizes = [(cell_len(text) * _CHARACTER, float(_LINE)) for text in texts]
        labels = place_labels(marks, sizes, area, 4)
        for point, text, label in zip(points, texts, labels, strict=True):
            if label is not None:
                weight = "bold" if point.on_frontier else "normal"
                body.append(_text(label.x, label.y + _SIZE, text, "ink", weight=weight))
        kind = ", logarithmic" if across.logarithmic else ""
        foot = f"{x.heading}{kind} (less is better)"
        body.append(_text(area.x + area.width, height - 12, foot, "faint", "end"))
    else:
        body.append(_text(area.x, area.y + _LINE, "no configuration has both values", "faint"))
    body.append(_rule(area.x, area.y, area.x, area.y + area.height))
    body.append(_rule(area.x, area.y + area.height, area.x + area.width, area.y + area.height))
    body.append(_text(8, area.y - 8, f"{y.heading} (more is better)", "faint"))
    return _document(body, title, width, height)


def grid_svg(grid: Grid, *, title: str) -> str:
    """A heat map or correlation matrix, with its numbers in the cells."""
    left = 16 + _widest([row.label for row in grid.rows])
    wide = max(_widest([*grid.headings, *(c.text for r in grid.rows for c in r.cells)]) + 12, 40)
    top, tall = 62, 22
    body = [
        _text(left + (n + 0.5) * wide, top - 8, shown(heading), "faint", "middle")
        for n, heading in enumerate(grid.headings)
    ]
    for number, row in enumerate(grid.rows):
        y = top + number * tall
        body.append(_text(left - 8, y + 15, shown(row.label), "ink", "end"))
        for column, cell in enumerate(row.cells):
            body.append(_cell(cell, left + column * wide, y, wide, tall))
    width = int(left + len(grid.headings) * wide + 16)
    height = top + len(grid.rows) * tall + 32
    body.append(_text(8, height - 10, grid.note, "faint"))
    return _document(body, title, max(width, int(_widest([grid.note, title]) + 24)), height)


def distribution_svg(found: Sequence[Distribution], *, title: str) -> str:
    """A histogram for each strategy, all on one scale; its mean and spread beside it."""
    left = 16 + _widest([d.label for d in found])
    top, tall, wide, bins = 48, 44, 26, max((len(d.counts) for d in found), default=10)
    most = max((count for d in found for count in d.counts), default=1)
    body = []
    for number, one in enumerate(found):
        base = top + (number + 1) * tall - 8
        body.append(_text(left - 8, base - 8, shown(one.label), "ink", "end"))
        body.append(_rule(left, base, left + bins * wide, base))
        for place, count in enumerate(one.counts):
            high = (tall - 22) * count / most
            x = left + place * wide
            said = f"{count} questions from {place / bins:.1f} to {(place + 1) / bins:.1f}"
            body.append(
                f'<rect class="cb-blue" fill="{_BLUE}" x="{x + 2:.1f}" y="{base - high:.1f}" '
                f'width="{wide - 4}" height="{high:.1f}">{_said(said)}</rect>'
            )
            if count:
                body.append(_text(x + wide / 2, base - high - 3, str(count), "faint", "middle"))
        facts = [
            f"{name} {value:.2f}"
            for name, value in (
                ("mean", one.mean),
                ("sd", one.deviation),
                ("worst tenth", one.worst),
                ("no hit", one.zero_hit),
            )
            if value is not None
        ]
        body.append(_text(left + bins * wide + 12, base - 8, ", ".join(facts), "faint"))
    height = top + len(found) * tall + 28
    for place in range(0, bins + 1, 2):
        x = left + place * wide
        body.append(_text(x, height - 14, f"{place / bins:.1f}", "faint", "middle"))
    return _document(body, title, int(left + bins * wide + 340), height)


def _document(body: Iterable[str], title: str, width: int, height: int) -> str:
    text = shown(title)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-label={quoteattr(text)} '
            f'font-family="Roboto, system-ui, Helvetica, Arial, sans-serif" font-size="{_SIZE}">',
            _STYLE,
            f'<rect class="cb-paper" fill="{_PAPER}" width="{width}" height="{height}"/>',
            _text(8, 20, text, "ink", weight="bold"),
            *body,
            "</svg>\n",
        ]
    )


def _text(
    x: float, y: float, text: str, tone: str, anchor: str = "start", weight: str = "normal"
) -> str:
    fill = _INK if tone == "ink" else _FAINT
    return (
        f'<text class="cb-{tone}" fill="{fill}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return (
        f'<line class="cb-rule" stroke="{_FAINT}" stroke-width="0.6" x1="{x1:.1f}" y1="{y1:.1f}" '
        f'x2="{x2:.1f}" y2="{y2:.1f}"/>'
    )


def _said(text: str) -> str:
    return f"<title>{escape(shown(text))}</title>"


def _steps(points: Sequence[Point], places: Sequence[tuple[float, float]], area: Box) -> str:
    """The best that can be had for each cost."""
    members = sorted(
        place for point, place in zip(points, places, strict=True) if point.on_frontier
    )
    if not members:
        return ""
    path = f"M{members[0][0]:.1f} {members[0][1]:.1f}"
    for x, y in members[1:]:
        path += f" H{x:.1f} V{y:.1f}"
    path += f" H{area.x + area.width:.1f}"
    return f'<path class="cb-line" stroke="{_BLUE}" stroke-width="1.2" fill="none" d="{path}"/>'


def _mark(point: Point, px: float, py: float, x: Axis, y: Axis) -> str:
    said = f"{point.label}: {y.title} {y.text(point.y)}, {x.title} {x.text(point.x)}"
    if point.on_frontier:
        return (
            f'<circle class="cb-blue" fill="{_BLUE}" cx="{px:.1f}" cy="{py:.1f}" r="4.5">'
            f"{_said(said + ', on the frontier')}</circle>"
        )
    return (
        f'<circle class="cb-ring" fill="{_PAPER}" stroke="{_BLUE}" cx="{px:.1f}" cy="{py:.1f}" '
        f'r="3.5">{_said(said)}</circle>'
    )


def _cell(cell: Cell, x: float, y: float, width: float, height: float) -> str:
    """A shade that lies over light and dark paper alike, and the number on it."""
    shade = cell.shade or 0.0
    colour = _BLUE if shade >= 0 else _RED
    return (
        f'<rect fill="{colour}" fill-opacity="{abs(shade) * 0.55:.2f}" x="{x + 1:.1f}" '
        f'y="{y + 1:.1f}" width="{width - 2:.1f}" height="{height - 2}">{_said(cell.said)}</rect>'
        + _text(x + width / 2, y + 15, shown(cell.text), "ink", "middle")
    )


def _widest(texts: Iterable[str]) -> float:
    return max((cell_len(shown(text)) for text in texts), default=0) * _CHARACTER
