"""Chunks that know the headings above them (HAC, HIC)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from chunkbench_engine.annotate.paragraphs import split_paragraphs, trim
from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.lengths import Squeezed, Words
from chunkbench_engine.chunkers.packed import SOURCE, pack
from chunkbench_engine.chunkers.ranges import at_least
from chunkbench_engine.chunkers.separators import split
from chunkbench_engine.chunkers.spans import to_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk


class Section(NamedTuple):
    """Headings and the text up to the next one.

    `[start, body)` holds the headings (several where nothing lies between them; none before the
    first of a document), `[body, end)` what follows; `path` is the titles down to the section's.
    """

    start: int
    body: int
    end: int
    path: tuple[str, ...]


def sections(document: AnnotatedDocument) -> Iterator[Section]:
    """The sections of a Markdown document, in order; they tile it."""
    text = document.text
    path: list[tuple[int, str]] = []
    start = body = 0
    for block in document.blocks:
        if block.kind != "heading":
            continue
        if text[body : block.start].strip():
            yield Section(start, body, block.start, tuple(title for _, title in path))
            start = block.start
        path = [(level, title) for level, title in path if level < block.level]
        path.append((block.level, _title(text[block.start : block.end])))
        body = block.end
    yield Section(start, body, len(text), tuple(title for _, title in path))


def _title(heading: str) -> str:
    """A heading's text without its marks: `# …`, `# … #`, or underlined."""
    if heading.startswith("#"):
        title = heading.lstrip("#").strip()
        bare = title.rstrip("#")
        return bare.strip() if not bare or bare[-1] in " \t" else title
    return " ".join(heading.splitlines()[:-1])


@dataclass(frozen=True)
class HeadingAware:
    """Paragraphs packed as PPC does, never across a heading (HAC); sentences are never cut.

    The prefix is the heading path (`A > B`). Neither it nor the heading lines, with which the
    first chunk of a section begins, count in `size`.
    """

    annotations: ClassVar[tuple[str, ...]] = ("blocks",)

    size: int = 600

    def __post_init__(self) -> None:
        at_least(1, size=self.size)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        length = Squeezed(document.text)
        chunks = []
        for section in sections(document):
            body = document.text[section.body : section.end]
            paragraphs = [
                (section.body + start, section.body + end) for start, end in split_paragraphs(body)
            ]
            spans = list(pack(document.text, paragraphs, self.size, length))
            first, *others = spans or [(section.start, section.body)]
            found = to_chunks(document, [(section.start, first[1]), *others])
            prefix = " > ".join(section.path)
            chunks += [replace(chunk, prefix=prefix) for chunk in found]
        return chunks


@dataclass(frozen=True)
class Hierarchical:
    """Heading sections are parents, recursive parts of `child` words are indexed (HIC).

    Parts are split as RWC does; the context of each is its section. A word is never cut.
    """

    annotations: ClassVar[tuple[str, ...]] = ("blocks",)

    child: int = 200

    def __post_init__(self) -> None:
        at_least(1, child=self.child)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        length = Words(document.text)
        by = ("blank line", "newline", "sentence")
        chunks = []
        for section in sections(document):
            span = trim(document.text, section.start, section.end)
            children = to_chunks(document, split(document.text, span, by, self.child, 0, length))
            chunks += [replace(child, context=span) for child in children]
        return chunks


ENTRIES = (
    Entry("HAC", "Heading Aware Chunking", "rule-based", HeadingAware,
          "paragraphs packed within a section, the heading path before each", source=SOURCE),
    Entry("HIC", "Hierarchical Chunking", "recursive", Hierarchical,
          "recursive children are indexed; their heading sections are handed on",
          source="the four-strategies article"),
)  # fmt: skip
