"""Which plot is shown, of what, and why there is none where there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chunkbench_tui.plots.axes import cost_axes, quality_axes
from chunkbench_tui.plots.correlations import correlation_grid
from chunkbench_tui.plots.distributions import distribution_grid, distributions_of
from chunkbench_tui.plots.heat_maps import folders_grid, models_grid
from chunkbench_tui.plots.points import points_of

if TYPE_CHECKING:
    from chunkbench_store.live import BoardRow
    from chunkbench_tui.plots.axes import Axis
    from chunkbench_tui.plots.distributions import Distribution
    from chunkbench_tui.plots.grid import Grid
    from chunkbench_tui.plots.points import Point
    from chunkbench_tui.plots_view import PlotsView

PLOTS = ("Pareto", "Models", "Folders", "Distribution", "Correlation")
PARETO, MODELS, FOLDERS, DISTRIBUTION, CORRELATION = PLOTS
_OF_EXPERIMENT = (PARETO, FOLDERS, DISTRIBUTION)


@dataclass(frozen=True, slots=True)
class PlotChoice:
    """What a person has chosen to see; places in the lists of the view, which may be shorter."""

    plot: str = PARETO
    cost: int = 0
    quality: int = 0
    experiment: str | None = None

    def next_plot(self, by: int) -> PlotChoice:
        return replace(self, plot=PLOTS[(PLOTS.index(self.plot) + by) % len(PLOTS)])

    def experiment_in(self, view: PlotsView) -> str:
        """The experiment, or the first with a result."""
        known = view.experiments
        if self.experiment in known:
            return str(self.experiment)
        return known[0] if known else ""

    def next_experiment(self, view: PlotsView) -> PlotChoice:
        known = view.experiments
        if not known:
            return self
        place = known.index(self.experiment_in(view)) + 1
        return replace(self, experiment=known[place % len(known)])

    def cost_axis(self, view: PlotsView) -> Axis:
        return cost_axes(view.choice.summary.cutoff)[self.cost]

    def next_cost(self, view: PlotsView) -> PlotChoice:
        return replace(self, cost=(self.cost + 1) % len(cost_axes(view.choice.summary.cutoff)))

    def quality_axis(self, view: PlotsView) -> Axis:
        known = _measured(view)
        return known[self.quality % len(known)]

    def next_quality(self, view: PlotsView) -> PlotChoice:
        return replace(self, quality=(self.quality + 1) % len(_measured(view)))

    def rows(self, view: PlotsView) -> tuple[BoardRow, ...]:
        """The configurations that the plot is of."""
        if self.plot in _OF_EXPERIMENT:
            return view.of_experiment(self.experiment_in(view))
        return view.board

    def chooses(self, action: str, view: PlotsView) -> bool:
        """Whether another cost, measure or experiment makes another plot."""
        if action == "cost":
            return self.plot == PARETO
        if action == "quality":
            return self.plot in (PARETO, MODELS) and len(_measured(view)) > 1
        return self.plot in _OF_EXPERIMENT and len(view.experiments) > 1


def _measured(view: PlotsView) -> tuple[Axis, ...]:
    """Measures of quality that some configuration has; the main one if none has any."""
    axes = quality_axes(view.choice.summary.cutoff)
    known = {name for row in view.board for name in row.measures}
    return tuple(axis for axis in axes if axis.name in known) or axes[:1]


def pareto_points(view: PlotsView, choice: PlotChoice) -> tuple[Point, ...]:
    x, y = choice.cost_axis(view), choice.quality_axis(view)
    return points_of(choice.rows(view), x, y, view.analysis.on_frontier(y.name, x.name))


def distributions(view: PlotsView, choice: PlotChoice) -> tuple[Distribution, ...]:
    return distributions_of(choice.rows(view), view.analysis.score_bins, view.choice.summary.cutoff)


def grid_of(view: PlotsView, choice: PlotChoice) -> Grid | None:
    """The chosen plot, where it is a grid; None where there is nothing to show."""
    cutoff = view.choice.summary.cutoff
    if choice.plot == MODELS:
        return models_grid(view.board, choice.quality_axis(view).name)
    if choice.plot == FOLDERS:
        return folders_grid(choice.rows(view), view.analysis.folder_scores, f"nDCG@{cutoff}")
    if choice.plot == DISTRIBUTION:
        return distribution_grid(distributions(view, choice), cutoff)
    return correlation_grid(view.analysis.correlations)


def plot_title(view: PlotsView, choice: PlotChoice) -> str:
    """What the plot is of, for a file or a report."""
    summary = view.choice.summary
    of = f"run {summary.id}, {summary.corpus}"
    if choice.plot in _OF_EXPERIMENT:
        of += f", {choice.experiment_in(view)}"
    if choice.plot == PARETO:
        x, y = choice.cost_axis(view), choice.quality_axis(view)
        return f"{y.title} against {x.title}: {of}"
    names = {
        MODELS: f"{choice.quality_axis(view).title} by strategy and model",
        FOLDERS: f"nDCG@{summary.cutoff} by strategy and folder",
        DISTRIBUTION: f"Questions by nDCG@{summary.cutoff}",
        CORRELATION: "Correlation of the measures",
    }
    return f"{names[choice.plot]}: {of}"


def why_empty(view: PlotsView, choice: PlotChoice) -> str:
    """What is missing, where the plot is empty."""
    if not view.experiments:
        return "Nothing is measured yet.\n\nThe plot comes with the first strategy that is judged."
    if view.lacks_analysis and choice.plot not in (PARETO, MODELS):
        return (
            "This run was finished by a version that kept no analysis.\n\n"
            "Press r to compute it: nothing is chunked, embedded or judged again."
        )
    if not view.analysis.frontier:
        return (
            "Not there yet.\n\nIt is computed when the last strategy is judged; Pareto and Models "
            "are there before."
        )
    reasons = {
        PARETO: "No configuration has both values.\n\nPress x or y for other axes.",
        FOLDERS: (
            "The evidence of the questions lies in one folder.\n\nWith documents in sub-folders, "
            "one a domain, the strategies are compared in each."
        ),
        CORRELATION: (
            "Too few configurations, or all the same.\n\nA correlation needs three that differ."
        ),
    }
    return reasons.get(choice.plot, "No question is scored.")
