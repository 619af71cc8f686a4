"""Stage two: the chunks of a configuration become an index of their own.

Vectors go into a collection, words into a lexical index, whichever its retrieval needs.
"""

from __future__ import annotations

import asyncio
import hashlib
import platform
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.chunkers.late import late_of
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.index.lexical import LexicalBuilder, drop_lexical, open_lexical
from chunkbench_engine.index.open import drop_index, open_index
from chunkbench_store.experiments import experiment_name
from chunkbench_store.results import (
    IndexCost,
    advance_config,
    chunks_of,
    set_config_progress,
    set_index_cost,
)

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from chunkbench_engine.embedders.cached import CachedEmbedder
    from chunkbench_engine.embedders.embedder import Vectors
    from chunkbench_engine.index.index import Index
    from chunkbench_engine.run.context import RunContext
    from chunkbench_store.results import ChunkRow

BATCH = 1024
"""Chunks embedded and put into the index together: bounds memory, whatever the corpus."""

PLAIN_VECTORS = "late pooling needs a model with token vectors: plain vectors of the units are used"


@dataclass(frozen=True, slots=True)
class Configuration:
    """A chunk set under one embedding model and retrieval, by its ids in the store."""

    id: int
    chunk_set: int
    label: str
    model: str
    retrieval: str

    @property
    def experiment(self) -> str:
        return experiment_name(self.model, self.retrieval)

    @property
    def needs_vectors(self) -> bool:
        return self.retrieval != "lexical"

    @property
    def needs_words(self) -> bool:
        return self.retrieval in ("lexical", "hybrid")


def collection(context: RunContext, configuration: Configuration) -> str:
    """Name of the configuration's own collection, also on a server that others use."""
    owner = f"{platform.node()}{context.store.path.resolve()}"
    mark = hashlib.sha256(owner.encode()).hexdigest()[:8]
    return f"chunkbench-{mark}-run{context.run}-config{configuration.id}"


def open_collection(context: RunContext, configuration: Configuration, dimensions: int) -> Index:
    return open_index(
        context.folder,
        collection(context, configuration),
        dimensions,
        url=context.settings.qdrant or None,
    )


def lexical_folder(context: RunContext, configuration: Configuration) -> Path:
    """Where the configuration's lexical index lies: embedded, also beside a Qdrant server."""
    return context.folder / f"{collection(context, configuration)}-lexical"


def drop_indexes(context: RunContext, configuration: Configuration) -> None:
    if configuration.needs_vectors:
        url = context.settings.qdrant or None
        drop_index(context.folder, collection(context, configuration), url=url)
    if configuration.needs_words:
        drop_lexical(lexical_folder(context, configuration))


def is_whole(
    context: RunContext, configuration: Configuration, embedder: CachedEmbedder | None
) -> bool:
    """Whether the indexes that an earlier worker filled are still there with every chunk."""
    chunks = _chunks(context, configuration)
    if configuration.needs_words:
        words = open_lexical(lexical_folder(context, configuration))
        if words is None or words.count() != chunks:
            return False
    if embedder is None:
        return True
    index = open_collection(context, configuration, embedder.dimensions)
    try:
        return index.count() == chunks
    finally:
        index.close()


async def index_configuration(
    context: RunContext, configuration: Configuration, embedder: CachedEmbedder | None
) -> None:
    """Fill the indexes that the configuration's retrieval needs; one left half full is made anew.

    Args:
        embedder: None where the retrieval needs no vectors.
    """
    store = context.store
    with store.write():
        if not advance_config(store, configuration.id, "embedding"):
            return  # cancelled while its model was loaded
    drop_indexes(context, configuration)
    vectors = IndexCost(0.0, 0.0, 0, 0)
    words = 0.0, 0
    note = ""
    if embedder is not None:
        filled = await _index_vectors(context, configuration, embedder)
        if filled is None:
            return
        vectors, note = filled
    if configuration.needs_words:
        indexed = await _index_words(context, configuration)
        if indexed is None:
            return
        words = indexed
    cost = IndexCost(
        vectors.embed_seconds,
        vectors.upsert_seconds + words[0],
        vectors.size + words[1],
        vectors.over_window,
    )
    with store.write():
        set_index_cost(store, configuration.id, cost, note)
        advance_config(store, configuration.id, "indexed")
        context.count_stages()


async def _index_vectors(
    context: RunContext, configuration: Configuration, embedder: CachedEmbedder
) -> tuple[IndexCost, str] | None:
    """Embed every chunk: what that cost, and what a reader should know of it; None if cancelled.

    Vectors come from the cache where they are known, so that a second start embeds nothing
    twice.
    """
    store = context.store
    wanted, pooled = _pooling(configuration, embedder)
    total = _chunks(context, configuration)
    index = open_collection(context, configuration, embedder.dimensions)
    embed_seconds = upsert_seconds = 0.0
    over_window = done = 0
    try:
        while done < total:
            async with context.unit("embed"):
                if context.config_state(configuration.id) != "embedding":
                    return None  # cancelled while it waited
                rows = _next_rows(context, configuration.chunk_set, done, pooled)
                texts = indexed_texts(context, rows)
                vectors = await embed_rows(context, embedder, rows, texts, pooled)
                embed_seconds += vectors.seconds
                over_window += await asyncio.to_thread(_over_window, embedder, texts)
                upsert_seconds += await asyncio.to_thread(_upsert, index, vectors, rows)
                done += len(rows)
                with store.write():
                    set_config_progress(store, configuration.id, done, total)
                    context.count_stages()
        size = index.size_bytes()
    finally:
        index.close()
    note = PLAIN_VECTORS if wanted and not pooled else ""
    return IndexCost(embed_seconds, upsert_seconds, size, over_window), note


