"""Markdown blocks packed up to a size (MDC)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.annotate.blocks import LINE_END
from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.fill import fill
from chunkbench_engine.chunkers.lengths import TokenCount
from chunkbench_engine.chunkers.ranges import at_least
from chunkbench_engine.chunkers.separators import split
from chunkbench_engine.chunkers.spans import to_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkbench_engine.annotate.blocks import Block
    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk, Span
    from chunkbench_engine.chunkers.lengths import Length


@dataclass(frozen=True)
class MarkdownBlocks:
    """Blocks packed up to `max` tokens (MDC).

    A block that alone is longer is split: a table at row ends, a code fence at line ends, any other
    block as RTF does, and so is a row or line that is still too long. What follows the first part
    of a table carries its header row as a prefix, which does not count in `max`.
    """

    annotations: ClassVar[tuple[str, ...]] = ("blocks", "tokens")

    max: int = 400

    def __post_init__(self) -> None:
        at_least(1, max=self.max)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        length = TokenCount(document.tokens)
        chunks: list[Chunk] = []
        packable: list[Span] = []

        def pack() -> None:
            chunks.extend(to_chunks(document, fill(packable, lambda _: self.max, length)))
            packable.clear()

        for block in document.blocks:
            if length.size(block.start, block.end) <= self.max:
                packable.append((block.start, block.end))
                continue
            pack()
            parts = to_chunks(document, self._parts(document.text, block, length))
            if block.kind == "table":
                header = LINE_END.split(document.text[block.start : block.end], 1)[0].strip()
                parts[1:] = [replace(part, prefix=header) for part in parts[1:]]
            chunks += parts
        pack()
        return chunks

    def _parts(self, text: str, block: Block, length: Length) -> Iterator[Span]:
        if block.kind not in ("table", "fence"):
            by = ("blank line", "newline", "sentence", "space")
            yield from split(text, (block.start, block.end), by, self.max, 0, length)
            return
        ends = [match.end() for match in LINE_END.finditer(text, block.start, block.end)]
        lines = pairwise([block.start, *ends, block.end])
        yield from fill(lines, lambda _: self.max, length)


ENTRIES = (
    Entry("MDC", "Markdown Block Chunking", "rule-based", MarkdownBlocks,
          "Markdown blocks packed up to a size; tables and code cut at row and line ends",
          source="this project"),
)  # fmt: skip
