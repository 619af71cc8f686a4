"""From spans to chunks, by the rules that hold for every strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.annotate.paragraphs import trim
from chunkbench_engine.chunkers.chunk import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Span


def to_chunks(document: AnnotatedDocument, spans: Iterable[Span]) -> list[Chunk]:
    """Chunks of trimmed spans, without the empty and those inside an earlier one."""
    return tidy(
        Chunk(document.id, *trim(document.text, start, end)) for start, end in spans if start < end
    )


def to_windows(document: AnnotatedDocument, spans: Iterable[Span]) -> list[Chunk]:
    """Chunks of spans that are not trimmed, so that neighbours touch; none if all is blank."""
    if not document.text.strip():
        return []
    return tidy(Chunk(document.id, start, end) for start, end in spans)


def tidy(chunks: Iterable[Chunk]) -> list[Chunk]:
    """In order of start, then end, without the empty and those wholly inside their predecessor."""
    kept: list[Chunk] = []
    reached = -1
    for chunk in sorted(chunks, key=lambda chunk: chunk.span):
        if chunk.start < chunk.end and chunk.end > reached:
            kept.append(chunk)
            reached = chunk.end
    return kept


def windows(count: int, size: int, step: int) -> Iterator[Span]:
    """Ranges `[0, size), [step, step + size), …` of `count` things; the last reaches the end."""
    start = 0
    while start < count:
        yield start, min(start + size, count)
        if start + size >= count:
            return
        start += step


def groups(units: list[Span], size: int, overlap: int) -> Iterator[Span]:
    """Spans over `size` units each, from the first's start to the last's end."""
    for first, stop in windows(len(units), size, size - overlap):
        yield units[first][0], units[stop - 1][1]
