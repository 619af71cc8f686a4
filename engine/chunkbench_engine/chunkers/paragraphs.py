"""Chunks of whole paragraphs (PBC, PGC)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.ranges import at_least, below
from chunkbench_engine.chunkers.spans import groups, to_chunks

if TYPE_CHECKING:
    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk


@dataclass(frozen=True)
class Paragraphs:
    """Each paragraph (the paper's PBC)."""

    annotations: ClassVar[tuple[str, ...]] = ("paragraphs",)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        return to_chunks(document, document.paragraphs)


@dataclass(frozen=True)
class ParagraphGroups:
    """Groups of `paragraphs` paragraphs that share `overlap` (the paper's PGC)."""

    annotations: ClassVar[tuple[str, ...]] = ("paragraphs",)

    paragraphs: int = 2
    overlap: int = 1

    def __post_init__(self) -> None:
        at_least(1, paragraphs=self.paragraphs)
        at_least(0, overlap=self.overlap)
        below(overlap=self.overlap, paragraphs=self.paragraphs)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        return to_chunks(document, groups(document.paragraphs, self.paragraphs, self.overlap))


ENTRIES = (
    Entry("PBC", "Paragraph Based Chunking", "rule-based", Paragraphs,
          "each paragraph"),
    Entry("PGC", "Paragraph Group Chunking", "rule-based", ParagraphGroups,
          "groups of paragraphs that overlap"),
)  # fmt: skip
