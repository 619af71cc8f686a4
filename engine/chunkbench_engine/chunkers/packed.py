"""Windows and packed paragraphs as the heading-aware article measures them (F6C, PPC)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.annotate.paragraphs import trim
from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.fill import cut, fill
from chunkbench_engine.chunkers.lengths import Squeezed
from chunkbench_engine.chunkers.ranges import at_least
from chunkbench_engine.chunkers.spans import to_chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk, Span
    from chunkbench_engine.chunkers.lengths import Length

SOURCE = "the heading-aware article"

# The article's own ends, clauses that end in a semicolon included, and those of Chinese and
# Japanese, which no space follows.
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")


@dataclass(frozen=True)
class SixthOverlap:
    """Windows of `size` characters that share a sixth; a run of white space counts as one (F6C)."""

    annotations: ClassVar[tuple[str, ...]] = ()

    size: int = 600

    def __post_init__(self) -> None:
        at_least(1, size=self.size)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        start, end = trim(document.text, 0, len(document.text))
        if start == end:
            return []
        length = Squeezed(document.text)
        return to_chunks(document, cut(start, end, self.size, self.size // 6, length))


@dataclass(frozen=True)
class PackedParagraphs:
    """Paragraphs packed up to `size` characters; a run of white space counts as one (PPC).

    A longer paragraph is split at sentence and clause ends. As in the article, a sentence (or
    clause) is never cut: one that alone is longer is a chunk of its own.
    """

    annotations: ClassVar[tuple[str, ...]] = ("paragraphs",)

    size: int = 600

    def __post_init__(self) -> None:
        at_least(1, size=self.size)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        length = Squeezed(document.text)
        return to_chunks(document, pack(document.text, document.paragraphs, self.size, length))


def pack(text: str, paragraphs: Iterable[Span], size: int, length: Length) -> Iterator[Span]:
    """Spans over whole paragraphs, or whole sentences of one that is too long, up to `size`."""

    def limit(unit: Span) -> int:
        return max(size, length.size(*unit))

    return fill(_parts(text, paragraphs, size, limit, length), limit, length)


def _parts(
    text: str,
    paragraphs: Iterable[Span],
    size: int,
    limit: Callable[[Span], int],
    length: Length,
) -> Iterator[Span]:
    for start, end in paragraphs:
        if length.size(start, end) <= size:
            yield start, end
            continue
        ends = [match.end() for match in _SENTENCE_END.finditer(text, start, end)]
        sentences = (trim(text, a, b) for a, b in pairwise([start, *ends, end]))
        yield from fill((s for s in sentences if s[0] < s[1]), limit, length)


ENTRIES = (
    Entry("F6C", "Fixed Chunking with a Sixth of Overlap", "rule-based", SixthOverlap,
          "windows of characters that share a sixth", source=SOURCE),
    Entry("PPC", "Packed Paragraph Chunking", "rule-based", PackedParagraphs,
          "paragraphs packed up to a size, longer ones split at sentence ends", source=SOURCE),
)  # fmt: skip
