"""A line of a document as runs of text, each with what is to be said of it, and its gutter."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Literal, NamedTuple

from chunkbench_tui.document.cells import pieces
from chunkbench_tui.document.coverage import NO_CHUNK
from chunkbench_tui.document.lines import content_end

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_tui.document.coverage import Chunking, Passages

Cover = Literal["none", "even", "odd", "overlap"]


class Tone(NamedTuple):
    """What is said of a stretch of text.

    Attributes:
        cover: by which kind of chunk it is covered.
        evidence: it answers a question.
        sought: it is what the person asked to see.
        begins: a chunk begins with it.
    """

    cover: Cover = "none"
    evidence: bool = False
    sought: bool = False
    begins: bool = False


class Run(NamedTuple):
    display: str
    cells: int
    tone: Tone


class Layers(NamedTuple):
    """What lies over a document.

    Attributes:
        chunking: None while it is not known.
        evidence: nothing in it where it is not to be shown.
        sought: a span that is to stand out, (0, 0) for none.
        overlaps: whether text in more than one chunk is told apart.
    """

    chunking: Chunking | None
    evidence: Passages
    sought: tuple[int, int] = (0, 0)
    overlaps: bool = True


class Gutter(NamedTuple):
    """What stands before a line.

    Attributes:
        number: of the first chunk that begins on it, from 1, with `+` if more do; "" for none.
        bar: `│` a chunk, `║` more than one over the same text, `┌` and `╓` where one begins.
        evidence: `E` where something on the line answers a question.
        current: a chunk that is over the line is the current one.
    """

    number: str
    bar: str
    evidence: str
    current: bool


def runs_of(text: str, span: tuple[int, int], width: int, layers: Layers) -> list[Run]:
    """The runs of a line; the last one goes on, empty, over the rest of the width."""
    start, end = span
    stop = content_end(text, start, end)
    changes = _changes(start, end, layers)
    runs: list[Run] = []
    place, used = 0, 0
    for piece in pieces(text, start, stop, width):
        used += piece.cells
        if not piece.uniform:
            # A grapheme is never divided: a chunk that begins inside one begins with it.
            begins = False
            while place < len(changes) and changes[place] < piece.end:
                begins = begins or _begins(changes[place], layers)
                place += 1
            tone = _tone(piece.start, layers)
            runs.append(Run(piece.display, piece.cells, tone._replace(begins=begins)))
            continue
        each = piece.cells // (piece.end - piece.start)
        position = piece.start
        while position < piece.end:
            while place < len(changes) and changes[place] <= position:
                place += 1
            until = min(changes[place], piece.end) if place < len(changes) else piece.end
            tone = _tone(position, layers)
            if tone.begins and until > position + 1:
                until = position + 1
            part = piece.display[position - piece.start : until - piece.start]
            runs.append(Run(part, each * len(part), tone))
            position = until
    if used < width:
        last = _tone(max(end - 1, start), layers)
        runs.append(Run(" " * (width - used), width - used, Tone(last.cover)))
    return runs


def gutter_of(span: tuple[int, int], layers: Layers, current: int) -> Gutter:
    """What stands before a line.

    Args:
        current: the current chunk.
    """
    start, end = span
    evidence = "E" if layers.evidence.over(start, end) else " "
    if layers.chunking is None:
        return Gutter("", " ", evidence, False)
    spans, coverage = layers.chunking.spans, layers.chunking.coverage
    first, after = bisect_left(spans.starts, start), bisect_left(spans.starts, end)
    number = f"{first + 1}{'+' if after > first + 1 else ''}" if after > first else ""
    stretches = coverage.stretches(start, end)
    deepest = max((coverage.depths[place] for place in stretches), default=0)
    doubled = layers.overlaps and deepest > 1
    if number:
        bar = "╓" if doubled else "┌"
    elif doubled:
        bar = "║"
    else:
        bar = "│" if deepest else " "
    on_current = (
        current < len(spans) and spans.starts[current] < end and spans.ends[current] > start
    )
    return Gutter(number, bar, evidence, on_current)


def _changes(start: int, end: int, layers: Layers) -> Sequence[int]:
    """Offsets within a line at which the tone may change, ascending."""
    found: set[int] = set()
    if layers.chunking is not None:
        coverage = layers.chunking.coverage
        found.update(coverage.edges[place] for place in coverage.stretches(start, end))
    for place in layers.evidence.over(start, end):
        found.update((layers.evidence.starts[place], layers.evidence.ends[place]))
    found.update(layers.sought)
    return sorted(offset for offset in found if start <= offset < end)


def _begins(offset: int, layers: Layers) -> bool:
    if layers.chunking is None:
        return False
    starts = layers.chunking.spans.starts
    place = bisect_left(starts, offset)
    return place < len(starts) and starts[place] == offset


def _tone(offset: int, layers: Layers) -> Tone:
    cover: Cover = "none"
    if layers.chunking is not None:
        top, depth = layers.chunking.coverage.at(offset)
        if depth > 1 and layers.overlaps:
            cover = "overlap"
        elif top != NO_CHUNK:
            cover = "odd" if top % 2 else "even"
    sought = layers.sought[0] <= offset < layers.sought[1]
    return Tone(cover, layers.evidence.holds(offset), sought, _begins(offset, layers))
