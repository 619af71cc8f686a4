"""The plots screen: what quality costs, where it holds, how it is spread, what goes together."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from chunkbench_engine.run.launch import start_engine
from chunkbench_tui.copying import Copied
from chunkbench_tui.plots import choice as plots
from chunkbench_tui.plots.axes import cost_axes
from chunkbench_tui.plots.choice import PlotChoice
from chunkbench_tui.plots.export import plot_exports
from chunkbench_tui.plots.svg import distribution_svg, grid_svg, pareto_svg
from chunkbench_tui.plots.tables import correlation_table, grid_table, pareto_table
from chunkbench_tui.plots_view import read_plots
from chunkbench_tui.safe_text import shown, shown_lines
from chunkbench_tui.screens.plots_keys import KEYS
from chunkbench_tui.screens.watching import WatchingScreen
from chunkbench_tui.selection import no_run_text
from chunkbench_tui.widgets.grid_plot import GridPlot
from chunkbench_tui.widgets.key_line import KeyLine
from chunkbench_tui.widgets.line_table import LineTable
from chunkbench_tui.widgets.plot_tabs import PlotTabs
from chunkbench_tui.widgets.quiet import show_text
from chunkbench_tui.widgets.scatter_plot import ScatterPlot

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from chunkbench_tui.exporting import Export
    from chunkbench_tui.plots.grid import Grid
    from chunkbench_tui.plots.points import Point
    from chunkbench_tui.plots_view import PlotsView
    from chunkbench_tui.selection import Selection


_WITH_PLOT = ("cost", "quality", "experiment", "table", "strategy", "analyse")
"""Actions that need a run."""


class PlotsScreen(WatchingScreen):
    """The plots of a run, one at a time; the engine has computed what they show."""

    BINDINGS: ClassVar[list[BindingType]] = KEYS

    def __init__(self) -> None:
        super().__init__()
        self._view: PlotsView | None = None
        self._choice = PlotChoice()
        self._as_table = False
        self._points: tuple[Point, ...] = ()
        self._grid: Grid | None = None
        self._keys: tuple[bool | None, ...] = ()

    def compose(self) -> ComposeResult:
        yield Static("Plots", id="status", classes="status", markup=False)
        yield PlotTabs(plots.PLOTS, id="tabs")
        yield Static(id="message", classes="message", markup=False)
        with Vertical(id="body", classes="body"):
            yield ScatterPlot(id="scatter")
            yield GridPlot(id="grid")
            yield LineTable(id="table", enter=False)
        yield Static(id="note", markup=False)
        yield Static(id="said", classes="status", markup=False)
        yield KeyLine()

    @property
    def scatter(self) -> ScatterPlot:
        return self.query_one(ScatterPlot)

    @property
    def grid(self) -> GridPlot:
        return self.query_one(GridPlot)

    @property
    def table(self) -> LineTable:
        return self.query_one("#table", LineTable)

    async def _read(self) -> None:
        selection = self.app.selection
        view = await self.app.feed.read(partial(read_plots, selection=selection))
        self._take(view, selection)

    def _take(self, view: PlotsView | None, selection: Selection) -> None:
        if view is None:
            self._say(no_run_text(selection))
            return
        before, self._view = self._view, view
        entry = view.choice.strategy
        if selection.config is None or before is None:
            self._choice = replace(self._choice, experiment=entry.experiment)
        self.app.selection = replace(
            self.app.selection.in_run(view.choice.summary.id), config=entry.config
        )
        self._show(view)

    def _say(self, text: str) -> None:
        self._view = None
        show_text(self.query_one("#status", Static), "Plots")
        self._show_message(text)
        self._update_keys()

    def _show_message(self, text: str) -> None:
        self.add_class("-empty")
        show_text(self.query_one("#message", Static), shown_lines(text))
        for name in ("#note", "#said"):
            show_text(self.query_one(name, Static), "")

    def _show(self, view: PlotsView) -> None:
        """Show the chosen plot of the view; what is as before is not painted."""
        choice = self._choice
        self.query_one(PlotTabs).show(choice.plot)
        show_text(self.query_one("#status", Static), self._status(view))
        is_pareto = choice.plot == plots.PARETO
        self._points = plots.pareto_points(view, choice) if is_pareto else ()
        self._grid = None if is_pareto else plots.grid_of(view, choice)
        if not self._points and self._grid is None:
            self._show_message(plots.why_empty(view, choice))
            self._update_keys()
            return
        self.remove_class("-empty")
        config = self.app.selection.config
        if is_pareto:
            self.scatter.show(
                self._points, choice.cost_axis(view), choice.quality_axis(view), config
            )
        elif self._grid is not None:
            self.grid.show(self._grid, config)
        if self._as_table:
            self._show_table(view)
        panel = self.table if self._as_table else self.scatter if is_pareto else self.grid
        for widget in (self.scatter, self.grid, self.table):
            widget.display = widget is panel
        if not panel.has_focus:
            panel.focus()
        show_text(self.query_one("#note", Static), self._note(view))
        self._show_said()
        self._update_keys()

    def _show_table(self, view: PlotsView) -> None:
        choice = self._choice
        if choice.plot == plots.PARETO:
            x, y = choice.cost_axis(view), choice.quality_axis(view)
            costs = cost_axes(view.choice.summary.cutoff)
            self.table.show(*pareto_table(self._points, choice.rows(view), x, y, costs))
        elif choice.plot == plots.CORRELATION:
            self.table.show(*correlation_table(view.analysis.correlations))
        elif self._grid is not None:
            self.table.show(*grid_table(self._grid))

    def _status(self, view: PlotsView) -> Content:
        summary = view.choice.summary
        text = f"run {summary.id} {shown(summary.corpus)}"
        if len(view.experiments) > 1 and self._choice.plot in (
            plots.PARETO,
            plots.FOLDERS,
            plots.DISTRIBUTION,
        ):
            text += f" · {shown(self._choice.experiment_in(view))}"
        return Content.assemble(("Plots", "bold"), f" · {text}")

    def _note(self, view: PlotsView) -> str:
        if self._grid is not None:
            return self._grid.note
        if view.lacks_analysis:
            return "no frontier was kept of this run: press r to compute it"
        if not view.analysis.frontier:
            return "the frontier comes when the last strategy is judged; scores are provisional"
        if any(point.on_frontier for point in self._points):
            return "● on the frontier: no other is as good for less, or better for the same"
        return ""

    def _show_said(self) -> None:
        show_text(self.query_one("#said", Static), self._said())

    def _said(self) -> Content:
        """The selected point or cell in words."""
        if self._view is None or self._as_table:
            return Content("")
        if self._grid is not None:
            cell, (row, column) = self.grid.cell, self.grid.place
            if cell is None:
                return Content("")
            if self._choice.plot == plots.CORRELATION:
                return Content(cell.said)
            where = f" · {shown(column)}" if self._choice.plot != plots.DISTRIBUTION else ""
            return Content.assemble((shown(row), "bold"), f"{where} · {cell.said}")
        point = self.scatter.selected
        if point is None:
            return Content("")
        x, y = self._choice.cost_axis(self._view), self._choice.quality_axis(self._view)
        text = f" · {y.title} {y.text(point.y)}"
        if point.low is not None:
            text += f" ({point.low:.2f}–{point.high:.2f})"
        text += f" · {x.text(point.x)}"
        if point.on_frontier:
            text += " · on the frontier"
        if self.scatter.together:
            text += f" · {self.scatter.together} more here"
        return Content.assemble((shown(point.label), "bold"), text)

    def _update_keys(self) -> None:
        """The footer is made anew only where other keys do something."""
        keys = tuple(self.check_action(action, ()) for action in _WITH_PLOT)
        if keys != self._keys:
            self._keys = keys
            self.refresh_bindings()

    def _choose(self, choice: PlotChoice) -> None:
        self._choice = choice
        if self._view is not None:
            self.table.follow = True
            self._show(self._view)

    @on(PlotTabs.Chosen)
    def _tab_chosen(self, event: PlotTabs.Chosen) -> None:
        self._choose(replace(self._choice, plot=event.name))

    def action_plot(self, by: int) -> None:
        self._choose(self._choice.next_plot(by))

    def action_cost(self) -> None:
        if self._view is not None:
            self._choose(self._choice.next_cost(self._view))

    def action_quality(self) -> None:
        if self._view is not None:
            self._choose(self._choice.next_quality(self._view))

    def action_experiment(self) -> None:
        if self._view is not None:
            self._choose(self._choice.next_experiment(self._view))

    def action_table(self) -> None:
        self._as_table = not self._as_table
        self._choose(self._choice)

    @on(ScatterPlot.Selected)
    def _point_selected(self, event: ScatterPlot.Selected) -> None:
        self.app.selection = replace(self.app.selection, config=event.config)
        self._show_said()

    @on(GridPlot.Selected)
    def _cell_selected(self) -> None:
        self._show_said()
        self._update_keys()

    @on(ScatterPlot.Chosen)
    @on(GridPlot.Chosen)
    @on(LineTable.Chosen)
    async def _chosen(self) -> None:
        await self.action_strategy()

    def _config(self) -> int | None:
        """The configuration under the cursor; None where it is not on one."""
        if not self._points and self._grid is None:
            return None
        if self._as_table and self._grid is not None:
            place = self.table.cursor_key
            if place is None or self._choice.plot == plots.CORRELATION:
                return None
            return next((c.config for c in self._grid.rows[place].cells if c.config), None)
        if self._as_table:
            return self.table.cursor_key
        if self._grid is not None:
            return self.grid.cell.config if self.grid.cell else None
        return self.scatter.selected.config if self.scatter.selected else None

    async def action_strategy(self) -> None:
        if (config := self._config()) is not None:
            await self.app.open("strategy", replace(self.app.selection, config=config))

    def svg(self) -> str | None:
        """The plot that is shown, as SVG; None where there is none."""
        view, choice = self._view, self._choice
        if view is None:
            return None
        title = plots.plot_title(view, choice)
        if choice.plot == plots.PARETO and self._points:
            x, y = choice.cost_axis(view), choice.quality_axis(view)
            return pareto_svg(self._points, x, y, title=title)
        if self._grid is None:
            return None
        if choice.plot == plots.DISTRIBUTION:
            return distribution_svg(plots.distributions(view, choice), title=title)
        return grid_svg(self._grid, title=title)

    @property
    def _has_plot(self) -> bool:
        return bool(self._points) or self._grid is not None

    def copied(self) -> Copied | None:
        """The selected point or cell in words; of a table the row, which it has itself."""
        said = self._said().plain
        return Copied("what is selected", said) if said and self._has_plot else None

    def exports(self) -> list[Export]:
        """The plot that is shown, also where its table is."""
        svg = self.svg()
        if svg is None or self._view is None:
            return []
        name = f"run-{self._view.choice.summary.id}-{self._choice.plot.lower()}"
        return plot_exports(svg, name)

    def action_analyse(self) -> None:
        """The engine goes over what is stored, and keeps what the plots need."""
        if self._view is not None:
            run = self._view.choice.summary.id
            start_engine(self.app.feed.path, run)
            self.notify(f"Run {run}: its analysis is being computed.", markup=False)

    async def action_back(self) -> None:
        await self.app.back()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        view = self._view
        if action not in _WITH_PLOT:
            return True
        if view is None:
            return False
        if action == "analyse":
            return view.lacks_analysis
        if action in ("cost", "quality", "experiment"):
            return self._choice.chooses(action, view)
        if action == "strategy":
            return self._config() is not None
        return self._has_plot
