"""Windows of a fixed number of characters or tokens (FCC, FC, OFC, SWC)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.ranges import at_least, at_most, below
from chunkbench_engine.chunkers.spans import to_windows, windows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk, Span


@dataclass(frozen=True)
class CharacterWindows:
    """Windows of `char_size` characters that share `overlap` (the paper's FCC)."""

    annotations: ClassVar[tuple[str, ...]] = ()

    char_size: int = 100
    overlap: int = 10

    def __post_init__(self) -> None:
        at_least(1, char_size=self.char_size)
        at_least(0, overlap=self.overlap)
        below(overlap=self.overlap, char_size=self.char_size)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        step = self.char_size - self.overlap
        return to_windows(document, windows(len(document.text), self.char_size, step))


@dataclass(frozen=True)
class TokenWindows:
    """Windows of `token_size` tokens that share `overlap` (the paper's FC and OFC).

    An edge inside a character is moved back to its start: no character is cut.
    """

    annotations: ClassVar[tuple[str, ...]] = ("tokens",)

    token_size: int = 50
    overlap: int = 0

    def __post_init__(self) -> None:
        at_least(1, token_size=self.token_size)
        at_least(0, overlap=self.overlap)
        below(overlap=self.overlap, token_size=self.token_size)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        step = self.token_size - self.overlap
        return to_windows(document, token_windows(document, self.token_size, step))


def overlapping_token_windows(token_size: int = 50, overlap: int = 10) -> TokenWindows:
    """The paper's OFC: FC with an overlap."""
    return TokenWindows(token_size, overlap)


@dataclass(frozen=True)
class SlidingWindows:
    """Windows of `window` tokens, one every `step` tokens (the paper's SWC)."""

    annotations: ClassVar[tuple[str, ...]] = ("tokens",)

    window: int = 50
    step: int = 25

    def __post_init__(self) -> None:
        at_least(1, window=self.window, step=self.step)
        at_most(step=self.step, window=self.window)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        return to_windows(document, token_windows(document, self.window, self.step))


def token_windows(document: AnnotatedDocument, size: int, step: int) -> Iterator[Span]:
    """Spans of `size` tokens, one every `step` tokens; some may be empty, inside a character."""
    # A token is a byte at least: what has no more bytes than that is one window, untokenized.
    if len(document.text) <= size and len(document.text.encode("utf-8", "surrogatepass")) <= size:
        yield 0, len(document.text)
        return
    tokens = document.tokens
    for first, stop in windows(len(tokens), size, step):
        yield tokens.edge(first), tokens.edge(stop)


ENTRIES = (
    Entry("FCC", "Fixed Character Chunking", "rule-based", CharacterWindows,
          "windows of characters"),
    Entry("FC", "Fixed Token Chunking", "rule-based", TokenWindows,
          "windows of tokens, one after the other"),
    Entry("OFC", "Overlapping Token Chunking", "rule-based", overlapping_token_windows,
          "windows of tokens that overlap"),
    Entry("SWC", "Sliding Window Token Chunking", "rule-based", SlidingWindows,
          "windows of tokens given by their stride"),
)  # fmt: skip
