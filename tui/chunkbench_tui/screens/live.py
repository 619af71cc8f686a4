"""The live screen: the leaderboard of a run, its stages, costs and events."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from chunkbench_engine.run.launch import start_engine
from chunkbench_store.runs import ask
from chunkbench_tui import panels
from chunkbench_tui.addition import added_row, added_text
from chunkbench_tui.board import (
    MAIN,
    Order,
    columns,
    direction_mark,
    headings,
    lines,
    main_measures,
)
from chunkbench_tui.findings import NO_QUESTIONS, diagnosis_columns
from chunkbench_tui.live_status import status_text
from chunkbench_tui.live_view import View, read_curve, read_view, row_of
from chunkbench_tui.safe_text import shown, shown_lines
from chunkbench_tui.screen_exports import run_exports
from chunkbench_tui.screens.live_keys import KEYS, is_possible
from chunkbench_tui.screens.watching import WatchingScreen
from chunkbench_tui.widgets.key_line import KeyLine
from chunkbench_tui.widgets.line_table import LineTable
from chunkbench_tui.widgets.panel import Panel
from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from chunkbench_store.live import BoardRow, LiveRun
    from chunkbench_tui.board import Column
    from chunkbench_tui.exporting import Export

PANELS = ("", "stages", "costs", "events")
NO_RUN = (
    "No run to show yet.\n\n"
    "Press 2 to choose a folder of documents and start one,\n"
    "or 1 for the list of runs."
)


class LiveScreen(WatchingScreen):
    """One run, as it goes."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = KEYS

    def __init__(self) -> None:
        super().__init__()
        self._run: int | None = None
        self._view: View | None = None
        self._order = Order()
        self._measure = 0
        self._panel = 0
        self._baseline: int | None = None
        self._held = False
        self._asked = ""
        self._keys: tuple[object, ...] = ()
        self._greeted: tuple[str, int] | None = None

    def compose(self) -> ComposeResult:
        yield Static("Live", id="status", classes="status", markup=False)
        yield Static(id="message", classes="message", markup=False)
        with Horizontal(id="body", classes="body"):
            yield LineTable(id="board", enter=False, search=("strategy", "model"))
            with Vertical(id="panels"):
                for name in ("stages", "costs", "memory", "events"):
                    yield Panel(id=name)
        yield KeyLine()

    @property
    def board(self) -> LineTable:
        return self.query_one("#board", LineTable)

    def on_screen_resume(self) -> None:
        if self.app.selection.added not in (None, self._greeted):
            self.open_run(self.app.selection.run)
        config = self.app.selection.config
        if config is not None and config != self.board.cursor_key:
            self.board.move_to(config)  # another screen went on to another strategy

    def open_run(self, run: int | None) -> None:
        """Show a run; None for the newest there is."""
        if run is not None and run != self._run:
            self._run, self._view, self._held, self._asked = run, None, False, ""
            self.board.follow = True
        if self.is_current:
            self._watch()

    async def _read(self) -> None:
        if self._held and self._view is not None:
            return
        run, selected, last = self._run, self.board.cursor_key, self._view
        read = partial(read_view, run=run, config=selected, last=last)
        self._show(await self.app.feed.read(read))

    def _can_go_stale(self) -> bool:
        return self._view is not None and self._view.live.summary.alive

    @property
    def selected(self) -> BoardRow | None:
        """The row under the cursor."""
        return None if self._view is None else row_of(self._view.live, self.board.cursor_key)

    def _say(self, text: str) -> None:
        self._view = None
        self.add_class("-empty")
        show_text(self.query_one("#status", Static), "Live")
        show_text(self.query_one("#message", Static), shown_lines(text))
        self._update_keys()

    def _show(self, view: View | None) -> None:
        if view is None:
            gone = self._run is not None
            self._run = None
            self._say("This run was deleted.\n\n" + NO_RUN if gone else NO_RUN)
            return
        before = self._view
        if before is not None and view.live.summary.state != before.live.summary.state:
            self._asked = ""
        self._view, self._run = view, view.live.summary.id
        self.remove_class("-empty")
        self._show_board()
        self._greet(view.live)
        self._select()
        self._show_panels()
        self._update_keys()

    def _greet(self, live: LiveRun) -> None:
        """Put the cursor on a setting that was added, once it is there."""
        added = self.app.selection.added
        if added is not None and added != self._greeted:
            row = added_row(live, added)
            if row is not None:
                self._greeted = added
                self.board.move_to(row.config)

    def _select(self) -> None:
        """The other screens are about the run and the strategy under the cursor."""
        if (row := self.selected) is not None and self.is_current:
            selection = self.app.selection.in_run(self._run)
            self.app.selection = replace(selection, config=row.config)

    def _update_keys(self) -> None:
        """Grey the keys that would do nothing now; the footer is made anew only for a change."""
        row = self.selected
        state = self._view.live.summary.state if self._view else ""
        keys = (state, row and row.state)
        if keys != self._keys:
            self._keys = keys
            self.refresh_bindings()

    def _show_board(self) -> None:
        if self._view is None:
            return
        rows = self._view.live.board
        shown_columns = self._columns(self._view.live)
        if self._order.key not in {column.key for column in shown_columns}:
            self._order = Order()  # another run, or no baseline any more
        self.board.show(
            headings(shown_columns, rows, self._order), lines(shown_columns, rows, self._order)
        )
        self._show_status()

    def _columns(self, live: LiveRun) -> tuple[Column, ...]:
        if not live.summary.questions:
            return diagnosis_columns(live.board)
        names = main_measures(live.summary.cutoff)
        baseline = row_of(live, self._baseline)
        return columns(live.board, names[self._measure % len(names)], live.summary.cutoff, baseline)

    def _show_status(self) -> None:
        if self._view is None:
            return
        live = self._view.live
        column = next(c for c in self._columns(live) if c.key == self._order.key)
        remarks = [self._asked] if self._asked else []
        if (added := self.app.selection.added) is not None and self.app.selection.run == self._run:
            remarks.append(added_text(live, added, f"nDCG@{live.summary.cutoff}"))
        if (baseline := row_of(live, self._baseline)) is not None:
            remarks.append(f"differences to {shown(baseline.label)}")
        if self._held:
            remarks.append("view held, space goes on")
        if not live.summary.questions:
            remarks.append(NO_QUESTIONS)
        if self._order.key not in self.board.visible_columns:
            remarks.append(f"by {column.title}{direction_mark(column, self._order)}")
        show_text(self.query_one("#status", Static), status_text(live, remarks))

    def _show_panels(self) -> None:
        """Bring the panels that can be seen up to date."""
        if self._view is None:
            return
        live, row = self._view.live, self.selected
        place = self.query_one("#panels")
        if place.display:
            width = place.content_size.width - 2
            by_key = {row.config: row for row in live.board}
            rows = [by_key[key] for key in self.board.keys]
            costs = self.query_one("#costs", Panel)
            texts = {
                "stages": panels.stages_panel(live, width),
                "costs": panels.costs_panel(
                    rows, self.board.cursor_key, width, costs.content_size.height
                ),
                "memory": panels.memory_panel(row, self._view.curve, width) if row else Content(),
                "events": panels.events_panel(live.events),
            }
            for name, text in texts.items():
                panel = self.query_one(f"#{name}", Panel)
                if panel.display:
                    panel.show(text)
            # What the other panels now hold may have left this one more room, or less.
            height = costs.content_size.height
            self.call_after_refresh(self._fit_costs, height)

    def _fit_costs(self, height: int) -> None:
        if self.query_one("#costs", Panel).content_size.height != height:
            self._show_panels()

    @on(LineTable.Highlighted)
    def _selected_another(self) -> None:
        self._update_keys()
        self._select()
        if self._view is not None:
            self._read_curve(self._view)

    @work(exclusive=True, group="curve", exit_on_error=False)
    async def _read_curve(self, view: View) -> None:
        """The memory curve of the row the cursor came to; the rest of the view stays."""
        config = self.board.cursor_key
        curve = await self.app.feed.read(partial(read_curve, live=view.live, config=config))
        if self._view is not None and self.board.cursor_key == config:
            self._view = replace(self._view, curve=curve.curve, curve_of=curve.curve_of)
            self._show_panels()

    @on(LineTable.LayoutChanged)
    def _other_columns(self) -> None:
        self._show_status()

    @on(LineTable.HeadingClicked)
    def _heading_clicked(self, event: LineTable.HeadingClicked) -> None:
        if event.key == self._order.key:
            self.action_reverse()
        elif event.key != "rank":
            self._sort_by(event.key)

    @on(LineTable.Chosen)
    async def _chosen(self) -> None:
        await self.action_strategy()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_panels)

    def _sort_by(self, key: str) -> None:
        self._order = Order(key)
        self._show_board()

    def action_sort(self) -> None:
        keys = [key for key in self.board.visible_columns if key != "rank"]
        place = keys.index(self._order.key) + 1 if self._order.key in keys else 0
        self._sort_by(keys[place % len(keys)])

    def action_reverse(self) -> None:
        self._order = replace(self._order, reverse=not self._order.reverse)
        self._show_board()

    def action_metric(self) -> None:
        self._measure += 1
        self._sort_by(MAIN)

    def action_baseline(self) -> None:
        """Compare all with the strategy under the cursor; with none if it is that already."""
        row = self.selected
        self._baseline = None if row is None or row.config == self._baseline else row.config
        self._show_board()

    def action_panel(self) -> None:
        if self.has_class("-wide"):
            self.toggle_class("-hidden")
        else:
            self.remove_class(*(f"-{name}" for name in PANELS if name))
            self._panel = (self._panel + 1) % len(PANELS)
            if PANELS[self._panel]:
                self.add_class(f"-{PANELS[self._panel]}")
        self.call_after_refresh(self._show_panels)

    def action_follow(self) -> None:
        self.board.follow = not self.board.follow
        self._show_board()
        what = "is on whichever is first" if self.board.follow else "stays on its strategy"
        self.notify(f"The cursor {what}.", timeout=2)

    def action_hold(self) -> None:
        self._held = not self._held
        if self._held:
            self._show_status()
        else:
            self._watch()

    async def action_strategy(self) -> None:
        await self.app.open("strategy", self.app.selection)

    async def action_boundaries(self) -> None:
        await self.app.open("boundaries", replace(self.app.selection, span=(0, 0)))

    async def action_back(self) -> None:
        await self.app.back()

    def action_pause(self) -> None:
        """Pause a running run; go on with one that is paused, stopped or has lost its engine."""
        if self._view is None:
            return
        state = self._view.live.summary.state
        if state == "running":
            self._ask("pause", "pausing…")
        elif state == "paused":
            self._ask("resume", "resuming…")
        else:
            self._start_again()

    def action_stop(self) -> None:
        self._ask("stop", "stopping…")

    def action_cancel(self) -> None:
        if (row := self.selected) is not None:
            self._ask("cancel", "cancelling…", row.chunk_set)

    def action_retry(self) -> None:
        if (row := self.selected) is not None:
            self._ask("retry", "trying again…", row.chunk_set)

    @work(group="ask", exit_on_error=False)
    async def _ask(self, command: str, meanwhile: str, chunk_set: int | None = None) -> None:
        run, view = self._run, self._view
        if run is None or view is None:
            return
        self._asked = meanwhile if chunk_set is None else ""
        self._show_status()
        await self.app.feed.write(lambda store: ask(store, run, command, chunk_set))
        if command == "retry" and not view.live.summary.alive:
            # The engine has left; it reads what is asked when it starts.
            start_engine(self.app.feed.path, run)

    def _start_again(self) -> None:
        if self._run is not None:
            self._asked = "starting the engine…"
            self._show_status()
            start_engine(self.app.feed.path, self._run)

    def exports(self) -> list[Export]:
        if self._run is None or self._view is None:
            return []
        page = self._view.live.summary.questions > 0
        return run_exports(self.app.feed.path, self._run, page=page)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        return is_possible(action, self._view.live if self._view else None, self.selected)
