"""Chunks whose size follows the text (DFC, CDAC)."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.fill import fill
from chunkbench_engine.chunkers.lengths import UNITS, TokenCount, length_in
from chunkbench_engine.chunkers.ranges import at_least, at_most, one_of
from chunkbench_engine.chunkers.spans import to_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk, Span

_BLANK = re.compile(r"\s*")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class DynamicTokens:
    """Ends at the last sentence or line end between `min` and `max` tokens (the paper's DFC).

    Where there is none, it is cut at `max`. White space at the ends apart, only the last chunk of
    a document is shorter than `min`. Tokens are those of the document that a chunk touches.
    """

    annotations: ClassVar[tuple[str, ...]] = ("sentences", "tokens")

    min: int = 50
    max: int = 200

    def __post_init__(self) -> None:
        at_least(1, min=self.min, max=self.max)
        at_most(min=self.min, max=self.max)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        return to_chunks(document, self._spans(document))

    def _spans(self, document: AnnotatedDocument) -> Iterator[Span]:
        text, length = document.text, TokenCount(document.tokens)
        lines = (match.start() for match in re.finditer("\n", text))
        ends = sorted({0, *(end for _, end in document.sentences), *lines})
        start = _after_blank(text, 0)
        while start < len(text):
            furthest = length.reach(start, self.max)
            end = ends[bisect_right(ends, furthest) - 1]
            if end <= start or length.size(start, end) < self.min:
                end = furthest
            yield start, end
            start = _after_blank(text, end)


@dataclass(frozen=True)
class DensityAdaptive:
    """Whole sentences up to a size that falls with lexical density (the paper's CDAC).

    The size is `base_size × 0.5 / ρ`, with ρ = unique words / words (runs of letters, digits and
    underscores, case folded) of the sentence being added; 1 where it has no word. The paper gives
    K ∝ 1/ρ only; the factor makes it base_size at ρ = 0.5 and half of it at ρ = 1. A sentence
    that alone is longer than its own size stands alone, cut at that size.
    """

    base_size: int = 1000
    unit: str = "chars"

    def __post_init__(self) -> None:
        at_least(2, base_size=self.base_size)
        one_of(*UNITS, unit=self.unit)

    @property
    def annotations(self) -> tuple[str, ...]:
        return ("sentences", "tokens") if self.unit == "tokens" else ("sentences",)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        def limit(sentence: Span) -> int:
            words = _WORD.findall(document.text[slice(*sentence)].casefold())
            # in whole numbers: base_size * 0.5 / (unique / words)
            return self.base_size * max(len(words), 1) // (2 * max(len(set(words)), 1))

        length = length_in(self.unit, document)
        return to_chunks(document, fill(document.sentences, limit, length))


def _after_blank(text: str, position: int) -> int:
    """The first character from a position on that is no white space."""
    blank = _BLANK.match(text, position)
    return blank.end() if blank else position


ENTRIES = (
    Entry("DFC", "Dynamic Token Size Chunking", "adaptive", DynamicTokens,
          "ends at the last sentence or line end between a least and a most number of tokens"),
    Entry("CDAC", "Content Density Adaptive Chunking", "adaptive", DensityAdaptive,
          "whole sentences up to a size that is smaller where words repeat less"),
)  # fmt: skip
