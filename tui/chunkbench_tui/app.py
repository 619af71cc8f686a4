"""The app: it watches and steers runs, and computes nothing itself."""

from __future__ import annotations

import asyncio
import os
import signal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import platformdirs
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.worker import WorkerState

from chunkbench_engine.run.launch import start_engine
from chunkbench_engine.run.preview import Previewer
from chunkbench_store.database import StoreError
from chunkbench_store.live import runs
from chunkbench_tui.addition import ask_for_strategies
from chunkbench_tui.feed import Feed
from chunkbench_tui.safe_text import shown
from chunkbench_tui.screens.boundaries import BoundariesScreen
from chunkbench_tui.screens.gold import GoldScreen
from chunkbench_tui.screens.help import HelpScreen
from chunkbench_tui.screens.live import LiveScreen
from chunkbench_tui.screens.new_run import NewRunScreen
from chunkbench_tui.screens.plots import PlotsScreen
from chunkbench_tui.screens.questions import QuestionsScreen
from chunkbench_tui.screens.runs import RunsScreen
from chunkbench_tui.screens.strategy import StrategyScreen
from chunkbench_tui.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from textual.binding import BindingType
    from textual.screen import Screen
    from textual.worker import Worker

_MODES = (
    ("runs", "Runs", "Every run"),
    ("new", "New", "Start a new run"),
    ("live", "Live", "A run as it goes"),
    ("strategy", "Strategy", "All that is known of one strategy"),
    ("boundaries", "Boundaries", "A document with its chunks"),
    ("questions", "Questions", "Questions, evidence and hits"),
    ("plots", "Plots", "What quality costs, and where it holds"),
    ("gold", "Gold", "Build a question set"),
)
"""The screens in the order of their number: mode, title, what it shows."""
_SCREENS = Binding.Group("Screens", compact=True)
_ABOVE = {
    "live": "runs",
    "strategy": "live",
    "questions": "strategy",
    "boundaries": "strategy",
    "plots": "live",
    "gold": "new",
}
"""Where esc leads to from a screen that was opened by its number."""


