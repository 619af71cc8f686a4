"""Stage three: the ranked list of every question, and how long it takes.

Everything else is kept still meanwhile, and by default one query is under way at a time. The first
pass over the questions gives the hits and warms the index up; the passes after it are timed. A
question's embedding does not depend on the strategy, so it is timed once a model, with as many
questions under way as there are searches; a query's latency is the sum of both. A search is all
that follows: finding the question's words, fusion and reranking too.

A late strategy's passages are made of the units that the retrieval found, whichever it is, and a
passage has the score (cosine, BM25, fused, or the reranker's) of its best unit. So units are
fused and reranked, not passages: a passage exists only once its units are chosen.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.chunkers.late import Unit, late_of, materialise
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.index.lexical import open_lexical
from chunkbench_engine.index.retrieve import Query, dense, hybrid, lexical, reranked
from chunkbench_engine.run.budget import Cutter, spend
from chunkbench_engine.run.concurrently import time_concurrently
from chunkbench_engine.run.index_stage import (
    drop_indexes,
    indexed_texts,
    lexical_folder,
    open_collection,
)
from chunkbench_store.results import (
    HitRow,
    advance_config,
    chunks_of,
    put_hits,
    put_latencies,
    retrieved_questions,
    set_config_progress,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from chunkbench_engine.chunkers.late import Late
    from chunkbench_engine.embedders.cached import CachedEmbedder
    from chunkbench_engine.embedders.reranker import Reranker
    from chunkbench_engine.index.retrieve import Retriever
    from chunkbench_engine.run.context import RunContext
    from chunkbench_engine.run.index_stage import Configuration
    from chunkbench_store.results import ChunkRow


@dataclass(frozen=True, slots=True)
class Queries:
    """The questions as vectors, `(questions, dimensions)`, and their timed embeddings in seconds,
    `(passes, questions)`."""

    values: NDArray[np.float32]
    seconds: NDArray[np.float64]


def plain_questions(context: RunContext) -> Queries:
    """The questions for a retrieval without an embedding model: no dimensions, and no seconds."""
    count = len(context.questions)
    return Queries(np.zeros((count, 0), np.float32), np.zeros((context.settings.repeat, count)))


async def embed_questions(context: RunContext, embedder: CachedEmbedder) -> Queries:
    """Embed every question, past the cache: this is a measurement."""

    def measure() -> Queries:
        texts = [question.text for question in context.questions]
        values = [embedder.uncached.embed([text])[0] for text in texts]  # the warm-up
        seconds = np.zeros((context.settings.repeat, len(texts)))
        # A model takes one question at a time; with several under way, the others wait in line.
        model = Lock()

        def embed(column: int) -> None:
            with model:
                embedder.uncached.embed([texts[column]])

        for row in seconds:
            time_concurrently(embed, row, context.settings.concurrency)
        return Queries(np.array(values, dtype=np.float32), seconds)

    async with context.unit("retrieve", alone=True):
        return await asyncio.to_thread(measure)


@contextmanager
def _open_retriever(
    context: RunContext,
    configuration: Configuration,
    dimensions: int,
    reranker: Reranker | None,
) -> Iterator[Retriever]:
    """The configuration's retrieval over its indexes, which are closed at the end."""
    with ExitStack() as stack:
        found: list[Retriever] = []
        if configuration.needs_vectors:
            index = open_collection(context, configuration, dimensions)
            stack.callback(index.close)
            found.append(dense(index))
        if configuration.needs_words:
            words = open_lexical(lexical_folder(context, configuration))
            if words is None:
                raise FileNotFoundError(f"{lexical_folder(context, configuration)} is gone")
            found.append(lexical(words))
        retriever = hybrid(*found) if len(found) == 2 else found[0]
        if reranker is not None:
            # In memory, as a retriever has the texts at hand: the search alone is to be timed.
            texts = indexed_texts(context, chunks_of(context.store, configuration.chunk_set))

            def texts_of(ordinals: Sequence[int]) -> list[str]:
                return [texts[ordinal] for ordinal in ordinals]

            retriever = reranked(retriever, reranker, texts_of)
        yield retriever


async def retrieve_configuration(
    context: RunContext,
    configuration: Configuration,
    queries: Queries,
    reranker: Reranker | None = None,
) -> None:
    """Retrieve for every question that has no hits yet, then time all of them."""
    store = context.store
    late = late_of(parse_spec(configuration.label).strategy)
    total = len(context.questions)
    with store.write():
        if not advance_config(store, configuration.id, "retrieving"):
            return  # cancelled while the questions were embedded
        set_config_progress(store, configuration.id, 0, total)
    asked = [
        Query(question.text, vector)
        for question, vector in zip(context.questions, queries.values, strict=True)
    ]
    dimensions = queries.values.shape[1]
    with _open_retriever(context, configuration, dimensions, reranker) as retriever:
        search = _Search(context, configuration, retriever, late)
        async with context.unit("retrieve", alone=True):
            if context.config_state(configuration.id) != "retrieving":
                return  # cancelled while it waited
            finished = retrieved_questions(store, configuration.id)
            for number, (question, query) in enumerate(
                zip(context.questions, asked, strict=True), start=1
            ):
                hits = await asyncio.to_thread(search.hits, query)
                if question.id not in finished:
                    with store.write():
                        put_hits(
                            store, configuration.id, question.id, search.rows(question.id, hits)
                        )
                        set_config_progress(store, configuration.id, number, total)
            seconds = np.zeros_like(queries.seconds)
            for row in seconds:
                done = 0
                while done < len(asked):
                    done = await asyncio.to_thread(
                        time_concurrently,
                        lambda number: search.hits(asked[number]),
                        row,
                        context.settings.concurrency,
                        first=done,
                        limit=1.0,
                    )
    with store.write():
        put_latencies(store, configuration.id, _latency_rows(context, queries, seconds))
        advance_config(store, configuration.id, "retrieved")
        context.count_stages()
    # Its vectors are in the cache: the indexes can be made again whenever they are wanted.
    drop_indexes(context, configuration)


