"""One strategy after another: the paper's `S(P(D))` (Table 2, hybrid strategies)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chunkbench_engine.annotate.paragraphs import trim
from chunkbench_engine.chunkers.late import late_of
from chunkbench_engine.chunkers.ranges import at_least
from chunkbench_engine.chunkers.spans import tidy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk, Strategy
    from chunkbench_engine.chunkers.late import Late


@dataclass(frozen=True)
class Pipeline:
    """The secondary strategy run on every chunk of the primary, each a document of its own.

    Primary chunks shorter than `min_chars` characters are left as they are. A chunk keeps its
    primary's context, unless the secondary gives it one, and the prefixes of both. What the
    secondary reads of the parts (their tokens, for example) is its own work, not an annotation.
    """

    primary: Strategy
    secondary: Strategy
    min_chars: int = 0

    def __post_init__(self) -> None:
        at_least(0, min_chars=self.min_chars)

    @property
    def annotations(self) -> tuple[str, ...]:
        return self.primary.annotations

    @property
    def late(self) -> Late | None:
        return late_of(self.secondary)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        return tidy(self._pieces(document))

    def _pieces(self, document: AnnotatedDocument) -> Iterator[Chunk]:
        for whole in self.primary.chunk(document):
            if whole.end - whole.start < self.min_chars:
                yield _trimmed(document.text, whole)
                continue
            shift = whole.start
            for piece in self.secondary.chunk(document.part(whole.start, whole.end)):
                context = piece.context
                yield _trimmed(
                    document.text,
                    replace(
                        piece,
                        start=piece.start + shift,
                        end=piece.end + shift,
                        context=(context[0] + shift, context[1] + shift)
                        if context
                        else whole.context,
                        prefix="\n".join(filter(None, (whole.prefix, piece.prefix))),
                    ),
                )


def _trimmed(text: str, chunk: Chunk) -> Chunk:
    start, end = trim(text, chunk.start, chunk.end)
    return replace(chunk, start=start, end=end)
