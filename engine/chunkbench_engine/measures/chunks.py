"""What a strategy's chunks look like, before any question is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_engine.chunkers.chunk import Span


Spans = Iterable["Span"] | NDArray[np.int64]
"""Half-open ranges of characters: pairs, or `(n, 2)`."""


class Block(Protocol):
    """A Markdown block of a document: its kind and its span in characters."""

    @property
    def kind(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Cuts:
    """How one document's structure fared; numbers that add up over documents.

    Attributes:
        chunks: number of chunks.
        begin_inside: chunks that begin inside a sentence.
        end_inside: chunks that end inside a sentence.
        inside: chunks that do either.
        tables: tables in the document.
        tables_cut: tables that no chunk holds whole.
        fences: fenced code blocks in the document.
        fences_cut: fenced code blocks that no chunk holds whole.
        headings_left: chunks whose last text is a heading, so that it is parted from what it
            heads. The last block of the document does not count.
    """

    chunks: int = 0
    begin_inside: int = 0
    end_inside: int = 0
    inside: int = 0
    tables: int = 0
    tables_cut: int = 0
    fences: int = 0
    fences_cut: int = 0
    headings_left: int = 0

    def __add__(self, other: Cuts) -> Cuts:
        mine, theirs = asdict(self), asdict(other)
        return Cuts(**{name: mine[name] + theirs[name] for name in mine})

    @property
    def begin_inside_share(self) -> float:
        """Share of chunks that begin inside a sentence; 0 if there is no chunk."""
        return self.begin_inside / self.chunks if self.chunks else 0.0

    @property
    def end_inside_share(self) -> float:
        """Share of chunks that end inside a sentence; 0 if there is no chunk."""
        return self.end_inside / self.chunks if self.chunks else 0.0

    @property
    def inside_share(self) -> float:
        """Share of chunks that begin or end inside a sentence; 0 if there is no chunk."""
        return self.inside / self.chunks if self.chunks else 0.0


@dataclass(frozen=True, slots=True)
class Sizes:
    """Lengths of a strategy's chunks, in tokens; all 0 if there is no chunk.

    `over_window` is the share of chunks longer than the embedding model's window, counted in that
    model's own tokens: the model cuts them. 0 if the model has no limit.
    """

    count: int
    mean: float
    median: float
    shortest: int
    longest: int
    over_window: float


def sizes(
    tokens: Sequence[int] | NDArray[np.int64],
    model_tokens: Sequence[int] | NDArray[np.int64],
    window: int | None,
) -> Sizes:
    """Statistics of the chunks' lengths.

    Args:
        tokens: length of each chunk in the tokens that strategies count.
        model_tokens: length of each embedded text in the embedding model's own tokens.
        window: longest input of the model in its own tokens, None if unlimited.
    """
    lengths = np.asarray(tokens, dtype=np.int64)
    if lengths.size == 0:
        return Sizes(0, 0.0, 0.0, 0, 0, 0.0)
    over = 0.0 if window is None else float((np.asarray(model_tokens) > window).mean())
    return Sizes(
        lengths.size,
        float(lengths.mean()),
        float(np.median(lengths)),
        int(lengths.min()),
        int(lengths.max()),
        over,
    )


@dataclass(frozen=True, slots=True)
class Examined:
    """Where one document's boundaries fall. Chunks of white space only are left out.

    Attributes:
        places: `(chunks,)`, each chunk's place in the list that was given.
        begin_inside: `(chunks,)`, whether it begins inside a sentence.
        end_inside: `(chunks,)`, whether it ends inside one.
        headings_left: `(chunks,)`, whether its last text is a heading, and more follows.
        tables: number of tables in the document.
        tables_cut: `(n, 2)`, trimmed spans of the tables that no chunk holds whole.
        fences: number of fenced code blocks in the document.
        fences_cut: `(n, 2)`, as for the tables.
    """

    places: NDArray[np.int64]
    begin_inside: NDArray[np.bool_]
    end_inside: NDArray[np.bool_]
    headings_left: NDArray[np.bool_]
    tables: int
    tables_cut: NDArray[np.int64]
    fences: int
    fences_cut: NDArray[np.int64]

    def counts(self) -> Cuts:
        return Cuts(
            chunks=len(self.places),
            begin_inside=int(self.begin_inside.sum()),
            end_inside=int(self.end_inside.sum()),
            inside=int((self.begin_inside | self.end_inside).sum()),
            tables=self.tables,
            tables_cut=len(self.tables_cut),
            fences=self.fences,
            fences_cut=len(self.fences_cut),
            headings_left=int(self.headings_left.sum()),
        )


def cuts(text: str, spans: Spans, sentences: Spans, blocks: Sequence[Block]) -> Cuts:
    """What the chunks of one document cut through, in numbers; see `examine`."""
    return examine(text, spans, sentences, blocks).counts()


def examine(text: str, spans: Spans, sentences: Spans, blocks: Sequence[Block]) -> Examined:
    """What the chunks of one document cut through.

    White space at the ends of chunks, sentences and blocks does not count. A block inside another
    (a fence in a list) counts for itself.

    Args:
        text: canonical text of the document.
        spans: the chunks' spans, ordered by start.
        sentences: ordered and disjoint.
        blocks: ordered by start; those of the kinds `table`, `fence` and `heading` matter.
    """
    chunks, places = _trimmed_with_places(text, spans)
    starts, ends = chunks[:, 0], chunks[:, 1]
    bounds = _trimmed(text, sentences)
    tables = _trimmed(text, ((block.start, block.end) for block in blocks if block.kind == "table"))
    fences = _trimmed(text, ((block.start, block.end) for block in blocks if block.kind == "fence"))
    headings = _trimmed(text, ((b.start, b.end) for b in blocks if b.kind == "heading"))[:, 1]
    headings = headings[headings != len(text.rstrip())]
    return Examined(
        places,
        _inside(starts, bounds),
        _inside(ends, bounds),
        np.isin(ends, headings),
        len(tables),
        _cut(tables, starts, ends),
        len(fences),
        _cut(fences, starts, ends),
    )


def _trimmed(text: str, spans: Spans) -> NDArray[np.int64]:
    """Spans without white space at their ends, `(n, 2)`; those of white space only are dropped."""
    return _trimmed_with_places(text, spans)[0]


def _trimmed_with_places(text: str, spans: Spans) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The same, and where each stood, `(n,)`."""
    kept, places = [], []
    pairs = spans.tolist() if isinstance(spans, np.ndarray) else spans
    for place, (start, end) in enumerate(pairs):
        piece = text[start:end]
        inner = piece.strip()
        if inner:
            first = start + len(piece) - len(piece.lstrip())
            kept.append((first, first + len(inner)))
            places.append(place)
    return np.array(kept, dtype=np.int64).reshape(-1, 2), np.array(places, dtype=np.int64)


def _inside(places: NDArray[np.int64], sentences: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which places lie strictly between the ends of a sentence."""
    if len(sentences) == 0:
        return np.zeros(len(places), dtype=bool)
    before = np.searchsorted(sentences[:, 0], places, side="left") - 1
    return np.asarray((before >= 0) & (places < sentences[np.maximum(before, 0), 1]))


def _cut(
    blocks: NDArray[np.int64], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Blocks that no chunk holds whole, `(n, 2)`; chunks are ordered by start."""
    if len(starts) == 0:
        return blocks
    reach = np.maximum.accumulate(ends)
    last = np.searchsorted(starts, blocks[:, 0], side="right") - 1
    return blocks[(last < 0) | (reach[np.maximum(last, 0)] < blocks[:, 1])]
