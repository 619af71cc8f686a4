"""The plots as SVG, for files and HTML reports: pure functions from data to text.

Each is a picture of its own: nothing is loaded, every text is escaped, and a background comes with
it, light or, where the viewer prefers it, dark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from rich.cells import cell_len

from chunkbench_tui.plots.labels import Box, place_labels
from chunkbench_tui.plots.scale import scale_of, tick_texts
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
_DEEPEST = 0.55
"""Opacity of the deepest shade: the number on it stays readable."""
FONT = "Roboto"
"""The first choice; others serve as well."""
_STYLE = """<style>
.cb-paper, .cb-ring { fill: #ffffff } .cb-ink { fill: #1b1f24 } .cb-faint { fill: #656d76 }
.cb-more, .cb-point { fill: #1f6feb } .cb-less { fill: #d1570b }
.cb-rule { stroke: #c3c9d0 } .cb-ring, .cb-steps { stroke: #1f6feb } .cb-steps { fill: none }
.cb-label { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round }
.cb-middle { text-anchor: middle } .cb-end { text-anchor: end } .cb-strong { font-weight: bold }
@media (prefers-color-scheme: dark) {
.cb-paper, .cb-ring { fill: #14171c } .cb-ink { fill: #e6edf3 } .cb-faint { fill: #9aa4af }
.cb-more, .cb-point { fill: #58a6ff } .cb-less { fill: #f0883e }
.cb-label { stroke: #14171c } .cb-rule { stroke: #3d444d } .cb-ring, .cb-steps { stroke: #58a6ff }
}
</style>"""
"""Several pictures in one page bring it several times: it is the same in all of them."""


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
        ticks = up.ticks(6)
        for tick, text in zip(ticks, tick_texts(ticks), strict=True):
            level = area.y + (1 - up.place(tick)) * area.height
            body.append(_rule(area.x, level, area.x + area.width, level))
            body.append(_text(area.x - 8, level + 4, text, "faint end"))
        ticks = across.ticks(8)
        for tick, text in zip(ticks, tick_texts(ticks), strict=True):
            column = area.x + across.place(tick) * area.width
            body.append(_rule(column, area.y + area.height, column, area.y + area.height + 5))
            body.append(_text(column, area.y + area.height + 20, text, "faint middle"))
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
        for point, text, mark, label in zip(points, texts, marks, labels, strict=True):
            if label is not None:
                tone = "ink strong" if point.on_frontier else "ink"
                # Boxes are rather too wide: a label at the left ends at its mark.
                left = label.x + label.width < mark.x
                anchor = label.x + label.width if left else label.x
                tone += " end" if left else ""
                body.append(_text(anchor, label.y + _SIZE, text, f"label {tone}"))
        kind = ", logarithmic" if across.logarithmic else ""
        foot = f"{x.heading}{kind} (less is better)"
        body.append(_text(area.x + area.width, height - 12, foot, "faint end"))
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
        _text(left + (n + 0.5) * wide, top - 8, heading, "faint middle")
        for n, heading in enumerate(grid.headings)
    ]
    for number, row in enumerate(grid.rows):
        y = top + number * tall
        body.append(_text(left - 8, y + 15, row.label, "ink end"))
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
        body.append(_text(left - 8, base - 8, one.label, "ink end"))
        body.append(_rule(left, base, left + bins * wide, base))
        for place, count in enumerate(one.counts):
            high = (tall - 22) * count / most
            x = left + place * wide
            said = f"{count} questions from {place / bins:.1f} to {(place + 1) / bins:.1f}"
            body.append(_rect("more", Box(x + 2, base - high, wide - 4, high), said))
            if count:
                body.append(_text(x + wide / 2, base - high - 3, str(count), "faint middle"))
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
        body.append(_text(x, height - 14, f"{place / bins:.1f}", "faint middle"))
    return _document(body, title, int(left + bins * wide + 340), height)


def _document(body: Iterable[str], title: str, width: int, height: int) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-label={quoteattr(shown(title))} '
            f'font-family="{FONT}, system-ui, sans-serif" font-size="{_SIZE}">',
            _STYLE,
            f'<rect class="cb-paper" width="{width}" height="{height}"/>',
            _text(8, 20, title, "ink strong"),
            *body,
            "</svg>\n",
        ]
    )


def _text(x: float, y: float, text: str, classes: str) -> str:
    """Any text, made safe."""
    names = " ".join(f"cb-{name}" for name in classes.split())
    return f'<text class="{names}" x="{_n(x)}" y="{_n(y)}">{escape(shown(text))}</text>'


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="cb-rule" x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"/>'


def _rect(classes: str, box: Box, said: str, opacity: float = 1.0) -> str:
    """Says what it is when pointed at."""
    seen = "" if opacity == 1 else f' fill-opacity="{opacity:.2f}"'
    return (
        f'<rect class="cb-{classes}"{seen} x="{_n(box.x)}" y="{_n(box.y)}" '
        f'width="{_n(box.width)}" height="{_n(box.height)}">{_said(said)}</rect>'
    )


def _said(text: str) -> str:
    return f"<title>{escape(shown(text))}</title>" if text else ""


def _steps(points: Sequence[Point], places: Sequence[tuple[float, float]], area: Box) -> str:
    """The best that can be had for each cost."""
    members = sorted(
        place for point, place in zip(points, places, strict=True) if point.on_frontier
    )
    if not members:
        return ""
    path = f"M{_n(members[0][0])} {_n(members[0][1])}"
    for x, y in members[1:]:
        path += f"H{_n(x)}V{_n(y)}"
    return f'<path class="cb-steps" d="{path}H{_n(area.x + area.width)}"/>'


def _mark(point: Point, px: float, py: float, x: Axis, y: Axis) -> str:
    said = f"{point.label}: {y.title} {y.text(point.y)}, {x.title} {x.text(point.x)}"
    kind, radius = ("point", 4.5) if point.on_frontier else ("ring", 3.5)
    if point.on_frontier:
        said += ", on the frontier"
    return (
        f'<circle class="cb-{kind}" cx="{_n(px)}" cy="{_n(py)}" r="{radius}">{_said(said)}</circle>'
    )


def _cell(cell: Cell, x: float, y: float, width: float, height: float) -> str:
    """A shade that lies over light and dark paper alike, and the number on it."""
    shade = cell.shade or 0.0
    box = Box(x + 1, y + 1, width - 2, height - 2)
    shaded = _rect("more" if shade >= 0 else "less", box, cell.said, abs(shade) * _DEEPEST)
    return shaded + _text(x + width / 2, y + 15, cell.text, "ink middle")


def _n(value: float) -> str:
    """A length to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")


def _widest(texts: Iterable[str]) -> float:
    return max((cell_len(shown(text)) for text in texts), default=0) * _CHARACTER
