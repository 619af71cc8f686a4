"""After the index: what ails a configuration's chunks, with or without questions.

The chunks' structure was looked at where they were made, in the chunking process. Here its counts
are added up, copies are found, and each chunk's nearest chunks, which depend on the model.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkbench_engine.diagnose.duplicates import same
from chunkbench_engine.diagnose.neighbours import MOST_COMPARED
from chunkbench_engine.diagnose.vectors import neighbourhood
from chunkbench_engine.run.configuration_rows import chunk_rows
from chunkbench_engine.run.index_stage import (
    BATCH,
    drop_indexes,
    indexed_texts,
    indexed_vectors,
)
from chunkbench_store.diagnosis import (
    MOST_OF_A_KIND,
    FindingRow,
    is_diagnosed,
    put_diagnosis,
    put_findings,
)
from chunkbench_store.results import advance_config, chunks_of, put_measures

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chunkbench_engine.diagnose.structure import Structure
    from chunkbench_engine.embedders.cached import CachedEmbedder
    from chunkbench_engine.run.context import RunContext
    from chunkbench_engine.run.index_stage import Configuration


class _Seen(NamedTuple):
    """A finding before its place is known: chunks by their ordinals."""

    kind: str
    chunk: int
    value: float
    other: int | None = None


def structure_rows(document: int, text: str, structure: Structure) -> list[FindingRow]:
    """What was found of one document, as it is stored."""
    return [
        FindingRow(
            found.kind,
            document,
            *found.span,
            text.count("\n", 0, found.span[0]) + 1,
            found.chunk,
            found.value,
        )
        for found in structure.findings
    ]


async def diagnose_configuration(
    context: RunContext, configuration: Configuration, embedder: CachedEmbedder | None
) -> None:
    """Diagnose what is not yet: the chunk set, and what its vectors show under this model."""
    store, chunk_set = context.store, configuration.chunk_set
    vectors = embedder is not None and not is_diagnosed(store, chunk_set, configuration.model)
    if not vectors and is_diagnosed(store, chunk_set, ""):
        return
    async with context.unit("embed"):
        keys = await _keys(context, chunk_set)
        groups = same(keys)
        if not is_diagnosed(store, chunk_set, ""):
            _diagnose_chunks(context, chunk_set, groups)
        if vectors and embedder is not None:
            await _diagnose_vectors(context, configuration, embedder, len(keys), groups)


def finish_without_questions(context: RunContext, configuration: Configuration) -> None:
    """All that can be known of a configuration of a run without questions is known."""
    store = context.store
    with store.write():
        if advance_config(store, configuration.id, "finished"):
            rows = chunk_rows(context, configuration)
            put_measures(store, configuration.id, rows, provisional=False)
        context.count_stages()
    drop_indexes(context, configuration)


async def _keys(context: RunContext, chunk_set: int) -> list[bytes]:
    """A hash of what is embedded of each chunk, whatever white space is in it."""
    keys: list[bytes] = []
    while rows := chunks_of(context.store, chunk_set, len(keys), BATCH):
        texts = indexed_texts(context, rows)
        keys += await asyncio.to_thread(_hashed, texts)
    return keys


def _hashed(texts: Sequence[str]) -> list[bytes]:
    words = (" ".join(text.split()) for text in texts)
    return [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in words]


def _diagnose_chunks(context: RunContext, chunk_set: int, groups: list[list[int]]) -> None:
    """Add up what was counted document by document, and keep the copies."""
    store = context.store
    units = [
        json.loads(row[0])
        for row in store.rows(
            "SELECT diagnostics FROM chunk_unit WHERE chunk_set = ?", (chunk_set,)
        )
    ]
    counts: Counter[str] = Counter()
    for unit in units:
        counts.update({name: unit[name] for name in ("chunks", "tables", "fences")})
    if all("found" in unit for unit in units):  # an earlier version chunked some, and counted less
        for unit in units:
            counts.update(unit["found"])
    counts["duplicates"] = sum(map(len, groups))
    counts["tokens"] = store.value(
        "SELECT sum(tokens) FROM chunk WHERE chunk_set = ?", (chunk_set,)
    )
    seen = [_Seen("duplicates", group[0], len(group), group[1]) for group in groups]
    rows = _placed(context, chunk_set, seen[:MOST_OF_A_KIND])
    with store.write():
        put_findings(store, chunk_set, "", rows)
        put_diagnosis(store, chunk_set, "", counts)


async def _diagnose_vectors(
    context: RunContext,
    configuration: Configuration,
    embedder: CachedEmbedder,
    count: int,
    groups: list[list[int]],
) -> None:
    """Compare the vectors of all distinct texts, or of a sample of them."""
    store, k = context.store, context.settings.k
    copies = {ordinal for group in groups for ordinal in group[1:]}
    ordinals = [ordinal for ordinal in range(count) if ordinal not in copies]
    distinct = len(ordinals)
    if distinct > MOST_COMPARED:
        chosen = np.random.default_rng(context.settings.seed).choice(
            distinct, MOST_COMPARED, replace=False, shuffle=False
        )
        ordinals = [ordinals[place] for place in np.sort(chosen)]
    vectors = await indexed_vectors(context, configuration, embedder, set(ordinals))
    wanted = set(ordinals)
    places = np.array(
        [
            (row.document, row.start, row.end)
            for row in chunks_of(store, configuration.chunk_set)
            if row.ordinal in wanted
        ],
        dtype=np.int64,
    ).reshape(-1, 3)
    found = await asyncio.to_thread(neighbourhood, vectors, places, k)
    counts: dict[str, float] = {
        "compared": len(ordinals),
        "distinct": distinct,
        "near_duplicates": sum(map(len, found.near_duplicates)),
        "beyond_window": store.value(
            "SELECT over_window FROM config WHERE id = ?", (configuration.id,)
        ),
    }
    seen = [
        _Seen("near_duplicates", ordinals[group[0]], len(group), ordinals[group[1]])
        for group in found.near_duplicates[:MOST_OF_A_KIND]
    ]
    if found.hubs is not None and found.orphans is not None and found.skewness is not None:
        counts |= {
            "hubs": len(found.hubs),
            "orphans": len(found.orphans),
            "hub_skewness": found.skewness,
        }
        for kind, rows, values in (
            ("hubs", found.hubs, found.occurrences),
            ("orphans", found.orphans, found.nearest_cosine),
        ):
            seen += [
                _Seen(kind, ordinals[row], float(values[row]))
                for row in rows[:MOST_OF_A_KIND].tolist()
            ]
    if counts["beyond_window"]:
        seen += await _beyond_window(context, configuration.chunk_set, embedder)
    placed = _placed(context, configuration.chunk_set, seen)
    with store.write():
        put_findings(store, configuration.chunk_set, configuration.model, placed)
        put_diagnosis(store, configuration.chunk_set, configuration.model, counts)


async def _beyond_window(
    context: RunContext, chunk_set: int, embedder: CachedEmbedder
) -> list[_Seen]:
    """The chunks of which the model does not see the end, the longest first."""
    assert embedder.window is not None
    lengths: list[int] = []
    while rows := chunks_of(context.store, chunk_set, len(lengths), BATCH):
        texts = indexed_texts(context, rows)
        lengths += await asyncio.to_thread(embedder.count_tokens, texts)
    longest = sorted(range(len(lengths)), key=lambda ordinal: -lengths[ordinal])
    return [
        _Seen("beyond_window", ordinal, lengths[ordinal])
        for ordinal in longest[:MOST_OF_A_KIND]
        if lengths[ordinal] > embedder.window
    ]


def _placed(context: RunContext, chunk_set: int, seen: Sequence[_Seen]) -> list[FindingRow]:
    """Findings with the places of their chunks."""
    store = context.store
    first = {
        row[0]: row[1]
        for row in store.rows(
            "SELECT document, min(ordinal) FROM chunk WHERE chunk_set = ? GROUP BY document",
            (chunk_set,),
        )
    }
    needed = {entry.chunk for entry in seen} | {e.other for e in seen if e.other is not None}
    chunks = {ordinal: chunks_of(store, chunk_set, ordinal, 1)[0] for ordinal in needed}
    lines = _lines(context, {(row.document, row.start) for row in chunks.values()})
    rows = []
    for entry in seen:
        chunk = chunks[entry.chunk]
        other = None if entry.other is None else chunks[entry.other]
        rows.append(
            FindingRow(
                entry.kind,
                chunk.document,
                chunk.start,
                chunk.end,
                lines[chunk.document, chunk.start],
                chunk.ordinal - first[chunk.document] + 1,
                entry.value,
                None if other is None else other.document,
                None if other is None else lines[other.document, other.start],
            )
        )
    return rows


def _lines(context: RunContext, places: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """The line that each place, document and offset, is on; each text is read once."""
    lines = {}
    read, text = -1, ""
    for document, start in sorted(places):
        if document != read:
            read, text = document, context.text(document)
        lines[document, start] = text.count("\n", 0, start) + 1
    return lines
