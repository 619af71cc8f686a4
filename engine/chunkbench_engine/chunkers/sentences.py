"""Chunks of whole sentences (SBC, SGC, LAC)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.fill import fill
from chunkbench_engine.chunkers.lengths import UNITS, length_in
from chunkbench_engine.chunkers.ranges import at_least, below, one_of
from chunkbench_engine.chunkers.spans import groups, to_chunks

if TYPE_CHECKING:
    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk


@dataclass(frozen=True)
class Sentences:
    """Each sentence (the paper's SBC)."""

    annotations: ClassVar[tuple[str, ...]] = ("sentences",)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        return to_chunks(document, document.sentences)


@dataclass(frozen=True)
class SentenceGroups:
    """Groups of `sentences` sentences that share `overlap` (the paper's SGC)."""

    annotations: ClassVar[tuple[str, ...]] = ("sentences",)

    sentences: int = 3
    overlap: int = 1

    def __post_init__(self) -> None:
        at_least(1, sentences=self.sentences)
        at_least(0, overlap=self.overlap)
        below(overlap=self.overlap, sentences=self.sentences)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        return to_chunks(document, groups(document.sentences, self.sentences, self.overlap))


@dataclass(frozen=True)
class LengthAware:
    """Filled with whole sentences up to `target + tolerance` (the paper's LAC).

    A sentence that alone is longer stands alone, cut at that length.
    """

    target: int = 500
    tolerance: int = 100
    unit: str = "chars"

    def __post_init__(self) -> None:
        at_least(1, target=self.target)
        at_least(0, tolerance=self.tolerance)
        one_of(*UNITS, unit=self.unit)

    @property
    def annotations(self) -> tuple[str, ...]:
        return ("sentences", "tokens") if self.unit == "tokens" else ("sentences",)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        limit = self.target + self.tolerance
        length = length_in(self.unit, document)
        return to_chunks(document, fill(document.sentences, lambda _: limit, length))


ENTRIES = (
    Entry("LAC", "Length Aware Chunking", "rule-based", LengthAware,
          "whole sentences up to a target length and its tolerance"),
    Entry("SBC", "Sentence Based Chunking", "rule-based", Sentences,
          "each sentence"),
    Entry("SGC", "Sentence Group Chunking", "rule-based", SentenceGroups,
          "groups of sentences that overlap"),
)  # fmt: skip
