"""Each plot as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from chunkbench_tui.plots.correlations import strongest, title
from chunkbench_tui.plots.scatter import ON_FRONTIER
from chunkbench_tui.safe_text import shown
from chunkbench_tui.widgets.column_layout import Heading
from chunkbench_tui.widgets.line import Line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_store.analysis import CorrelationRow
    from chunkbench_store.live import BoardRow
    from chunkbench_tui.plots.axes import Axis
    from chunkbench_tui.plots.grid import Grid
    from chunkbench_tui.plots.points import Point

Table = tuple[list[Heading], list[Line]]


def pareto_table(
    points: Sequence[Point], board: Sequence[BoardRow], x: Axis, y: Axis, costs: Sequence[Axis]
) -> Table:
    """A row a point, those on the frontier first; every cost, not only the one of the plot."""
    rows = {row.config: row for row in board}
    wanted = max((cell_len(shown(point.label)) for point in points), default=0)
    headings = [
        Heading("strategy", "strategy", 12, wanted=wanted, label=True),
        Heading("frontier", "frontier", 8),
        Heading("quality", y.title, 12, right=True, strong=True),
        Heading("interval", "95 %", 13),
        *(
            Heading(cost.name, _cost_title(cost), 12, right=True, weight=0 if cost == x else 1)
            for cost in costs
        ),
    ]
    lines = []
    for point in points:
        values = (cost.value(rows[point.config]) for cost in costs)
        interval = "" if point.low is None else f"{point.low:.3f}–{point.high:.3f}"
        cells = (
            shown(point.label),
            f"{ON_FRONTIER} on it" if point.on_frontier else "",
            y.text(point.y),
            interval,
            *("" if v is None else c.text(v) for c, v in zip(costs, values, strict=True)),
        )
        lines.append(Line(point.config, cells))
    return headings, lines


def _cost_title(cost: Axis) -> str:
    """Short enough for a column."""
    return cost.title.split(",")[0].split(" of ")[0].removesuffix(" alone")


def grid_table(grid: Grid) -> Table:
    """The numbers of a grid, without its shades; the keys are the places of the rows."""
    widths = [
        max(len(shown(heading)), *(len(row.cells[n].text) for row in grid.rows))
        for n, heading in enumerate(grid.headings)
    ]
    wanted = max(cell_len(shown(row.label)) for row in grid.rows)
    headings = [
        Heading("label", grid.corner, 12, wanted=wanted, label=True),
        *(
            Heading(str(n), shown(heading), widths[n], right=True, weight=1)
            for n, heading in enumerate(grid.headings)
        ),
    ]
    lines = [
        Line(place, (shown(row.label), *(cell.text for cell in row.cells)))
        for place, row in enumerate(grid.rows)
    ]
    return headings, lines


def correlation_table(correlations: Sequence[CorrelationRow]) -> Table:
    """Each pair of measures once, the strongest first."""
    headings = [
        Heading("first", "measure", 20, wanted=26),
        Heading("second", "and", 20, wanted=26),
        Heading("r", "r", 6, right=True, strong=True),
        Heading("configurations", "configurations", 14, right=True),
    ]
    lines = [
        Line(place, (title(c.first), title(c.second), f"{c.r:+.3f}", str(c.configurations)))
        for place, c in enumerate(strongest(correlations))
    ]
    return headings, lines
