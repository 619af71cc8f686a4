"""Recursive chunks, and children within parents (RC, RTF, PCC)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.lengths import UNITS, TokenCount, length_in
from chunkbench_engine.chunkers.ranges import at_least, below, one_of
from chunkbench_engine.chunkers.separators import SEPARATORS, split
from chunkbench_engine.chunkers.spans import to_chunks
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk, Span

_DEFAULT = "blank line, newline, space, character"


@dataclass(frozen=True)
class Recursive:
    """Split by ever finer separators, merged up to `chunk_size` (the paper's RC).

    Up to `overlap` of whole pieces is kept between neighbours. `separators` are names, coarse to
    fine, of which the last is `character`: there a word too long is cut in windows of the unit.
    """

    chunk_size: int = 500
    overlap: int = 50
    unit: str = "chars"
    separators: str = _DEFAULT

    def __post_init__(self) -> None:
        at_least(1, chunk_size=self.chunk_size)
        at_least(0, overlap=self.overlap)
        below(overlap=self.overlap, chunk_size=self.chunk_size)
        one_of(*UNITS, unit=self.unit)
        _separators(self.separators)

    @property
    def annotations(self) -> tuple[str, ...]:
        return ("tokens",) if self.unit == "tokens" else ()

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        length = length_in(self.unit, document)
        text, span = document.text, (0, len(document.text))
        by = _separators(self.separators)
        return to_chunks(document, split(text, span, by, self.chunk_size, self.overlap, length))


@dataclass(frozen=True)
class RecursiveTokens:
    """As RC, measured in tokens, with windows of tokens as the last resort (the paper's RTF).

    The tokens of a piece are those of the whole document that it touches.
    """

    annotations: ClassVar[tuple[str, ...]] = ("tokens",)

    token_size: int = 100
    overlap: int = 10

    def __post_init__(self) -> None:
        at_least(1, token_size=self.token_size)
        at_least(0, overlap=self.overlap)
        below(overlap=self.overlap, token_size=self.token_size)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        return Recursive(self.token_size, self.overlap, "tokens").chunk(document)


@dataclass(frozen=True)
class ParentChild:
    """Recursive children inside recursive parents (the paper's PCC), neither overlapping.

    Children are indexed and retrieved; a child's context is its parent.
    """

    parent: int = 500
    child: int = 100
    unit: str = "chars"

    def __post_init__(self) -> None:
        at_least(1, parent=self.parent, child=self.child)
        below(child=self.child, parent=self.parent)
        one_of(*UNITS, unit=self.unit)

    @property
    def annotations(self) -> tuple[str, ...]:
        return ("tokens",) if self.unit == "tokens" else ()

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        length = length_in(self.unit, document)
        by = _separators(_DEFAULT)
        children = []
        for parent in Recursive(self.parent, 0, self.unit).chunk(document):
            spans = split(document.text, parent.span, by, self.child, 0, length)
            children += [
                replace(child, context=parent.span) for child in to_chunks(document, spans)
            ]
        return children


def split_to_tokens(document: AnnotatedDocument, span: Span, limit: int) -> Iterator[Span]:
    """Spans of at most `limit` tokens that tile a span: RC's rule, without overlap."""
    length = TokenCount(document.tokens)
    return split(document.text, span, _separators(_DEFAULT), limit, 0, length)


def _separators(names: str) -> Sequence[str]:
    """The separators named, but for the last, which is always `character`."""
    *by, last = [name.strip() for name in names.split(",")]
    if last != "character" or not all(name in SEPARATORS for name in by):
        raise BadInput(
            f"separators={names!r} must be names out of {', '.join(SEPARATORS)}, "
            "coarse to fine, and then character"
        )
    return by


ENTRIES = (
    Entry("RC", "Recursive Chunking", "recursive", Recursive,
          "splits at blank lines, then lines, spaces, characters; merges up to a size"),
    Entry("RTF", "Recursive Token Fallback Chunking", "recursive", RecursiveTokens,
          "as RC, in tokens, with windows of tokens as the last resort"),
    Entry("PCC", "Parent Child Chunking", "recursive", ParentChild,
          "recursive children are indexed; their recursive parents are handed on"),
)  # fmt: skip
