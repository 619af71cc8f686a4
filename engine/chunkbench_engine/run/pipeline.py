"""The stages of a run, joined by bounded queues."""

from __future__ import annotations

import asyncio
import traceback
from typing import TYPE_CHECKING

from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.run.chunk_stage import chunk_stage
from chunkbench_engine.run.diagnosis import diagnose_configuration, finish_without_questions
from chunkbench_engine.run.index_stage import Configuration, index_configuration, is_whole
from chunkbench_engine.run.judge_stage import (
    judge_configuration,
    measure_configuration,
    take_up_measured,
)
from chunkbench_engine.run.judging import prepare_judging, take_up_judge
from chunkbench_engine.run.retrieve_stage import (
    Queries,
    embed_questions,
    plain_questions,
    retrieve_configuration,
)
from chunkbench_engine.run.text_judging import tell_judged
from chunkbench_store.results import set_config_state
from chunkbench_store.runs import note_model

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from chunkbench_engine.embedders.cached import CachedEmbedder
    from chunkbench_engine.embedders.reranker import Reranker
    from chunkbench_engine.run.context import RunContext

QUEUE = 64
"""Configurations that may wait between two stages; each is only a number."""


_CONFIGURATIONS = """
SELECT config.id, chunk_set, label, model, retrieval
FROM config JOIN chunk_set ON chunk_set.id = config.chunk_set
WHERE config.run = ?"""


class _Missing(Exception):  # noqa: N818
    """A model that a configuration needs cannot be loaded; says why, and what to do."""


