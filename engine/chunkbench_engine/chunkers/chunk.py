"""What every strategy returns, and what every strategy is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chunkbench_engine.annotate.document import AnnotatedDocument

Span = tuple[int, int]
"""Half-open range of characters, `[start, end)`."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A span of a document, never a copy of its text.

    Attributes:
        document: id of the document.
        start: first character, counted in Unicode code points.
        end: one past the last character.
        context: the span handed to the reader and the judge, if not the chunk itself
            (a parent, for example).
        prefix: text embedded and shown before the slice, which is no part of the source
            (a heading path, for example).
    """

    document: str
    start: int
    end: int
    context: Span | None = None
    prefix: str = ""

    @property
    def span(self) -> Span:
        return self.start, self.end

    @property
    def judged(self) -> Span:
        """The span a reader is given: the context where there is one."""
        return self.context or (self.start, self.end)


class Strategy(Protocol):
    """A pure function from an annotated document to its chunks.

    Strategies are frozen dataclasses whose fields are their parameters, checked on creation
    (`BadInput` names the parameter, the value and the range).
    """

    @property
    def annotations(self) -> tuple[str, ...]:
        """Names of the annotations it reads, so that they can be made, and costed, before it."""
        ...

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        """Chunks of one document, ordered by start, then end."""
        ...
