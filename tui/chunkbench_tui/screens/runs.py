"""The list of runs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding
from textual.widgets import Static

from chunkbench_engine.run.launch import start_engine
from chunkbench_store.live import runs
from chunkbench_store.runs import ask, delete_run
from chunkbench_tui.quantities import HEARTBEAT_NOTICED_SECONDS, bar, clock_text, duration_text
from chunkbench_tui.safe_text import shown, shown_lines
from chunkbench_tui.sample import sample_corpus_path
from chunkbench_tui.screen_exports import list_exports
from chunkbench_tui.screens.compare import CompareScreen
from chunkbench_tui.screens.confirm import ConfirmScreen
from chunkbench_tui.screens.watching import WatchingScreen
from chunkbench_tui.widgets.column_layout import Heading
from chunkbench_tui.widgets.key_line import KeyLine
from chunkbench_tui.widgets.line import Line
from chunkbench_tui.widgets.line_table import LineTable
from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from chunkbench_store.database import Store
    from chunkbench_store.live import RunSummary
    from chunkbench_tui.exporting import Export

_PROVISIONAL = "~"
"""Before a score that other strategies, once judged, can make fall."""
RESUMABLE = ("pending", "stopped", "failed", "lost")

FIRST_START = """\
No runs yet.

Press Enter to benchmark the paper's 34 chunking strategies on the sample
corpus: six small sets of documents, with questions and marked evidence.

Press 2 to use your own folder of documents."""
NO_SAMPLE = """\
No runs yet.

