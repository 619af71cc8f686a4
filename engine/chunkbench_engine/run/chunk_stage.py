"""Stage one: every strategy over every document."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import json
from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING

from chunkbench_engine.chunkers.remarks import remarks_of
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.documents.document import Document
from chunkbench_engine.errors import Unavailable
from chunkbench_engine.run.chunking import ChunkingProcess
from chunkbench_engine.run.context import answers_path, cache_path
from chunkbench_engine.run.diagnosis import structure_rows
from chunkbench_store.diagnosis import put_findings
from chunkbench_store.results import (
    ChunkRow,
    Metering,
    chunked_documents,
    put_chunk_unit,
    put_samples,
    set_chunk_set_state,
)
from chunkbench_store.runs import note_model

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from chunkbench_engine.run.chunking import Applied
    from chunkbench_engine.run.context import RunContext
    from chunkbench_store.corpora import DocumentRow

BATCH_CHARACTERS = 16_000_000
"""Documents annotated together: bounds the memory of the chunking process."""


async def chunk_stage(
    context: RunContext, chunk_sets: list[tuple[int, str]], done: Callable[[int], Awaitable[None]]
) -> None:
    """Chunk the corpus with each strategy (id and label); `done` is told of each as it ends."""
    process = _open_process(context)
    # A process of its own, which never makes anything that the next strategy could share.
    alone = _open_process(context) if context.settings.cold else None
    try:
        batches = list(_batches(context.documents))
        for number, batch in enumerate(batches):
            todo = [entry for entry in chunk_sets if _wanted(context, entry[0], batch)]
            if todo:
                texts = [Document(row.name, context.text(row.id)) for row in batch]
                for opened in filter(None, (process, alone)):
                    await asyncio.to_thread(opened.load, texts)
            for chunk_set, label in chunk_sets:
                if (chunk_set, label) in todo and not await _chunk_portions(
                    context, process, alone, chunk_set, label, batch
                ):
                    continue
                if number == len(batches) - 1 and _finish(context, chunk_set, label):
                    await done(chunk_set)
    finally:
        for opened in filter(None, (process, alone)):
            opened.close()


def _open_process(context: RunContext) -> ChunkingProcess:
    return ChunkingProcess(
        cache_path(context.store.path),
        context.settings.chunker_model,
        context.settings.document_seconds,
        context.settings.folder,
        answers_path(context.store.path),
        context.settings.language_model,
        context.settings.ollama,
    )


def _batches(documents: list[DocumentRow]) -> Iterator[list[DocumentRow]]:
    batch: list[DocumentRow] = []
    size = 0
    for document in documents:
        if batch and size + document.characters > BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
        batch.append(document)
        size += document.characters
    if batch:
        yield batch


def _wanted(context: RunContext, chunk_set: int, batch: list[DocumentRow]) -> bool:
    finished = chunked_documents(context.store, chunk_set)
    return context.chunk_set_state(chunk_set) in ("waiting", "running") and any(
        document.id not in finished for document in batch
    )


async def _chunk_portions(
    context: RunContext,
    process: ChunkingProcess,
    alone: ChunkingProcess | None,
    chunk_set: int,
    label: str,
    batch: list[DocumentRow],
) -> bool:
    """Chunk a batch as a whole, but with a language model, which is slow, document by document.

    Other stages measure between units, and what is finished is kept.
    """
    slow = parse_spec(label).needs_language_model
    for portion in ([document] for document in batch) if slow else (batch,):
        if not await _chunk_batch(context, process, alone, chunk_set, label, portion):
            return False
    return True


async def _chunk_batch(
    context: RunContext,
    process: ChunkingProcess,
    alone: ChunkingProcess | None,
    chunk_set: int,
    label: str,
    batch: list[DocumentRow],
) -> bool:
    """Chunk the documents of a batch that are not yet done; whether the strategy may go on."""
    async with context.unit("chunk", alone=alone is not None):
        if context.chunk_set_state(chunk_set) not in ("waiting", "running"):
            return False  # cancelled while it waited
        with context.store.write():
            set_chunk_set_state(context.store, chunk_set, "running")
        finished = chunked_documents(context.store, chunk_set)
        names = [document.name for document in batch if document.id not in finished]
        if not names:
            return True
        try:
            applied = await asyncio.to_thread(process.apply, label, names)
            cold = await asyncio.to_thread(alone.alone, label, names) if alone is not None else ()
        except Unavailable as error:
            with context.store.write():
                set_chunk_set_state(context.store, chunk_set, "unavailable", str(error))
                context.tell(f"{label} is unavailable: {error}", "warning")
                context.count_stages()
            return False
        _keep(context, chunk_set, label, applied, cold, {row.name: row.id for row in batch})
    return not applied.metered.failure


def _keep(
    context: RunContext,
    chunk_set: int,
    label: str,
    applied: Applied,
    cold: Sequence[float],
    ids: dict[str, int],
) -> None:
    metered = applied.metered
    store = context.store
    ordinal = store.value("SELECT chunks FROM chunk_set WHERE id = ?", (chunk_set,))
    for chunked, alone in zip_longest(applied.documents, cold[: len(applied.documents)]):
        document = ids[chunked.document]
        rows = []
        for chunk, tokens, context_tokens in zip(
            chunked.chunks, chunked.tokens, chunked.context_tokens, strict=True
        ):
            outer = chunk.context or (None, None)
            rows.append(
                ChunkRow(
                    ordinal,
                    document,
                    chunk.start,
                    chunk.end,
                    outer[0],
                    outer[1],
                    chunk.prefix,
                    tokens,
                    context_tokens,
                )
            )
            ordinal += 1
        metering = Metering(
            chunked.seconds.own,
            chunked.seconds.charged,
            chunked.seconds.paid,
            metered.base_rss,
            metered.peak_rss,
            metered.kernel_peak_rss,
            {
                **dataclasses.asdict(chunked.structure.cuts),
                "remarks": chunked.remarks,
                "found": chunked.structure.counts,
            },
            alone,
        )
        findings = structure_rows(document, context.text(document), chunked.structure)
        with store.write():
            put_chunk_unit(store, chunk_set, document, rows, metering)
            put_findings(store, chunk_set, "", findings)
            context.count_stages()
    with store.write():
        put_samples(store, chunk_set, metered.samples)
        if applied.model:
            note_model(store, context.run, context.settings.chunker_model, applied.model)
        if metered.failure:
            set_chunk_set_state(store, chunk_set, "failed", metered.failure)
            context.tell(f"{label} failed: {metered.failure}", "error")
            context.count_stages()


def _finish(context: RunContext, chunk_set: int, label: str) -> bool:
    """Close a chunk set whose every document is done; whether it has any chunk to go on with."""
    store = context.store
    state = context.chunk_set_state(chunk_set)
    # A worker killed between the last document and this leaves it waiting with nothing to do.
    if state not in ("waiting", "running"):
        return state == "done"
    if len(chunked_documents(store, chunk_set)) < len(context.documents):
        return False
    digest = hashlib.sha256()
    count = 0
    for row in store.rows(
        'SELECT document, start, "end", context_start, context_end, prefix FROM chunk'
        " WHERE chunk_set = ? ORDER BY ordinal",
        (chunk_set,),
    ):
        digest.update(repr(tuple(row)).encode())
        count += 1
    with store.write():
        if count:
            set_chunk_set_state(store, chunk_set, "done", digest=digest.hexdigest())
            for remark in remarks_of(parse_spec(label).strategy, _remarks(context, chunk_set)):
                context.tell(f"{label}: {remark}", "warning")
        else:
            set_chunk_set_state(
                store, chunk_set, "failed", "it returned no chunk for any of the documents"
            )
        context.count_stages()
    return bool(count)


def _remarks(context: RunContext, chunk_set: int) -> Counter[str]:
    """What the strategy counted, over all documents."""
    counts: Counter[str] = Counter()
    for (diagnostics,) in context.store.rows(
        "SELECT diagnostics FROM chunk_unit WHERE chunk_set = ?", (chunk_set,)
    ):
        counts.update(json.loads(diagnostics)["remarks"])
    return counts
