"""The whole document as one chunk (DOC)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.spans import to_chunks

if TYPE_CHECKING:
    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk


@dataclass(frozen=True)
class WholeDocument:
    """One chunk a document: the upper end of size (DOC)."""

    annotations: ClassVar[tuple[str, ...]] = ()

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        return to_chunks(document, [(0, len(document.text))])


ENTRIES = (
    Entry("DOC", "Whole Document", "rule-based", WholeDocument,
          "the whole document: the upper end of size", source="baseline"),
)  # fmt: skip
