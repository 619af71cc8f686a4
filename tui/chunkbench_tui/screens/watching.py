"""What the screens that show the store have in common: they follow it while they are on top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work
from textual.screen import Screen

from chunkbench_store.database import StoreError

if TYPE_CHECKING:
    from textual.worker import Worker

    from chunkbench_tui.app import ChunkbenchApp


class WatchingScreen(Screen[None]):
    """A screen that reads anew whenever someone has written to the store.

    A subclass defines `_read`, which reads what is shown and shows it, and `_say`, which shows a
    sentence instead.
    """

    app: ChunkbenchApp

    async def _read(self) -> None:
        raise NotImplementedError

    def _say(self, text: str) -> None:
        raise NotImplementedError

    def _fail(self, text: str) -> None:
        """The store cannot be used; what was read no longer counts."""
        self._say(text)

    def _can_go_stale(self) -> bool:
        """Whether what was read last can become wrong with nobody writing."""
        return False

    def on_screen_resume(self) -> None:
        self._watch()

    def on_screen_suspend(self) -> None:
        self.workers.cancel_group(self, "watch")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        self.app.say_failure(event)

    @work(exclusive=True, group="watch", exit_on_error=False)
    async def _watch(self) -> None:
        """Follow the store until the screen is left."""
        try:
            async for _ in self.app.feed.changes(self._can_go_stale):
                await self._read()
        except StoreError as error:
            self._fail(str(error))
