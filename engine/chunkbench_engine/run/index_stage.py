"""Stage two: the chunks of a configuration become vectors in a collection of their own."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkbench_engine.chunkers.late import late_of
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.index.open import drop_index, open_index
from chunkbench_store.results import (
    IndexCost,
    chunks_of,
    set_config_progress,
    set_config_state,
    set_index_cost,
)

if TYPE_CHECKING:
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
    """A chunk set under one embedding model, by its ids in the store."""

    id: int
    chunk_set: int
    label: str
    model: str


def collection(context: RunContext, configuration: Configuration) -> str:
    """Name of the configuration's own collection."""
    return f"chunkbench-run{context.run}-config{configuration.id}"


def open_collection(context: RunContext, configuration: Configuration, dimensions: int) -> Index:
    return open_index(
        context.folder,
        collection(context, configuration),
        dimensions,
        url=context.settings.qdrant or None,
    )


def drop_collection(context: RunContext, configuration: Configuration) -> None:
    drop_index(
        context.folder, collection(context, configuration), url=context.settings.qdrant or None
    )


async def index_configuration(
    context: RunContext, configuration: Configuration, embedder: CachedEmbedder
) -> None:
    """Embed every chunk and fill the index.

    Vectors come from the cache where they are known, so that a second start embeds nothing
    twice; a collection left half full is made anew.
    """
    store = context.store
    late = late_of(parse_spec(configuration.label).strategy)
    pooled = late is not None and late.pooling and embedder.contextual
    total = store.value("SELECT chunks FROM chunk_set WHERE id = ?", (configuration.chunk_set,))
    with store.write():
        set_config_state(store, configuration.id, "embedding")
        set_config_progress(store, configuration.id, 0, total)
    drop_collection(context, configuration)
    index = open_collection(context, configuration, embedder.dimensions)
    embed_seconds = upsert_seconds = 0.0
    over_window = done = 0
    try:
        while done < total:
            async with context.unit("embed"):
                if context.config_state(configuration.id) != "embedding":
                    return  # cancelled while it waited
                rows = (
                    _rest_of_document(context, configuration.chunk_set, done)
                    if pooled
                    else chunks_of(store, configuration.chunk_set, done, BATCH)
                )
                texts = _texts(context, rows)
                if pooled:
                    text = context.text(rows[0].document)
                    spans = [(row.start, row.end) for row in rows]
                    vectors = await asyncio.to_thread(embedder.embed_spans_costed, text, spans)
                else:
                    vectors = await asyncio.to_thread(embedder.embed_costed, texts)
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
    note = PLAIN_VECTORS if late is not None and late.pooling and not pooled else ""
    cost = IndexCost(embed_seconds, upsert_seconds, size, over_window)
    with store.write():
        set_index_cost(store, configuration.id, cost, note)
        set_config_state(store, configuration.id, "indexed")
        context.count_stages()


def _rest_of_document(context: RunContext, chunk_set: int, first: int) -> list[ChunkRow]:
    """The chunks from `first` on that lie in its document: late pooling goes by documents."""
    document = context.store.value(
        "SELECT document FROM chunk WHERE chunk_set = ? AND ordinal = ?", (chunk_set, first)
    )
    count = context.store.value(
        "SELECT chunks FROM chunk_unit WHERE chunk_set = ? AND document = ?", (chunk_set, document)
    )
    return chunks_of(context.store, chunk_set, first, count)


def _texts(context: RunContext, rows: list[ChunkRow]) -> list[str]:
    """What is embedded: the slice, after its prefix where it has one."""
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