class ChunkbenchApp(App[None]):
    """One mode a screen. Leaving the app never stops a run: the engine is another process."""

    TITLE = "chunkbench"
    CSS_PATH = "app.tcss"
    DEFAULT_MODE = "runs"
    MODES: ClassVar[dict[str, str | Callable[[], Screen[Any]]]] = {
        "runs": RunsScreen,
        "new": NewRunScreen,
        "live": LiveScreen,
        "strategy": StrategyScreen,
        "boundaries": BoundariesScreen,
        "questions": QuestionsScreen,
        "plots": PlotsScreen,
        "gold": GoldScreen,
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", tooltip="The keys of this screen", id="app.help"),
        *(
            Binding(
                str(number),
                f"switch_mode('{mode}')",
                title,
                tooltip=tooltip,
                id=f"app.{mode}",
                group=_SCREENS,
            )
            for number, (mode, title, tooltip) in enumerate(_MODES, 1)
        ),
        Binding("t", "next_theme", "Theme", show=False, tooltip="Light or dark", id="app.theme"),
        Binding(
            "f8",
            "screenshot",
            "Screenshot",
            show=False,
            tooltip="Save the screen as SVG",
            id="app.screenshot",
        ),
        Binding("q", "quit", "Leave", tooltip="Leave; the engine keeps running", id="app.quit"),
    ]

    def __init__(self, store_path: Path, corpus: Path | None = None) -> None:
        super().__init__()
        self.feed = Feed(store_path)
        self.previewer = Previewer(store_path)
        self.selection = Selection()
        self.gold_corpus = "" if corpus is None else str(corpus.absolute())
        """The folder or file that questions are built for; "" for the one of last time."""
        self._corpus = corpus
        self._opened_from: dict[str, str] = {}
        # Chosen before the first frame: changed later, 16-colour terminals show black on black.
        if os.environ.get("TERM") == "linux":
            self.theme = "ansi-dark"

    async def on_mount(self) -> None:
        # The terminal is put back in order; the engine is in a session of its own and goes on.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.exit)
        if self._corpus is not None:
            await self.offer(self._corpus)
            return
        try:
            living = [run.id for run in await self.feed.read(runs) if run.alive]
        except StoreError:
            return  # the list of runs, which is on the screen, says it
        if living:
            await self.show_run(living[0])

    async def on_unmount(self) -> None:
        await self.previewer.close()
        self.feed.close()

    async def add_strategy(self, run: int, label: str) -> None:
        """Ask for a strategy to join a run, and start the engine if that has left.

        Raises:
            BadInput: the run has it already, or it is under way.
        """
        alive = await self.feed.write(partial(ask_for_strategies, run=run, labels=[label]))
        if not alive:
            start_engine(self.feed.path, run)

    async def show_run(self, run: int) -> None:
        """Go to the live screen of a run."""
        await self.switch_mode("live")
        if isinstance(self.screen, LiveScreen):
            self.screen.open_run(run)

    async def open(self, mode: str, selection: Selection) -> None:
        """Go to a screen about something; esc leads back to this one."""
        self.selection = selection
        self._opened_from[mode] = self.current_mode
        await self.switch_mode(mode)

    async def build_questions(self, corpus: str) -> None:
        """Go to the gold builder with some documents; with those of last time for ""."""
        self.gold_corpus = corpus or self.gold_corpus
        self._opened_from["gold"] = self.current_mode
        await self.switch_mode("gold")

    async def back(self) -> None:
        """Leave a screen the way it was opened."""
        mode = self.current_mode
        await self.switch_mode(self._opened_from.pop(mode, _ABOVE[mode]))

    async def offer(self, corpus: Path, *, start: bool = False) -> None:
        """Go to the form of a new run, filled in for a corpus."""
        await self.switch_mode("new")
        if isinstance(self.screen, NewRunScreen):
            self.screen.offer(corpus)
            if start:
                self.screen.action_start()

    def say_failure(self, event: Worker.StateChanged) -> None:
        """Show what went wrong in a worker, in a sentence."""
        if event.state == WorkerState.ERROR:
            error = event.worker.error
            text = str(error) if isinstance(error, StoreError) else repr(error)
            self.notify(shown(text), title="That failed", severity="error", markup=False)

    def action_help(self) -> None:
        titles = {mode: title for mode, title, _ in _MODES}
        title = titles[self.current_mode]
        bindings = self.screen.active_bindings.values()
        self.push_screen(HelpScreen(title, bindings))

    def action_screenshot(self, filename: str | None = None, path: str | None = None) -> None:
        """Save the screen as SVG: with the downloads, or in the working folder without such."""
        downloads = platformdirs.user_downloads_path()
        folder = path or str(downloads if downloads.is_dir() else Path.cwd())
        try:
            saved = self.save_screenshot(filename, folder)
        except OSError as error:
            text = f"The screenshot cannot be saved in {folder}: {error.strerror}"
            self.notify(shown(text), severity="error", markup=False)
        else:
            self.notify(shown(f"Saved {saved}"), markup=False)

    def action_next_theme(self) -> None:
        kind = "ansi" if self.theme.startswith("ansi") else "textual"
        self.theme = f"{kind}-{'light' if self.current_theme.dark else 'dark'}"

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Every key of the screen is in the palette too."""
        yield from super().get_system_commands(screen)
        active = screen.active_bindings.values()
        ours = {entry.binding.id: entry for entry in active if entry.enabled}
        for node, binding, _, tooltip in ours.values():
            if binding.id:
                yield SystemCommand(
                    binding.description,
                    tooltip or binding.description,
                    partial(self.run_action, binding.action, node),
                )


def run_app(store_path: Path, corpus: Path | None) -> None:
    """Run the app until the person leaves it.

    Args:
        store_path: the database; made if it does not exist.
        corpus: opens the form of a new run, filled in for it.
    """
    ChunkbenchApp(store_path, corpus).run()
