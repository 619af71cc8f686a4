"""How the characters of a document are shown, and how many cells of the terminal each takes.

The text is cut into pieces that are shown as they stand (one width for all their characters) and
single graphemes that are not: tabs, control characters, emoji sequences, letters with marks.
Document text is hostile until shown otherwise: no control or format character leaves this module
but as its escape.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len, get_character_cell_size

from chunkbench_tui.safe_text import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

TAB = 4
"""A tab goes on to the next multiple of this many cells."""

WIDEST = 10
"""Cells of the widest grapheme: the escape of a character beyond U+FFFF."""

LONGEST_GRAPHEME = 32
"""Characters of a grapheme, at most: a base with thousands of marks is shown in parts."""

_JOINER, _EMOJI_STYLE, _BASE = "\u200d", "\ufe0f", "\u25cc"

# Each character of these is known to take one cell, or two, and to join nothing before it.
NARROW = (
    " -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0377\u0384-\u0481\u048a-\u052f"
    "\u05d0-\u05ea\u0620-\u064a\u0660-\u066f\u0904-\u0939\u0e01-\u0e30"
    "\u1e00-\u1eff\u2010-\u2027"
)
WIDE = "\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60"
# The last of a run may be the base of a mark after it: then it is left to the grapheme.
_RUN = re.compile(f"([{NARROW}]+(?=[{NARROW}{WIDE}\n]|\\Z))|[{WIDE}]+(?=[{NARROW}{WIDE}\n]|\\Z)")


class Piece(NamedTuple):
    """A part of a line.

    Attributes:
        start: offset in the document.
        end: offset after it.
        display: what is shown.
        cells: width of `display`.
        uniform: every character is shown as itself, and all have the same width.
    """

    start: int
    end: int
    display: str
    cells: int
    uniform: bool


class _Shape(NamedTuple):
    """A character by itself: what is shown, its cells, whether it is drawn over what precedes."""

    display: str
    cells: int
    escape: bool
    joins: bool


def pieces(text: str, start: int, stop: int, width: int) -> Iterator[Piece]:
    """The pieces from `start` on that fit into `width` cells, up to `stop`.

    The text in between must not hold a line end.

    Args:
        width: at least `WIDEST`, so that every grapheme fits on a line.
    """
    position, column, match = start, 0, _RUN.match
    while position < stop and column < width:
        # What `_run` does, without the call: this is the way of all text to the screen.
        room = width - column
        run = match(text, position, min(stop, position + room + 1))
        if run is None:
            end, display, cells = _grapheme(text, position, stop, column, width)
            if cells > room:
                return
            yield Piece(position, end, display, cells, False)
        else:
            each = 1 if run.lastindex else 2
            end = min(run.end(), position + room // each)
            if end == position:
                return
            cells = each * (end - position)
            yield Piece(position, end, text[position:end], cells, True)
        position, column = end, column + cells


def fill(text: str, start: int, stop: int, width: int) -> tuple[int, int]:
    """The offset after what fits into `width` cells, and the cells it takes; as `pieces` does."""
    position, column = start, 0
    while position < stop and column < width:
        end, cells = _run(text, position, stop, width - column)
        if end == position:
            if cells:
                break
            end, _, cells = _grapheme(text, position, stop, column, width)
            if column + cells > width:
                break
        position, column = end, column + cells
    return position, column


def cells_before(text: str, start: int, stop: int, offset: int) -> int:
    """Cells that the text from `start` to an offset takes, on a line that ends at `stop`."""
    cells = 0
    for piece in pieces(text, start, stop, 10 * (stop - start) + WIDEST):
        if piece.end > offset:
            each = piece.cells // (piece.end - piece.start)
            return cells + (each * (offset - piece.start) if piece.uniform else 0)
        cells += piece.cells
    return cells


def _run(text: str, position: int, stop: int, room: int) -> tuple[int, int]:
    """The end of the even characters from a position on, and the cells of those that fit.

    Where none fits, the end is the position, and the cells are those of one that does not; where
    the character is not an even one, both say nothing: (position, 0).
    """
    # One character more than fits, so that a mark just behind the last one is seen.
    run = _RUN.match(text, position, min(stop, position + room + 1))
    if run is None:
        return position, 0
    if run.lastindex:
        end = min(run.end(), position + room)
        return end, end - position
    end = min(run.end(), position + room // 2)
    return end, 2 * (end - position) or 2


def _grapheme(text: str, position: int, stop: int, column: int, width: int) -> tuple[int, str, int]:
    """One grapheme: the offset after it, what is shown, its cells."""
    character = text[position]
    end = position + 1
    if character == "\t":
        cells = min(TAB - column % TAB, width - column)
        return end, " " * cells, cells
    shape = _shape(character)
    following = _shape(text[end]) if end < stop else None
    if shape.escape or not (following and following.joins):
        return (end, shape.display, shape.cells) if shape.cells else (end, *_on_base(character))
    kept = [character]
    limit = min(stop, position + LONGEST_GRAPHEME)
    while end < limit and _shape(text[end]).joins:
        if text[end] != _JOINER:
            kept.append(text[end])
        elif shape.cells == 2 and end + 1 < stop and _shape(text[end + 1]).cells == 2:
            # Only pictures are joined: rich would give a joined letter no cell, terminals do.
            kept += text[end : end + 2]
            end += 1
        end += 1
    display = "".join(kept)
    cells = _cells(display)
    return (end, display, cells) if cells else (end, *_on_base(display))


@lru_cache(maxsize=8192)
def _shape(character: str) -> _Shape:
    display = escaped(character)
    if display != character:
        return _Shape(display, len(display), True, False)
    cells = get_character_cell_size(character)
    joins = character in (_JOINER, _EMOJI_STYLE) or cells == 0
    return _Shape(character, cells, False, joins)


_cells = lru_cache(maxsize=8192)(cell_len)


def _on_base(marks: str) -> tuple[str, int]:
    """Marks with nothing to stand on; joiners by themselves are not shown."""
    display = _BASE + marks.replace(_JOINER, "")
    return display, cell_len(display)
