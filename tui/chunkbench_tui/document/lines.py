"""Where the lines on the screen begin: an index of offsets for one width."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from dataclasses import dataclass

from chunkbench_tui.document.cells import LONGEST_GRAPHEME, WIDEST, fill

LONGEST = 1000
"""Cells after which a line is broken although lines are not wrapped."""

_UNEVEN = re.compile(r"[^\n -~]")


@dataclass(frozen=True, slots=True)
class LineIndex:
    """The lines of a text, or of a stretch of it, at one width.

    Attributes:
        starts: offset of each line's first character, ascending (32-bit integers).
        end: offset after the last line.
        width: cells of a line; at least as many as the widest grapheme has.
        widest: cells of the longest line.
    """

    starts: array[int]
    end: int
    width: int
    widest: int

    def __len__(self) -> int:
        return len(self.starts)

    def span(self, line: int) -> tuple[int, int]:
        """Offsets of a line, its line end and the space it was broken at included."""
        following = line + 1
        return self.starts[line], self.starts[following] if following < len(self) else self.end

    def line_of(self, offset: int) -> int:
        """The line that holds an offset; the nearest one if none does."""
        return max(bisect_right(self.starts, offset) - 1, 0)


def index_lines(text: str, width: int, begin: int = 0, length: int | None = None) -> LineIndex:
    """Break a text into lines that fit a width.

    A line ends at a line end of the text, else after the last space of its second half, else
    where it is full. A space that no longer fits hangs over the edge.

    Args:
        width: cells; less than the widest grapheme counts as that.
        begin: offset to begin at: the start of a line.
        length: characters after which to stop, at the end of a line; None for all of the text.
    """
    width = max(width, WIDEST)
    stop = len(text) if length is None else min(begin + length, len(text))
    # Nothing farther than this can be on a line that is wanted.
    horizon = min(stop + width * (LONGEST_GRAPHEME + 1), len(text))
    starts = array("i")
    start, newline, uneven, widest = begin, -1, -1, 0
    while start < stop or not starts:
        starts.append(start)
        if newline < start:
            found = text.find("\n", start, horizon)
            newline = horizon if found < 0 else found
        if uneven < start:
            match = _UNEVEN.search(text, start, horizon)
            uneven = horizon + width if match is None else match.start()
        full = start + width
        if uneven > min(full, newline):
            if newline <= full:
                widest = max(widest, newline - start)
                start = newline + 1
                continue
        else:
            last = content_end(text, start, newline)
            full, cells = fill(text, start, last, width)
            if full >= last:
                widest = max(widest, cells)
                start = newline + 1
                continue
        widest = width
        space = text.rfind(" ", start + (full - start) // 2, full + 1)
        start = full if space < 0 else space + 1
    return LineIndex(starts, min(max(start, stop), len(text)), width, widest)


def line_begin(text: str, offset: int, farthest: int = 5_000) -> int:
    """Where the text's line that holds an offset begins, or `farthest` characters before it."""
    return max(text.rfind("\n", 0, offset) + 1, offset - farthest, 0)


def content_end(text: str, start: int, end: int) -> int:
    """The end without the line end that a line carries: `\\n` or `\\r\\n`."""
    if end > start and text[end - 1 : end] == "\n":
        end -= 1
    if end > start and text[end - 1] == "\r" and text[end : end + 1] == "\n":
        end -= 1
    return end