class Pipeline:
    """One pass over everything of a run that is not finished."""

    def __init__(self, context: RunContext) -> None:
        self.context = context
        self.judging = prepare_judging(context)
        self.embedders: dict[str, CachedEmbedder] = {}
        self.queries: dict[str, Queries] = {}
        self.reranker: Reranker | None = None
        self.under_way = 0
        """Configurations between the first queue and the end."""
        self.to_retrieve: asyncio.Queue[Configuration | None] = asyncio.Queue(QUEUE)
        self.to_judge: asyncio.Queue[Configuration | None] = asyncio.Queue(QUEUE)

    async def run(self) -> None:
        models = [
            row[0]
            for row in self.context.store.rows(
                "SELECT DISTINCT model FROM config WHERE run = ? ORDER BY id", (self.context.run,)
            )
        ]
        queues = {model: asyncio.Queue[Configuration | None](QUEUE) for model in models}

        async def chunked(chunk_set: int) -> None:
            for configuration in self._configurations("chunk_set = ?", chunk_set):
                self.under_way += 1
                await queues[configuration.model].put(configuration)

        async def chunk() -> None:
            async for chunk_sets in self._joining():
                await chunk_stage(self.context, chunk_sets, chunked)
            for queue in queues.values():
                await queue.put(None)

        async def index() -> None:
            async with asyncio.TaskGroup() as group:
                for queue in queues.values():
                    group.create_task(self._drain(queue, self._index))
            await self.to_retrieve.put(None)

        async def retrieve() -> None:
            await self._drain(self.to_retrieve, self._retrieve)
            await self.to_judge.put(None)

        try:
            if not self.context.settings.diagnose:
                await take_up_judge(self.context, self.judging)
                await self._score_judged()
            async with asyncio.TaskGroup() as group:
                group.create_task(chunk())
                group.create_task(index())
                group.create_task(retrieve())
                group.create_task(self._drain(self.to_judge, self._judge))
            tell_judged(self.context, self.judging)
        finally:
            await self.judging.close()

    async def _joining(self) -> AsyncIterator[list[tuple[int, str]]]:
        """The strategies to be chunked: those planned, then those added while any is under way."""
        seen: set[int] = set()
        while True:
            self.context.added.clear()
            found = [entry for entry in self._chunk_sets() if entry[0] not in seen]
            if found:
                seen.update(chunk_set for chunk_set, _ in found)
                yield found
            elif self.under_way:
                await self.context.added.wait()
            else:
                return

    def _leave(self) -> None:
        """A configuration goes no further."""
        self.under_way -= 1
        if not self.under_way:
            self.context.added.set()  # whoever waits for another sees that none is left

    async def _drain(
        self,
        queue: asyncio.Queue[Configuration | None],
        step: Callable[[Configuration], Awaitable[bool]],
    ) -> None:
        """Take configurations through a step until None comes; one that fails, fails alone.

        A step says whether it has handed the configuration on.
        """
        while (configuration := await queue.get()) is not None:
            goes_on = False
            try:
                goes_on = await step(configuration)
            except _Missing as error:
                with self.context.store.write():
                    set_config_state(
                        self.context.store, configuration.id, "unavailable", str(error)
                    )
                    self.context.count_stages()
            except Exception as error:
                traceback.print_exc()  # to the log of the run
                reason = sentence(error)
                with self.context.store.write():
                    if self.context.config_state(configuration.id) != "cancelled":
                        set_config_state(self.context.store, configuration.id, "failed", reason)
                        self.context.tell(
                            f"{configuration.label} with {configuration.experiment} failed: "
                            f"{reason}",
                            "error",
                        )
                        self.context.count_stages()
            if not goes_on:
                self._leave()

    def _chunk_sets(self) -> list[tuple[int, str]]:
        """Strategies to be chunked; those that wait for sentence vectors come late, and those that
        wait for a language model last, so that the first results are there at once."""
        rows = [
            (row[0], row[1])
            for row in self.context.store.rows(
                "SELECT id, label FROM chunk_set WHERE run = ? AND state IN"
                " ('waiting', 'running', 'done') ORDER BY position",
                (self.context.run,),
            )
        ]

        def slowness(row: tuple[int, str]) -> tuple[bool, bool]:
            configured = parse_spec(row[1])
            return configured.needs_language_model, configured.needs_vectors

        return sorted(rows, key=slowness)

    def _configurations(self, where: str, *parameters: object) -> Iterator[Configuration]:
        for row in self.context.store.rows(
            f"{_CONFIGURATIONS} AND {where} ORDER BY position, config.id",
            (self.context.run, *parameters),
        ):
            yield Configuration(*row)

    async def _score_judged(self) -> None:
        """Take up what an earlier worker has finished: the pool needs its grades."""
        for configuration in list(self._configurations("config.state = 'finished'")):
            take_up_measured(self.context, configuration, self.judging)
        for configuration in list(self._configurations("config.state = 'judged'")):
            await measure_configuration(self.context, configuration, self.judging)

    async def _index(self, configuration: Configuration) -> bool:
        state = self.context.config_state(configuration.id)
        if state in ("waiting", "indexed"):
            embedder = await self._embedder(configuration)
            if state == "waiting" or not is_whole(self.context, configuration, embedder):
                await index_configuration(self.context, configuration, embedder)
            if self.context.config_state(configuration.id) == "indexed":
                await diagnose_configuration(self.context, configuration, embedder)
        if self.context.settings.diagnose:
            if self.context.config_state(configuration.id) == "indexed":
                finish_without_questions(self.context, configuration)
            return False
        if self.context.config_state(configuration.id) not in ("indexed", "retrieved"):
            return False
        await self.to_retrieve.put(configuration)
        return True

    async def _embedder(self, configuration: Configuration) -> CachedEmbedder | None:
        """The model of a configuration, loaded once; None where it needs none."""
        if not configuration.needs_vectors:
            return None
        model = configuration.model
        if model not in self.embedders:
            from chunkbench_engine.embedders.cached import CachedEmbedder
            from chunkbench_engine.embedders.registry import load_embedder

            try:
                # A unit, since loading a model would disturb the timing of another's queries.
                async with self.context.unit("embed"):
                    loaded = await asyncio.to_thread(load_embedder, model)
            except (BadInput, Unavailable) as error:
                raise _Missing(str(error)) from error
            self._note_model(model, loaded.id)
            self.embedders[model] = CachedEmbedder(loaded, self.context.cache)
        return self.embedders[model]

    def _note_model(self, name: str, identity: str) -> None:
        """Write into the manifest which weights go by that name here."""
        with self.context.store.write():
            note_model(self.context.store, self.context.run, name, identity)

    async def _queries(self, configuration: Configuration) -> Queries:
        """The questions as the configuration's model embeds them, embedded once."""
        model = configuration.model
        if model not in self.queries:
            embedder = await self._embedder(configuration)
            self.queries[model] = (
                plain_questions(self.context)
                if embedder is None
                else await embed_questions(self.context, embedder)
            )
        return self.queries[model]

    async def _reranker(self, configuration: Configuration) -> Reranker | None:
        """The reranker of the run, loaded once; None where the configuration needs none."""
        if configuration.retrieval != "rerank":
            return None
        if self.reranker is None:
            from chunkbench_engine.embedders.reranker import load_reranker

            try:
                self.reranker = await asyncio.to_thread(
                    load_reranker, self.context.settings.reranker
                )
            except (BadInput, Unavailable) as error:
                raise _Missing(str(error)) from error
            self._note_model(self.context.settings.reranker, self.reranker.id)
        return self.reranker

    async def _retrieve(self, configuration: Configuration) -> bool:
        if self.context.config_state(configuration.id) == "indexed":
            queries = await self._queries(configuration)
            reranker = await self._reranker(configuration)
            await retrieve_configuration(self.context, configuration, queries, reranker)
        if self.context.config_state(configuration.id) != "retrieved":
            return False
        await self.to_judge.put(configuration)
        return True

    async def _judge(self, configuration: Configuration) -> bool:
        await judge_configuration(self.context, configuration, self.judging)
        if self.context.config_state(configuration.id) == "judged":
            await measure_configuration(self.context, configuration, self.judging)
        return False


def sentence(error: BaseException) -> str:
    """What an error says to a person; of a group, what its first error says."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, BadInput | Unavailable):
        return str(error)
    return f"{type(error).__name__}: {error}"