Press 2 to choose a folder of documents and start one."""


class RunsScreen(WatchingScreen):
    """Every run of the store, newest first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="Open the run, live", id="runs.open"),
        Binding(
            "enter",
            "sample",
            "Run the sample",
            tooltip="Benchmark the sample corpus",
            id="runs.sample",
        ),
        Binding("x", "stop", "Stop", tooltip="Stop the run; it can be resumed", id="runs.stop"),
        Binding(
            "r", "resume", "Resume", tooltip="Take the run up where it was left", id="runs.resume"
        ),
        Binding(
            "d", "delete", "Delete", tooltip="Delete the run and its results", id="runs.delete"
        ),
        Binding("space", "mark", "Mark", tooltip="Mark the run, to compare it", id="runs.mark"),
        Binding(
            "c",
            "compare",
            "Compare",
            tooltip="Compare two marked runs, or a marked one with this one",
            id="runs.compare",
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._runs: tuple[RunSummary, ...] | None = None
        self._keys: tuple[object, ...] = ()
        self._marked: tuple[int, ...] = ()

    def compose(self) -> ComposeResult:
        yield Static("Runs", id="status", classes="status", markup=False)
        yield Static(id="message", classes="message", markup=False)
        yield LineTable(id="runs", enter=False, search=("state", "corpus", "best"))
        yield KeyLine()

    def on_mount(self) -> None:
        self.table.add_class("body")

    @property
    def table(self) -> LineTable:
        return self.query_one("#runs", LineTable)

    @property
    def selected(self) -> RunSummary | None:
        """The run under the cursor."""
        key = self.table.cursor_key
        return next((run for run in self._runs or () if run.id == key), None)

    async def _read(self) -> None:
        self._show(await self.app.feed.read(runs))

    def _fail(self, text: str) -> None:
        self._runs = None
        self._say(text)

    def _can_go_stale(self) -> bool:
        return any(run.alive or run.state == "lost" for run in self._runs or ())

    def _show(self, found: Sequence[RunSummary]) -> None:
        self._runs = tuple(found)
        if not found:
            self._say(FIRST_START if sample_corpus_path() else NO_SAMPLE)
        else:
            self.remove_class("-empty")
            running = sum(run.alive for run in found)
            text = f"Runs · {len(found)}" + (f", {running} running" if running else "")
            if any(run.best_provisional for run in found):
                text += f" · {_PROVISIONAL} provisional: not all strategies were judged"
            show_text(self.query_one("#status", Static), text)
        self._marked = tuple(run for run in self._marked if run in {entry.id for entry in found})
        self._show_lines()
        self._update_keys()

    def _show_lines(self) -> None:
        found = self._runs or ()
        self.table.show(_headings(found), [_line(run, run.id in self._marked) for run in found])

    def _say(self, text: str) -> None:
        self.add_class("-empty")
        show_text(self.query_one("#status", Static), "Runs")
        show_text(self.query_one("#message", Static), shown_lines(text))
        self._update_keys()

    def _update_keys(self) -> None:
        keys = (
            self._runs is None,
            not self._runs,
            self.selected and self.selected.state,
            self._to_compare,
        )
        if keys != self._keys:
            self._keys = keys
            self.refresh_bindings()

    @on(LineTable.Highlighted)
    def _selected_another(self) -> None:
        self._update_keys()

    @on(LineTable.Chosen)
    async def _chosen(self, event: LineTable.Chosen) -> None:
        await self.app.show_run(event.key)

    async def action_open(self) -> None:
        if (run := self.selected) is not None:
            await self.app.show_run(run.id)

    async def action_sample(self) -> None:
        if (folder := sample_corpus_path()) is not None:
            await self.app.offer(folder, start=True)

    @property
    def _to_compare(self) -> tuple[int, ...]:
        """The marked runs, with the one under the cursor where only one is marked; in order."""
        chosen = self._marked
        if len(chosen) == 1 and self.selected is not None:
            chosen = (*chosen, self.selected.id)
        return tuple(sorted(set(chosen)))

    def action_mark(self) -> None:
        """Mark the run, or take its mark away; of three, the first marked loses its own."""
        if (run := self.selected) is not None:
            others = tuple(marked for marked in self._marked if marked != run.id)
            self._marked = others if run.id in self._marked else (*others, run.id)[-2:]
            self._show_lines()
            self._update_keys()

    def action_compare(self) -> None:
        if len(self._to_compare) == 2:
            self.app.push_screen(CompareScreen(*self._to_compare))

    def action_stop(self) -> None:
        if (run := self.selected) is not None:
            self._change(partial(ask, run=run.id, command="stop"))

    def action_resume(self) -> None:
        if (run := self.selected) is not None:
            start_engine(self.app.feed.path, run.id)
            self.notify(f"Run {run.id} goes on.", markup=False)

    @work(group="delete", exit_on_error=False)
    async def action_delete(self) -> None:
        run = self.selected
        if run is None:
            return
        question = f"Delete run {run.id} ({shown(run.corpus)}) and all its results?"
        if await self.app.push_screen_wait(ConfirmScreen(question)):
            await self.app.feed.write(partial(_delete, run=run.id))

    @work(group="change", exit_on_error=False)
    async def _change(self, change: partial[None]) -> None:
        await self.app.feed.write(change)

    def exports(self) -> list[Export]:
        return list_exports(self.app.feed.path) if self._runs else []

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        run = self.selected
        if action == "sample":
            return self._runs == () and sample_corpus_path() is not None
        if action in ("open", "mark"):
            return run is not None
        if action == "compare":
            if run is None:
                return False
            return True if len(self._to_compare) == 2 else None
        if action in ("stop", "resume", "delete"):
            if run is None:
                return False
            allowed = {
                "stop": run.alive,
                "resume": run.state in RESUMABLE,
                "delete": not run.alive,
            }
            return True if allowed[action] else None
        return True


def _delete(store: Store, run: int) -> None:
    with store.write():
        delete_run(store, run)


def _headings(found: Sequence[RunSummary]) -> list[Heading]:
    widest = max((len(shown(run.corpus)) for run in found), default=6)
    best = max((len(shown(run.best)) for run in found), default=4)
    return [
        Heading("run", "run", max(3, 1 + len(str(found[0].id)) if found else 0), right=True),
        Heading("state", "state", 8),
        Heading("corpus", "corpus", min(max(widest, 8), 16), wanted=widest),
        Heading("progress", "progress", 15, weight=1),
        Heading("best", "best", min(max(best, 6), 12), wanted=best, weight=2, label=True),
        Heading("ndcg", "nDCG@5", 6, right=True, weight=3),
        Heading("engine", "engine", 13, weight=4),
        Heading("started", "created", 16, weight=5),
        Heading("strategies", "strategies", 10, right=True, weight=6),
        Heading("questions", "questions", 9, right=True, weight=7),
    ]


def _line(run: RunSummary, marked: bool) -> Line:
    tone = {"failed": "bad", "lost": "bad", "stopped": "muted"}.get(run.state, "")
    return Line(
        run.id,
        (
            f"*{run.id}" if marked else str(run.id),
            run.state,
            shown(run.corpus),
            f"{bar(run.progress, 10)} {run.progress:>4.0%}",
            shown(run.best),
            _score(run),
            _engine(run),
            clock_text(run.created_at),
            str(run.strategies),
            str(run.questions),
        ),
        tone,
    )


def _score(run: RunSummary) -> str:
    if run.best_ndcg is None:
        return ""
    return f"{_PROVISIONAL if run.best_provisional else ''}{run.best_ndcg:.3f}"


def _engine(run: RunSummary) -> str:
    """The age of the last heartbeat, where one is expected."""
    if run.state == "lost":
        age = run.heartbeat_age
        return "gone" if age is None else f"gone {duration_text(age)}"
    if not run.alive:
        return ""
    age = run.heartbeat_age or 0.0
    return "alive" if age <= HEARTBEAT_NOTICED_SECONDS else f"silent {duration_text(age)}"
