"""Which chunks cover which stretch of a document: swept once, then looked up by bisection."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chunkbench_store.boundaries import ChunkSpans

NO_CHUNK = -1


@dataclass(frozen=True, slots=True)
class Coverage:
    """The stretches between which the chunks over the text change.

    Attributes:
        edges: offset at which each stretch begins, ascending.
        tops: the chunk of each that begins last; `NO_CHUNK` where there is none.
        depths: number of chunks over each.
        begins: 1 where a chunk begins with the stretch, else 0 (8-bit integers).
    """

    edges: array[int]
    tops: array[int]
    depths: array[int]
    begins: array[int]

    def stretches(self, start: int, end: int) -> range:
        """The stretches that lie over a span of the text."""
        return range(max(bisect_right(self.edges, start) - 1, 0), bisect_left(self.edges, end))

    def place(self, offset: int) -> int:
        """The stretch that holds an offset; -1 before the first one."""
        return bisect_right(self.edges, offset) - 1

    def at(self, offset: int) -> tuple[int, int]:
        """The top chunk at an offset, and the number of chunks there."""
        place = self.place(offset)
        return (self.tops[place], self.depths[place]) if place >= 0 else (NO_CHUNK, 0)


@dataclass(frozen=True, slots=True)
class Passages:
    """Spans that touch nowhere, as two ascending columns."""

    starts: array[int]
    ends: array[int]

    def holds(self, offset: int) -> bool:
        place = bisect_right(self.starts, offset) - 1
        return place >= 0 and offset < self.ends[place]

    def over(self, start: int, end: int) -> range:
        """The passages that lie over a span of the text."""
        return range(bisect_right(self.ends, start), bisect_left(self.starts, end))


@dataclass(frozen=True, slots=True)
class Chunking:
    """A strategy's chunks of one document, ready to be shown."""

    label: str
    chunk_set: int
    spans: ChunkSpans
    coverage: Coverage
    overlapping: int
    """Characters that stand in more than one chunk."""

    def chunk_at(self, offset: int) -> int:
        """The chunk that begins last at or before an offset; the first one before all of them."""
        return max(bisect_right(self.spans.starts, offset) - 1, 0)


def chunking(label: str, chunk_set: int, spans: ChunkSpans) -> Chunking:
    """Sweep a strategy's chunks; takes a while for very many."""
    coverage = sweep(spans.starts, spans.ends)
    edges = coverage.edges
    overlapping = sum(
        edges[place + 1] - edges[place]
        for place in range(len(edges) - 1)
        if coverage.depths[place] > 1
    )
    return Chunking(label, chunk_set, spans, coverage, overlapping)


def sweep(starts: Sequence[int], ends: Sequence[int]) -> Coverage:
    """The stretches of spans that are given by ascending starts."""
    edges, tops, depths, begins = array("i"), array("i"), array("i"), array("b")
    by_end = sorted(range(len(ends)), key=ends.__getitem__)
    open_now: list[tuple[int, int]] = []  # (-chunk, its end): the latest first
    begun = ended = 0
    while ended < len(by_end):
        edge = ends[by_end[ended]]
        if begun < len(starts):
            edge = min(edge, starts[begun])
        before = begun
        while begun < len(starts) and starts[begun] == edge:
            if ends[begun] > edge:
                heappush(open_now, (-begun, ends[begun]))
            begun += 1
        while ended < len(by_end) and ends[by_end[ended]] == edge:
            ended += 1
        while open_now and open_now[0][1] <= edge:
            heappop(open_now)
        edges.append(edge)
        tops.append(-open_now[0][0] if open_now else NO_CHUNK)
        depths.append(begun - ended)
        begins.append(begun > before)
    return Coverage(edges, tops, depths, begins)


def merged(spans: Iterable[tuple[int, int]]) -> Passages:
    """Spans in ascending order of their starts, those that meet made one."""
    starts, ends = array("i"), array("i")
    for start, end in spans:
        if ends and start <= ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            starts.append(start)
            ends.append(end)
    return Passages(starts, ends)
