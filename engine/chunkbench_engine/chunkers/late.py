"""Late chunking: units that become chunks when a query is known (LCSI, LCPI, LCTS)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.annotate.tokens import tokenize
from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.ranges import at_least, at_most
from chunkbench_engine.chunkers.spans import to_chunks, to_windows
from chunkbench_engine.chunkers.windows import token_windows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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


@dataclass(frozen=True, slots=True)
class Unit:
    """A span that was found: an indexed unit, or a passage made of neighbouring ones.

    `tokens` is its length, `score` the higher the better.
    """

    document: str
    start: int
    end: int
    tokens: int
    score: float


def materialise(
    units: Iterable[Unit], texts: Mapping[str, str], k: int, max_tokens: int
) -> list[Unit]:
    """The best `k` passages that the units found make up (the paper's `C = segment(D | q)`).

    Units of a document that overlap, or have nothing but white space between them, are merged from
    left to right while the passage has at most `max_tokens` tokens, counted in its own text; a unit
    that alone has more is left whole. A passage scores as its best unit; ties are in order of
    document id, then of start. `texts` holds the canonical text of each document, by id.
    """
    passages: list[Unit] = []
    for unit in sorted(units, key=lambda unit: (unit.document, unit.start, unit.end)):
        merged = _merged(passages[-1], unit, texts, max_tokens) if passages else None
        if merged is None:
            passages.append(unit)
        else:
            passages[-1] = merged
    # the sort is stable, so equal scores stay in document order
    return sorted(passages, key=lambda passage: -passage.score)[:k]


def _merged(left: Unit, right: Unit, texts: Mapping[str, str], max_tokens: int) -> Unit | None:
    """Both as one passage, or None where they are no neighbours or would be too long."""
    if left.document != right.document:
        return None
    text = texts[left.document]
    score = max(left.score, right.score)
    if right.end <= left.end:
        return replace(left, score=score)
    if text[left.end : right.start].strip():
        return None
    tokens = len(tokenize(text[left.start : right.end]))
    if tokens > max_tokens:
        return None
    return Unit(left.document, left.start, right.end, tokens, score)


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
