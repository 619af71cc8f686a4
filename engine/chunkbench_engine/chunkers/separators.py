"""Splitting by ever finer separators, then merging neighbours: the rule of recursive chunking."""

from __future__ import annotations

import re
from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING

from chunkbench_engine.chunkers.fill import cut

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkbench_engine.chunkers.chunk import Span
    from chunkbench_engine.chunkers.lengths import Length

SEPARATORS = {
    "blank line": re.compile(r"\r?\n\r?\n"),
    "newline": re.compile(r"\r?\n"),
    "sentence": re.compile(r"(?<=[.!?])\s+|(?<=[。！？])"),
    "space": re.compile(" "),
}


def split(
    text: str,
    span: Span,
    separators: Sequence[str],
    size: int,
    overlap: int,
    length: Length,
) -> Iterator[Span]:
    """Spans of at most `size`, split at the coarsest separators that make them so.

    Pieces begin with the separator before them, so they tile the span; a piece still too long is
    split by the next separators, and at last cut in windows of the unit of length. Neighbouring
    pieces are merged up to `size`, and begin again with up to `overlap` of whole pieces. This is
    what LangChain's RecursiveCharacterTextSplitter does.
    """
    start, end = span
    if length.size(start, end) <= size:
        yield span
        return
    level = 0
    while level < len(separators) and not SEPARATORS[separators[level]].search(text, start, end):
        level += 1
    if level == len(separators):
        yield from cut(start, end, size, overlap, length)
        return
    found = (match.start() for match in SEPARATORS[separators[level]].finditer(text, start, end))
    edges = [start, *(place for place in found if start < place < end), end]
    fitting: list[Span] = []
    for piece in pairwise(edges):
        if length.size(*piece) <= size:
            fitting.append(piece)
            continue
        yield from _merge(fitting, size, overlap, length)
        fitting = []
        yield from split(text, piece, separators[level + 1 :], size, overlap, length)
    yield from _merge(fitting, size, overlap, length)


def _merge(pieces: Sequence[Span], size: int, overlap: int, length: Length) -> Iterator[Span]:
    """Spans over neighbouring pieces, none of which alone is longer than `size`."""
    starts: deque[int] = deque()
    for start, end in pieces:
        if starts and length.size(starts[0], end) > size:
            yield starts[0], start
            while starts and (
                length.size(starts[0], start) > overlap or length.size(starts[0], end) > size
            ):
                starts.popleft()
        starts.append(start)
    if starts:
        yield starts[0], pieces[-1][1]
