"""The app: it watches and steers runs, and computes nothing itself."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.containers import ScrollableContainer
from textual.scroll_view import ScrollView
from textual.widgets import Input
from textual.worker import WorkerState, get_current_worker

from chunkbench_engine.errors import BadInput
from chunkbench_engine.run.launch import start_engine
from chunkbench_store.database import StoreError
from chunkbench_store.live import runs
from chunkbench_tui.copying import Copyable, clipboard_text, said_of
from chunkbench_tui.exporting import Exportable, output_folder, write_exports
from chunkbench_tui.feed import Feed
from chunkbench_tui.global_keys import KEYS
from chunkbench_tui.keymap import check_theme, checked_keymap
from chunkbench_tui.modes import BY_NUMBER, import_each, maker
from chunkbench_tui.safe_text import shown
from chunkbench_tui.selection import Selection
from chunkbench_tui.style_rules import StyleRules
from chunkbench_tui.user_settings import read_settings, remember_theme, settings_path
from chunkbench_tui.widgets.find_bar import (
    Sought,
    active_bar,
    begin_search,
    end_search,
    target_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from textual.binding import BindingType
    from textual.screen import Screen
    from textual.worker import Worker

    from chunkbench_engine.run.preview import Previewer
    from chunkbench_tui.copying import Copied

_SCREENS = Binding.Group("Screens", compact=True)
_SETTLED_SECONDS = 2.0
"""After this time a screen that was shown has read and painted what it shows."""
_ABOVE = {mode.name: mode.above for mode in BY_NUMBER}


class ChunkbenchApp(App[None]):
    """One mode a screen. Leaving the app never stops a run: the engine is another process."""

    TITLE = "chunkbench"
    CSS_PATH = "app.tcss"
    DEFAULT_MODE = "runs"
    MODES: ClassVar[dict[str, str | Callable[[], Screen[Any]]]] = {
        mode.name: maker(mode) for mode in BY_NUMBER
    }
    ALLOW_IN_MAXIMIZED_VIEW = "Footer, .status, FindBar"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                str(number),
                f"switch_mode('{mode.name}')",
                mode.title,
                tooltip=mode.about,
                id=f"app.{mode.name}",
                group=_SCREENS,
            )
            for number, mode in enumerate(BY_NUMBER, 1)
        ),
        *KEYS,
    ]

    def __init__(
        self,
        store_path: Path,
        corpus: Path | None = None,
        *,
        keymap: Mapping[str, str] | None = None,
        theme: str = "",
        remember: Callable[[str], None] | None = None,
    ) -> None:
        """An app over a store.

        Args:
            corpus: opens the form of a new run, filled in for it.
            keymap: other keys, as `checked_keymap` gives them.
            theme: "" for the default.
            remember: called with each theme that is chosen.
        """
        super().__init__()
        self.stylesheet = StyleRules(variables=self.get_css_variables())
        self.feed = Feed(store_path)
        self.selection = Selection()
        self.gold_corpus = "" if corpus is None else str(corpus.absolute())
        """The folder or file that questions are built for; "" for the one of last time."""
        self._corpus = corpus
        self._kept: set[str] = set()
        self._opened_from: dict[str, str] = {}
        # Chosen before the first frame: changed later, 16-colour terminals show black on black.
        if os.environ.get("TERM") == "linux":
            self.theme = theme if theme.startswith("ansi") else "ansi-dark"
        elif theme:
            self.theme = theme
        self._remember = remember
        self.set_keymap(keymap or {})

    @cached_property
    def previewer(self) -> Previewer:
        """What a document would look like under another setting."""
        from chunkbench_engine.run.preview import Previewer

        return Previewer(self.feed.path)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        self.say_failure(event)

    async def on_mount(self) -> None:
        self.mode_change_signal.subscribe(self, self._keep)
        self.theme_changed_signal.subscribe(self, lambda theme: self._remember_theme(theme.name))
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

    def on_ready(self) -> None:
        self._import_screens()

    @work(thread=True, group="import", exit_on_error=False)
    def _import_screens(self) -> None:
        """Have the other screens ready before they are wanted, now that the first is painted."""
        worker = get_current_worker()
        for _ in import_each():
            if worker.is_cancelled:
                return
        gc.freeze()  # as in `_keep`

    def _keep(self, mode: str) -> None:
        """Take a screen that is shown for the first time, and stays, out of the collector's sight.

        Each full collection stops everything for as long as it takes to go through all objects:
        a tenth of a second once all screens have been shown.
        """
        if mode not in self._kept:
            self._kept.add(mode)
            self.set_timer(_SETTLED_SECONDS, gc.freeze)

    async def on_unmount(self) -> None:
        if "previewer" in vars(self):
            await self.previewer.close()
        self.feed.close()

    async def add_strategy(self, run: int, label: str) -> None:
        """Ask for a strategy to join a run, and start the engine if that has left.

        Raises:
            BadInput: the run has it already, or it is under way.
        """
        from chunkbench_tui.addition import ask_for_strategies

        alive = await self.feed.write(partial(ask_for_strategies, run=run, labels=[label]))
        if not alive:
            start_engine(self.feed.path, run)

    async def show_run(self, run: int) -> None:
        """Go to the live screen of a run."""
        await self.switch_mode("live")
        from chunkbench_tui.screens.live import LiveScreen

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

    async def offer(
        self, corpus: Path, *, questions: Path | None = None, start: bool = False
    ) -> None:
        """Go to the form of a new run, filled in for a corpus; with the questions beside it."""
        await self.switch_mode("new")
        from chunkbench_tui.screens.new_run import NewRunScreen

        if isinstance(self.screen, NewRunScreen):
            self.screen.offer(corpus, questions)
            if start:
                self.screen.action_start()

    def say_failure(self, event: Worker.StateChanged) -> None:
        """Show what went wrong in a worker, in a sentence."""
        if event.state == WorkerState.ERROR:
            error = event.worker.error
            text = str(error) if isinstance(error, StoreError) else repr(error)
            self.notify(shown(text), title="That failed", severity="error", markup=False)

    def action_help(self) -> None:
        from chunkbench_tui.screens.help import HelpScreen

        titles = {mode.name: mode.title for mode in BY_NUMBER}
        title = titles[self.current_mode]
        bindings = self.screen.active_bindings.values()
        self.push_screen(HelpScreen(title, bindings))

    async def action_find(self) -> None:
        await begin_search(self.screen)

    def action_find_next(self, by: int) -> None:
        if (bar := active_bar(self.screen)) is not None:
            bar.target.seek_next(by)
            bar.say()

    def action_find_end(self) -> None:
        end_search(self.screen)

    @on(Sought)
    def _sought(self, event: Sought) -> None:
        if (bar := active_bar(event.widget.screen)) is not None:
            bar.say()

    def action_copy(self) -> None:
        copied = self._to_copy()
        if copied is not None:
            text = clipboard_text(copied.text)
            self.copy_to_clipboard(text)
            self.notify(shown(said_of(copied, text)), timeout=3, markup=False)

    def _to_copy(self) -> Copied | None:
        """What the screen, else the widget with the focus, else the first one has to copy."""
        nodes = (self.screen, self.focused, *self.screen.query("*"))
        found = (node.copied() for node in nodes if isinstance(node, Copyable))
        return next((copied for copied in found if copied is not None), None)

    @work(thread=True, exclusive=True, group="export", exit_on_error=False)
    def action_export(self) -> None:
        if not isinstance(self.screen, Exportable):
            return
        try:
            written = write_exports(self.screen.exports(), output_folder())
        except BadInput as error:
            self.call_from_thread(self.notify, shown(str(error)), severity="error", markup=False)
        else:
            told = f"Wrote {' and '.join(path.name for path in written)} into {output_folder()}"
            self.call_from_thread(self.notify, shown(told), markup=False)

    def action_zoom(self) -> None:
        if self.screen.maximized is not None:
            self.screen.minimize()
        elif self.focused is not None:
            self.screen.maximize(self.focused, container=False)

    def action_minimize(self) -> None:
        self.screen.minimize()

    def action_scroll(self, way: str) -> None:
        if self.focused is not None:
            getattr(self.focused, f"scroll_{way}")(animate=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action in ("find_end", "find_next"):
            return active_bar(self.screen) is not None
        if action == "find":
            typing = isinstance(self.focused, Input)
            return not typing and target_of(self.screen) is not None
        if action == "minimize":
            return self.screen.maximized is not None
        if action == "zoom":
            return self.focused is not None and self.focused.allow_maximize
        if action == "scroll":
            # The tables and documents, which are views, have these keys themselves.
            panel = isinstance(self.focused, ScrollableContainer)
            return panel and not isinstance(self.focused, ScrollView)
        if action == "copy":
            return self._to_copy() is not None
        if action == "export":
            return isinstance(self.screen, Exportable) and bool(self.screen.exports())
        return True

    def action_screenshot(self, filename: str | None = None, path: str | None = None) -> None:
        """Save the screen as SVG, where exports go."""
        folder = path or str(output_folder())
        try:
            saved = self.save_screenshot(filename, folder)
        except OSError as error:
            text = f"The screenshot cannot be saved in {folder}: {error.strerror}"
            self.notify(shown(text), severity="error", markup=False)
        else:
            self.notify(shown(f"Saved {saved}"), markup=False)

    def _remember_theme(self, theme: str) -> None:
        if self._remember is None:
            return
        try:
            self._remember(theme)
        except BadInput as error:
            self.notify(shown(str(error)), severity="warning", markup=False)

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

    Raises:
        BadInput: the settings file says something that nobody understands.
    """
    path = settings_path()
    settings = read_settings(path)
    check_theme(settings.theme, path)
    ChunkbenchApp(
        store_path,
        corpus,
        keymap=checked_keymap(settings, path),
        theme=settings.theme,
        remember=partial(remember_theme, path),
    ).run()
