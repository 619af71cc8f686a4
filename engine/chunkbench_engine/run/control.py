"""What a person asks of the engine through the store."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.run.addition import add_strategy
from chunkbench_store.additions import spec_asked
from chunkbench_store.judgements import is_retrieved
from chunkbench_store.results import forget_config_results, set_chunk_set_state, set_config_state
from chunkbench_store.runs import HEARTBEAT_SECONDS, asked, mark_handled, set_run_state

if TYPE_CHECKING:
    from chunkbench_engine.run.context import RunContext
    from chunkbench_store.database import Store

CONTROL_SECONDS = 0.2


class Stopped(Exception):  # noqa: N818
    """A person, or the system, asked the engine to stop; the run can be resumed."""


class Controls:
    """Does what a person asks: pause, resume, stop; cancel or retry one strategy; add one."""

    def __init__(self, context: RunContext) -> None:
        self._context = context
        self._again: list[int] = []

    async def watch(self) -> None:
        """Until cancelled. Raises Stopped when asked to stop."""
        counted = time.monotonic()
        while True:
            self.handle()
            if time.monotonic() - counted >= HEARTBEAT_SECONDS:
                counted = time.monotonic()
                with self._context.store.write():
                    self._context.count_seconds()
            await asyncio.sleep(CONTROL_SECONDS)

    def handle(self) -> None:
        """Handle what is asked, oldest first."""
        context = self._context
        for control, command, chunk_set in asked(context.store, context.run):
            with context.store.write():
                mark_handled(context.store, control)
                if command == "add":
                    self._add(spec_asked(context.store, control))
                else:
                    self._do(command, chunk_set)
            if command == "stop":
                raise Stopped

    def _do(self, command: str, chunk_set: int | None) -> None:
        context, store = self._context, self._context.store
        if command == "pause" and context.running.is_set():
            context.running.clear()
            set_run_state(store, context.run, "paused")
            context.tell("paused")
        elif command == "resume" and not context.running.is_set():
            context.running.set()
            set_run_state(store, context.run, "running")
            context.tell("resumed")
        elif command in ("cancel", "retry") and chunk_set is not None:
            label = store.value("SELECT label FROM chunk_set WHERE id = ?", (chunk_set,))
            if command == "cancel":
                set_chunk_set_state(store, chunk_set, "cancelled", "cancelled by you")
                context.tell(f"{label} was cancelled")
                context.count_stages()
            else:
                self._again.append(chunk_set)
                context.tell(f"{label} is tried again once the others are through")

    def _add(self, spec: str) -> None:
        """Plan a strategy that joins the run; what cannot be planned is told, and left."""
        context = self._context
        try:
            label = add_strategy(context.store, context.run, context.settings, spec)
        except (BadInput, Unavailable) as error:
            context.tell(f"{spec} was not added: {error}", "error")
            return
        context.tell(f"{label} was added by you: scores may change until it is judged")
        context.count_stages()
        context.added.set()

    def try_again(self) -> None:
        """Let the strategies that are to be tried again wait for their turn.

        Called only when nothing is under way: what is being done to a strategy must not find its
        results gone.
        """
        store = self._context.store
        with store.write():
            for chunk_set in self._again:
                _retry(store, chunk_set)
        self._again.clear()


def _retry(store: Store, chunk_set: int) -> None:
    """Make a failed, cancelled or unavailable strategy wait again; finished units are kept."""
    store.execute(
        "UPDATE chunk_set SET state = CASE WHEN digest IS NULL THEN 'waiting' ELSE 'done' END,"
        " reason = '' WHERE id = ? AND state IN ('failed', 'cancelled', 'unavailable')",
        (chunk_set,),
    )
    for (config,) in store.rows(
        "SELECT id FROM config WHERE chunk_set = ?"
        " AND state IN ('failed', 'cancelled', 'unavailable')",
        (chunk_set,),
    ):
        if is_retrieved(store, config):
            set_config_state(store, config, "retrieved")
        else:
            forget_config_results(store, config)
            set_config_state(store, config, "waiting")
