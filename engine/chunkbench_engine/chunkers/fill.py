"""Filling chunks with whole units up to a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from chunkbench_engine.chunkers.chunk import Span
    from chunkbench_engine.chunkers.lengths import Length


def fill(units: Iterable[Span], limit: Callable[[Span], int], length: Length) -> Iterator[Span]:
    """Spans over consecutive units, each as long as the limit of its last unit allows.

    A unit longer than its own limit stands alone, cut at that length.
    """
    filled: Span | None = None
    for unit in units:
        most = limit(unit)
        if filled and length.size(filled[0], unit[1]) <= most:
            filled = filled[0], unit[1]
            continue
        if filled:
            yield filled
        if length.size(*unit) <= most:
            filled = unit
        else:
            filled = None
            yield from cut(*unit, most, 0, length)
    if filled:
        yield filled


def cut(start: int, end: int, size: int, overlap: int, length: Length) -> Iterator[Span]:
    """Windows of a span, blind to what is in it; the last reaches the end."""
    while True:
        stop = min(length.reach(start, size), end)
        yield start, stop
        if stop >= end:
            return
        start = max(length.back(stop, overlap), start + 1)
