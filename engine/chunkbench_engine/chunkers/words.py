"""Chunks measured in white-space words (FWC, RWC)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.annotate.paragraphs import trim
from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.fill import cut
from chunkbench_engine.chunkers.lengths import Words
from chunkbench_engine.chunkers.ranges import at_least, below
from chunkbench_engine.chunkers.separators import split
from chunkbench_engine.chunkers.spans import to_chunks

if TYPE_CHECKING:
    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk

SOURCE = "the four-strategies article"


@dataclass(frozen=True)
class WordWindows:
    """Windows of `words` white-space words that share `overlap` (FWC). A word is never cut."""

    annotations: ClassVar[tuple[str, ...]] = ()

    words: int = 400
    overlap: int = 50

    def __post_init__(self) -> None:
        at_least(1, words=self.words)
        at_least(0, overlap=self.overlap)
        below(overlap=self.overlap, words=self.words)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        start, end = trim(document.text, 0, len(document.text))
        if start == end:
            return []
        length = Words(document.text)
        return to_chunks(document, cut(start, end, self.words, self.overlap, length))


@dataclass(frozen=True)
class RecursiveWords:
    """As RC, measured in white-space words, splitting at sentences too (RWC).

    A word is never cut.
    """

    annotations: ClassVar[tuple[str, ...]] = ()

    words: int = 400

    def __post_init__(self) -> None:
        at_least(1, words=self.words)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        text, length = document.text, Words(document.text)
        # the last resort, windows of words, is what a split at spaces comes to
        by = ("blank line", "newline", "sentence")
        return to_chunks(document, split(text, (0, len(text)), by, self.words, 0, length))


ENTRIES = (
    Entry("FWC", "Fixed Word Chunking", "rule-based", WordWindows,
          "windows of white-space words", source=SOURCE),
    Entry("RWC", "Recursive Word Chunking", "recursive", RecursiveWords,
          "splits at blank lines, then lines, sentences, spaces; merges up to a number of words",
          source=SOURCE),
)  # fmt: skip
