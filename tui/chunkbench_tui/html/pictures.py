"""The plots of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from chunkbench_tui.board import main_measures
from chunkbench_tui.commands.report_analysis import related_measures
from chunkbench_tui.plots.axes import Axis, cost_axes
from chunkbench_tui.plots.correlations import correlation_grid
from chunkbench_tui.plots.distributions import distributions_of
from chunkbench_tui.plots.heat_maps import folders_grid, models_grid
from chunkbench_tui.plots.points import points_of
from chunkbench_tui.plots.svg import distribution_svg, grid_svg, pareto_svg

if TYPE_CHECKING:
    from chunkbench_store.analysis import Analysis
    from chunkbench_store.live import LiveRun


class Picture(NamedTuple):
    """A plot with what it is called in the list of plots."""

    title: str
    svg: Markup


def experiment_pictures(live: LiveRun, analysis: Analysis, experiment: str) -> tuple[Picture, ...]:
    """Quality against each cost; by folder; how the questions are spread. Only what there is."""
    cutoff = live.summary.cutoff
    board = [row for row in live.board if row.experiment == experiment]
    quality = Axis(f"nDCG@{cutoff}", f"nDCG@{cutoff}")
    found = []
    for cost in cost_axes(cutoff):
        points = points_of(board, cost, quality, analysis.on_frontier(quality.name, cost.name))
        if points:
            title = f"{quality.title} against {cost.title}"
            found.append(_picture(title, pareto_svg(points, cost, quality, title=title)))
    folders = folders_grid(board, analysis.folder_scores, quality.name)
    if folders is not None:
        title = f"{quality.title} by folder"
        found.append(_picture(title, grid_svg(folders, title=title)))
    if spread := distributions_of(board, analysis.score_bins, cutoff):
        title = f"Questions by {quality.title}"
        found.append(_picture(title, distribution_svg(spread, title=title)))
    return tuple(found)


def run_pictures(live: LiveRun, analysis: Analysis) -> tuple[Picture, ...]:
    """What is over all experiments: the models side by side, and which measures go together."""
    found = []
    models = models_grid(live.board, f"nDCG@{live.summary.cutoff}")
    if models is not None and len(models.headings) > 1:
        title = f"nDCG@{live.summary.cutoff} by strategy and model"
        found.append(_picture(title, grid_svg(models, title=title)))
    related = {*main_measures(live.summary.cutoff), *related_measures(live.summary.cutoff)}
    among = [row for row in analysis.correlations if {row.first, row.second} <= related]
    matrix = correlation_grid(among)  # all of them would be a picture of hundreds of kilobytes
    if matrix is not None:
        title = "Correlation of the main measures and costs"
        found.append(_picture(title, grid_svg(matrix, title=title)))
    return tuple(found)


def _picture(title: str, svg: str) -> Picture:
    return Picture(title, Markup(svg))  # noqa: S704 - every text in it is escaped already
