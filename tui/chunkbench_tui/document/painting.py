"""A line of a document as runs of text, each with what is to be said of it, and its gutter."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Literal, NamedTuple

from chunkbench_tui.document.cells import pieces
from chunkbench_tui.document.coverage import NO_CHUNK, merged
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
        found: it is one of the places that a search found.
        begins: a chunk begins with it.
    """

    cover: Cover = "none"
    evidence: bool = False
    sought: bool = False
    found: bool = False
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
        caret: an offset whose line is pointed at in the gutter; -1 for none.
        found: the places of a search.
    """

    chunking: Chunking | None
    evidence: Passages
    sought: tuple[int, int] = (0, 0)
    overlaps: bool = True
    caret: int = -1
    found: Passages = merged(())


class Gutter(NamedTuple):
    """What stands before a line.

    Attributes:
        number: of the first chunk that begins on it, from 1, with `+` if more do; "" for none.
        bar: `│` a chunk, `║` more than one over the same text, `┌` and `╓` where one begins; `▸`
            the caret, where there are no chunks.
        evidence: `E` where something on the line answers a question.
    """

    number: str
    bar: str
    evidence: str


def runs_of(text: str, span: tuple[int, int], width: int, layers: Layers) -> list[Run]:
    """The runs of a line, each as long as its tone holds; the last is empty, over the rest."""
    start, end = span
    changes = [*_changes(start, end, layers), end]  # the last is behind all that is painted
    place, used, tone = 0, 0, _tone(start, layers)
    line = _Line()
    for first, after, display, cells, uniform in pieces(
        text, start, content_end(text, start, end), width
    ):
        used += cells
        if changes[place] >= after and not tone.begins:
            line.add(display, cells, tone)
            continue
        if not uniform:
            # A grapheme is never divided: a chunk that begins inside one begins with it.
            begins = tone.begins
            while changes[place] < after:
                tone = _tone(changes[place], layers)
                begins = begins or tone.begins
                place += 1
            line.add(display, cells, Tone(*tone[:4], begins))
            tone = Tone(*tone[:4])
            continue
        each = cells // (after - first)
        position = first
        while position < after:
            while changes[place] <= position:
                tone = _tone(changes[place], layers)
                place += 1
            until = position + 1 if tone.begins else min(changes[place], after)
            part = display[position - first : until - first]
            line.add(part, each * len(part), tone)
            if tone.begins:
                tone = Tone(*tone[:4])
            position = until
    runs = line.runs()
    if used < width:
        cover = _tone(max(end - 1, start), layers).cover
        runs.append(Run(" " * (width - used), width - used, Tone(cover)))
    return runs


class _Line:
    """Joins what is said the same of: a terminal is sent, and a strip is made of, fewer parts."""

    __slots__ = ("_cells", "_parts", "_runs", "_tone")

    def __init__(self) -> None:
        self._runs: list[Run] = []
        self._parts: list[str] = []
        self._cells = 0
        self._tone = Tone()

    def add(self, display: str, cells: int, tone: Tone) -> None:
        if tone is not self._tone and tone != self._tone:
            self._end()
            self._tone = tone
        self._parts.append(display)
        self._cells += cells

    def runs(self) -> list[Run]:
        self._end()
        return self._runs

    def _end(self) -> None:
        if self._parts:
            self._runs.append(Run("".join(self._parts), self._cells, self._tone))
            self._parts, self._cells = [], 0


def gutter_of(span: tuple[int, int], layers: Layers) -> Gutter:
    """What stands before a line."""
    start, end = span
    evidence = "E" if layers.evidence.over(start, end) else " "
    if layers.chunking is None:
        return Gutter("", "▸" if start <= layers.caret < end else " ", evidence)
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
    return Gutter(number, bar, evidence)


def _changes(start: int, end: int, layers: Layers) -> Sequence[int]:
    """Offsets inside a line at which the tone may change, ascending."""
    found: set[int] = set(layers.sought)
    if layers.chunking is not None:
        coverage = layers.chunking.coverage
        found.update(coverage.edges[place] for place in coverage.stretches(start, end))
    for passages in (layers.evidence, layers.found):
        for place in passages.over(start, end):
            found.update((passages.starts[place], passages.ends[place]))
    return sorted(offset for offset in found if start < offset < end)


def _tone(offset: int, layers: Layers) -> Tone:
    """What is said of the stretch that begins at an offset."""
    cover: Cover = "none"
    begins = False
    if layers.chunking is not None:
        coverage = layers.chunking.coverage
        place = coverage.place(offset)
        if place >= 0:
            begins = coverage.begins[place] == 1 and coverage.edges[place] == offset
            if layers.overlaps and coverage.depths[place] > 1:
                cover = "overlap"
            elif coverage.tops[place] != NO_CHUNK:
                cover = "odd" if coverage.tops[place] % 2 else "even"
    sought = layers.sought[0] <= offset < layers.sought[1]
    return Tone(cover, layers.evidence.holds(offset), sought, layers.found.holds(offset), begins)