def _pooling(configuration: Configuration, embedder: CachedEmbedder) -> tuple[bool, bool]:
    """Whether the strategy wants late pooling, and whether it gets it."""
    late = late_of(parse_spec(configuration.label).strategy)
    wanted = late is not None and late.pooling
    return wanted, wanted and embedder.contextual


def _next_rows(context: RunContext, chunk_set: int, done: int, pooled: bool) -> list[ChunkRow]:
    if pooled:
        return _rest_of_document(context, chunk_set, done)
    return chunks_of(context.store, chunk_set, done, BATCH)


async def embed_rows(
    context: RunContext,
    embedder: CachedEmbedder,
    rows: list[ChunkRow],
    texts: list[str],
    pooled: bool,
) -> Vectors:
    """The vectors of chunks, as they are indexed; if pooled, of all chunks of one document."""
    if pooled:
        text = context.text(rows[0].document)
        spans = [(row.start, row.end) for row in rows]
        return await asyncio.to_thread(embedder.embed_spans_costed, text, spans)
    return await asyncio.to_thread(embedder.embed_costed, texts)


async def indexed_vectors(
    context: RunContext, configuration: Configuration, embedder: CachedEmbedder, wanted: set[int]
) -> NDArray[np.float32]:
    """The vectors that the index has of some of the chunks, in order; `(wanted, dimensions)`.

    They come from the cache, or are computed again where that is as quick.
    """
    _, pooled = _pooling(configuration, embedder)
    total, done = _chunks(context, configuration), 0
    parts = [np.empty((0, embedder.dimensions), np.float32)]
    while done < total:
        rows = _next_rows(context, configuration.chunk_set, done, pooled)
        done += len(rows)
        kept = [place for place, row in enumerate(rows) if row.ordinal in wanted]
        if not kept:
            continue
        if not pooled:
            rows, kept = [rows[place] for place in kept], list(range(len(kept)))
        texts = indexed_texts(context, rows)
        vectors = await embed_rows(context, embedder, rows, texts, pooled)
        parts.append(vectors.values[kept])
    return np.concatenate(parts)


async def _index_words(
    context: RunContext, configuration: Configuration
) -> tuple[float, int] | None:
    """Index the words of every chunk: seconds and bytes; None if it was cancelled.

    All of a chunk set go into one index at once: a worker that is killed meanwhile begins anew,
    which costs seconds.
    """
    store = context.store
    builder = LexicalBuilder()
    total = _chunks(context, configuration)
    seconds = 0.0
    for done in range(0, total, BATCH):
        async with context.unit("embed"):
            if context.config_state(configuration.id) != "embedding":
                return None  # cancelled while it waited
            rows = chunks_of(store, configuration.chunk_set, done, BATCH)
            begun = time.perf_counter()
            await asyncio.to_thread(builder.add, indexed_texts(context, rows))
            seconds += time.perf_counter() - begun
            if not configuration.needs_vectors:
                with store.write():
                    set_config_progress(store, configuration.id, done + len(rows), total)
                    context.count_stages()
    async with context.unit("embed"):
        context.folder.mkdir(parents=True, exist_ok=True)
        begun = time.perf_counter()
        index = await asyncio.to_thread(builder.write, lexical_folder(context, configuration))
        return seconds + time.perf_counter() - begun, index.size_bytes()


def _chunks(context: RunContext, configuration: Configuration) -> int:
    count: int = context.store.value(
        "SELECT chunks FROM chunk_set WHERE id = ?", (configuration.chunk_set,)
    )
    return count


def _rest_of_document(context: RunContext, chunk_set: int, first: int) -> list[ChunkRow]:
    """The chunks from `first` on that lie in its document: late pooling goes by documents."""
    document = context.store.value(
        "SELECT document FROM chunk WHERE chunk_set = ? AND ordinal = ?", (chunk_set, first)
    )
    count = context.store.value(
        "SELECT chunks FROM chunk_unit WHERE chunk_set = ? AND document = ?", (chunk_set, document)
    )
    return chunks_of(context.store, chunk_set, first, count)


def indexed_texts(context: RunContext, rows: list[ChunkRow]) -> list[str]:
    """What is embedded, or whose words are indexed: the slice, after its prefix if it has one."""
    texts = []
    document, text = -1, ""
    for row in rows:
        if row.document != document:
            document, text = row.document, context.text(row.document)
        piece = text[row.start : row.end]
        texts.append(f"{row.prefix}\n{piece}" if row.prefix else piece)
    return texts


def _over_window(embedder: CachedEmbedder, texts: list[str]) -> int:
    if embedder.window is None:
        return 0
    window = embedder.window
    return sum(length > window for length in embedder.count_tokens(texts))


def _upsert(index: Index, vectors: Vectors, rows: list[ChunkRow]) -> float:
    begun = time.perf_counter()
    index.upsert(
        vectors.values,
        [row.ordinal for row in rows],
        [{"document": row.document, "start": row.start, "end": row.end} for row in rows],
    )
    return time.perf_counter() - begun