def _latency_rows(
    context: RunContext, queries: Queries, seconds: NDArray[np.float64]
) -> list[tuple[int, int, float, float]]:
    return [
        (
            question.id,
            number,
            float(queries.seconds[number, column]),
            float(seconds[number, column]),
        )
        for number in range(len(seconds))
        for column, question in enumerate(context.questions)
    ]


@dataclass(frozen=True, slots=True)
class _Hit:
    """A passage as the search returns it: a chunk by its ordinal, or a materialised span.

    `tokens` are those handed on, fewer than it has if it is `cut`; 0 while nobody asks for them.
    """

    score: float
    ordinal: int
    span: tuple[int, int, int] | None = None
    tokens: int = 0
    cut: bool = False


class _Search:
    """From a question to a ranked list of passages, as a user's retriever would."""

    def __init__(
        self,
        context: RunContext,
        configuration: Configuration,
        retriever: Retriever,
        late: Late | None,
    ) -> None:
        self._context = context
        self._configuration = configuration
        self._retrieve = retriever
        self._k = context.settings.k
        self._budget = context.settings.budget
        self._depths: dict[str, int] = {}
        self._lengths = _lengths(context, configuration) if self._budget else []
        self._cutter = Cutter(context.text)
        self._late = late if late is not None and late.materialise else None
        # Late chunking builds passages at query time, so it needs the units' places then.
        self._units = (
            chunks_of(context.store, configuration.chunk_set) if self._late is not None else []
        )
        documents = context.documents if self._late is not None else []
        self._texts = {row.name: context.text(row.id) for row in documents}
        self._names = {row.id: row.name for row in documents}
        self._ids = {row.name: row.id for row in documents}

    def hits(self, query: Query) -> list[_Hit]:
        if not self._budget:
            return self._top(query, self._k)[0]
        # As deep as a usual passage needs, then twice that, until the budget is spent. What that
        # took is kept, so that the timed passes ask once, as a retriever would that knows it.
        usual = -(-self._budget * len(self._lengths) // max(sum(self._lengths), 1))
        depth = self._depths.get(query.text, usual)
        while True:
            hits, is_all = self._top(query, depth)
            spent = spend((hit.tokens for hit in hits), self._budget)
            if is_all or sum(spent) == self._budget:
                break
            depth *= 2
        self._depths[query.text] = depth
        within = hits[: len(spent)]
        if within and spent[-1] < within[-1].tokens:
            within[-1] = replace(within[-1], tokens=spent[-1], cut=True)
        return within

    def _top(self, query: Query, depth: int) -> tuple[list[_Hit], bool]:
        """The first `depth` passages, and whether there are no more."""
        if self._late is None:
            ranked = self._retrieve(query, depth)
            lengths = self._lengths
            return [
                _Hit(score, ordinal, tokens=lengths[ordinal] if lengths else 0)
                for ordinal, score in ranked
            ], len(ranked) < depth
        found = self._retrieve(query, self._late.fetch * depth)
        units = []
        for ordinal, score in found:
            row = self._units[ordinal]
            name = self._names[row.document]
            units.append(Unit(name, row.start, row.end, row.tokens, score))
        passages = materialise(units, self._texts, depth, self._late.max_tokens)
        return [
            _Hit(p.score, -1, (self._ids[p.document], p.start, p.end), p.tokens) for p in passages
        ], len(found) < self._late.fetch * depth

    def rows(self, question: int, hits: list[_Hit]) -> list[HitRow]:
        """The hits as they are stored."""
        rows = []
        for rank, hit in enumerate(hits, start=1):
            if hit.span is not None:
                document, start, end = hit.span
                judged_end = self._judged_end(hit, document, start, end)
                rows.append(
                    HitRow(
                        question,
                        rank,
                        document,
                        start,
                        end,
                        start,
                        judged_end,
                        hit.tokens,
                        hit.score,
                    )
                )
                continue
            chunk = self._chunk(hit.ordinal)
            start, end = chunk.start, chunk.end
            if chunk.context_start is not None and chunk.context_end is not None:
                start, end = chunk.context_start, chunk.context_end
            rows.append(
                HitRow(
                    question,
                    rank,
                    chunk.document,
                    chunk.start,
                    chunk.end,
                    start,
                    self._judged_end(hit, chunk.document, start, end),
                    hit.tokens if hit.cut else chunk.context_tokens,
                    hit.score,
                )
            )
        return rows

    def _judged_end(self, hit: _Hit, document: int, start: int, end: int) -> int:
        """Where what the reader is given ends."""
        return min(end, self._cutter.end(document, start, hit.tokens)) if hit.cut else end

    def _chunk(self, ordinal: int) -> ChunkRow:
        return chunks_of(self._context.store, self._configuration.chunk_set, ordinal, 1)[0]


def _lengths(context: RunContext, configuration: Configuration) -> list[int]:
    """Tokens that each chunk hands on, by ordinal."""
    return [
        row[0]
        for row in context.store.rows(
            "SELECT context_tokens FROM chunk WHERE chunk_set = ? ORDER BY ordinal",
            (configuration.chunk_set,),
        )
    ]
