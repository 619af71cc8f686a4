"""Late chunking: units that become chunks when a query is known (LCSI, LCPI, LCTS)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.ranges import at_least, at_most
from chunkbench_engine.chunkers.spans import to_chunks, to_windows
from chunkbench_engine.chunkers.windows import token_windows

if TYPE_CHECKING:
    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk, Strategy


@dataclass(frozen=True, slots=True)
class Late:
    """What indexing and retrieval do with the units of a late strategy.

    Attributes:
        pooling: a unit's vector is the mean of its token vectors from a pass over the document,
            where the embedding model exposes them.
        materialise: the units that are found are merged into passages before they are ranked.
        max_tokens: longest passage, in tokens.
        fetch: units fetched for each passage asked for.
    """

    pooling: bool
    materialise: bool
    max_tokens: int
    fetch: int = 4


def late_of(strategy: Strategy) -> Late | None:
    """How the chunks of a strategy are treated later; None if they are chunks as they are."""
    late = getattr(strategy, "late", None)
    return late if isinstance(late, Late) else None


@dataclass(frozen=True)
class LateSentences:
    """Units are sentences (the paper's LCSI)."""

    annotations: ClassVar[tuple[str, ...]] = ("sentences",)

    pooling: bool = True
    materialise: bool = True
    max: int = 200

    def __post_init__(self) -> None:
        at_least(1, max=self.max)

    @property
    def late(self) -> Late:
        return Late(self.pooling, self.materialise, self.max)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        return to_chunks(document, document.sentences)


@dataclass(frozen=True)
class LateParagraphs:
    """Units are paragraphs (the paper's LCPI)."""

    annotations: ClassVar[tuple[str, ...]] = ("paragraphs",)

    pooling: bool = True
    materialise: bool = True
    max: int = 200

    def __post_init__(self) -> None:
        at_least(1, max=self.max)

    @property
    def late(self) -> Late:
        return Late(self.pooling, self.materialise, self.max)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        return to_chunks(document, document.paragraphs)


@dataclass(frozen=True)
class LateTokenSpans:
    """Units are windows of `span` tokens, one every `step` tokens (the paper's LCTS)."""

    annotations: ClassVar[tuple[str, ...]] = ("tokens",)

    span: int = 128
    step: int = 64
    pooling: bool = True
    materialise: bool = True
    max: int = 200

    def __post_init__(self) -> None:
        at_least(1, span=self.span, step=self.step, max=self.max)
        at_most(step=self.step, span=self.span)

    @property
    def late(self) -> Late:
        return Late(self.pooling, self.materialise, self.max)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        return to_windows(document, token_windows(document, self.span, self.step))


ENTRIES = (
    Entry("LCSI", "Late Chunking Sentence Indexing", "late", LateSentences,
          "indexes sentences, merges those found into passages"),
    Entry("LCPI", "Late Chunking Paragraph Indexing", "late", LateParagraphs,
          "indexes paragraphs, merges those found into passages"),
    Entry("LCTS", "Late Chunking Token Spans", "late", LateTokenSpans,
          "indexes overlapping windows of tokens, merges those found into passages"),
)  # fmt: skip
