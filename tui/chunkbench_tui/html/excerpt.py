"""A stretch of a document as a strategy cut it, with the evidence marked: HTML."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from chunkbench_tui.safe_text import shown_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

MARGIN = 500
"""Characters shown before and behind the evidence."""
_LONGEST = 6_000
"""Characters of an excerpt at most: evidence may be a whole chapter."""


def window(start: int, end: int, characters: int) -> tuple[int, int]:
    """The stretch of a document of so many characters that shows a passage and what is around."""
    first = max(0, start - MARGIN)
    return first, min(characters, end + MARGIN, first + _LONGEST)


def excerpt(
    text: str,
    place: tuple[int, int],
    chunks: Sequence[tuple[int, int]],
    evidence: Sequence[tuple[int, int]],
) -> Markup:
    """The text of `place`, a half-open span, in pieces that each lie in the same chunks.

    A chunk's beginning is marked with its number, from 1 in the document; what two chunks share
    and what is in none have a class of their own, as has the evidence.

    Args:
        text: the document's.
        chunks: half-open spans, by their start; they may overlap, and leave text out.
        evidence: half-open spans.
    """
    first, last = place
    near = [(at, span) for at, span in enumerate(chunks) if span[0] < last and span[1] > first]
    cuts = {first, last}
    for start, end in [*(span for _, span in near), *evidence]:
        cuts |= {place for place in (start, end) if first < place < last}
    edges = sorted(cuts)
    begins = {span[0]: at for at, span in reversed(near) if span[0] >= first}
    pieces = []
    for start, end in pairwise(edges):
        inside = [at for at, span in near if span[0] <= start and span[1] >= end]
        classes = [_tint(inside)]
        if any(span[0] <= start and span[1] >= end for span in evidence):
            classes.append("evidence")
        if start in begins:
            pieces.append(Markup('<b class="cut">{}</b>').format(begins[start] + 1))
        piece = text[start:end]
        # The line end behind the last line is lost on the way.
        body = shown_lines(piece) + ("\n" if piece.endswith(("\n", "\r")) else "")
        pieces.append(Markup('<span class="{}">{}</span>').format(" ".join(classes), escape(body)))
    return Markup("").join(pieces)


def _tint(inside: Sequence[int]) -> str:
    if not inside:
        return "none"
    return "shared" if len(inside) > 1 else ("odd" if inside[0] % 2 else "even")


def whole(span: tuple[int, int], chunks: Sequence[tuple[int, int]]) -> int | None:
    """Index of the first chunk, by start, that holds the whole span; None if it is cut."""
    last = bisect_right(chunks, span[0], key=lambda chunk: chunk[0])
    return next((at for at in range(last) if chunks[at][1] >= span[1]), None)
