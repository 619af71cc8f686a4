"""What all stages of a run share."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chunkbench_engine.embedders.cache import VectorCache
from chunkbench_engine.run.quiet import Quiet
from chunkbench_store.corpora import document_text, documents_of, questions_of
from chunkbench_store.runs import add_event, add_stage_seconds, run_of, set_stage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from chunkbench_engine.run.settings import Settings
    from chunkbench_store.corpora import DocumentRow, QuestionRow
    from chunkbench_store.database import Store


@dataclass
class RunContext:
    """A run under way. The store is used from the event loop's thread only."""

    store: Store
    run: int
    settings: Settings
    documents: list[DocumentRow]
    questions: list[QuestionRow]
    cache: VectorCache
    folder: Path
    """Where the run's indexes lie while they are needed."""
    quiet: Quiet = field(default_factory=Quiet)
    running: asyncio.Event = field(default_factory=asyncio.Event)
    """Cleared while the run is paused; every unit waits for it before it begins."""
    added: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a strategy has joined the run."""
    under_way: dict[object, tuple[str, float]] = field(default_factory=dict)
    """Stage of each unit under way, and since when its time is not yet counted."""

    @asynccontextmanager
    async def unit(self, stage: str, *, alone: bool = False) -> AsyncIterator[None]:
        """Around one unit of work: waits while paused, and counts the stage's time."""
        await self.running.wait()
        async with self.quiet.alone() if alone else self.quiet.busy():
            unit = object()
            self.under_way[unit] = stage, time.monotonic()
            try:
                yield
            finally:
                with self.store.write():
                    self.count_seconds()
                del self.under_way[unit]

    def count_seconds(self) -> None:
        """Count the time of the units under way so far, inside `write()`.

        A stage with several of them takes its time once.
        """
        now = time.monotonic()
        begun: dict[str, float] = {}
        for unit, (stage, since) in self.under_way.items():
            begun[stage] = min(since, begun.get(stage, now))
            self.under_way[unit] = stage, now
        for stage, since in begun.items():
            add_stage_seconds(self.store, self.run, stage, now - since)

    def text(self, document: int) -> str:
        return document_text(self.store, document)

    def tell(self, text: str, level: str = "info") -> None:
        """Write an event, inside `write()`."""
        add_event(self.store, self.run, text, level)

    def chunk_set_state(self, chunk_set: int) -> str:
        return str(self.store.value("SELECT state FROM chunk_set WHERE id = ?", (chunk_set,)))

    def config_state(self, config: int) -> str:
        return str(self.store.value("SELECT state FROM config WHERE id = ?", (config,)))

    def count_stages(self) -> None:
        """Bring the stages' progress up to date, inside `write()`."""
        for stage, (done, total) in _progress(self).items():
            set_stage(self.store, self.run, stage, done, total)


_LOST = "('failed', 'unavailable', 'cancelled')"
_AFTER = {
    "embed": "('indexed', 'retrieving', 'retrieved', 'judged', 'finished')",
    "retrieve": "('retrieved', 'judged', 'finished')",
    "judge": "('judged', 'finished')",
}
_DURING = {"embed": "embedding", "retrieve": "retrieving", "judge": "retrieved"}


def _progress(context: RunContext) -> dict[str, tuple[float, float]]:
    """Done and total of each stage: documents chunked, then configurations."""
    store, run = context.store, context.run
    row = store.row(
        f"SELECT count(*), coalesce(sum(documents), 0) FROM chunk_set"  # noqa: S608 - constants
        f" WHERE run = ? AND state NOT IN {_LOST}",
        (run,),
    )
    assert row is not None
    progress: dict[str, tuple[float, float]] = {"chunk": (row[1], row[0] * len(context.documents))}
    total = store.value(
        f"SELECT count(*) FROM config WHERE run = ? AND state NOT IN {_LOST}",  # noqa: S608
        (run,),
    )
    for stage, after in _AFTER.items():
        whole = store.value(
            f"SELECT count(*) FROM config WHERE run = ? AND state IN {after}",  # noqa: S608
            (run,),
        )
        part = store.value(
            "SELECT coalesce(sum(1.0 * done / total), 0) FROM config"
            " WHERE run = ? AND state = ? AND total > 0",
            (run, _DURING[stage]),
        )
        progress[stage] = (whole + part, total)
    return progress


@contextmanager
def open_context(store: Store, run: int, settings: Settings) -> Iterator[RunContext]:
    """The context of a run; its vector cache is closed at the end."""
    row: Any = run_of(store, run)
    base = store.path.parent
    context = RunContext(
        store=store,
        run=run,
        settings=settings,
        documents=documents_of(store, row.corpus),
        questions=list(questions_of(store, row.question_set)),
        cache=VectorCache(cache_path(store.path)),
        folder=base / f"{store.path.stem}-indexes" / f"run-{run}",
    )
    try:
        yield context
    finally:
        context.cache.close()


def cache_path(store: Path) -> Path:
    """The vector cache beside a database; it may be deleted at any time."""
    return store.parent / f"{store.stem}-vectors.db"


def answers_path(store: Path) -> Path:
    """The cache of a language model's answers beside a database; it may be deleted likewise."""
    return store.parent / f"{store.stem}-answers.db"
