"""Sets of characters as sorted, disjoint, half-open intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chunkbench_engine.chunkers.chunk import Span


def union(spans: Iterable[Span]) -> list[Span]:
    """The characters that lie in any of the spans."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def intersection(first: list[Span], second: list[Span]) -> list[Span]:
    """The characters that lie in both of two unions."""
    common: list[Span] = []
    at, other = 0, 0
    while at < len(first) and other < len(second):
        start = max(first[at][0], second[other][0])
        end = min(first[at][1], second[other][1])
        if start < end:
            common.append((start, end))
        if first[at][1] < second[other][1]:
            at += 1
        else:
            other += 1
    return common


def difference(first: list[Span], second: list[Span]) -> list[Span]:
    """The characters of one union that do not lie in another."""
    left: list[Span] = []
    other = 0
    for start, end in first:
        while other < len(second) and second[other][1] <= start:
            other += 1
        at = other
        while at < len(second) and second[at][0] < end:
            if start < second[at][0]:
                left.append((start, second[at][0]))
            start = max(start, second[at][1])
            at += 1
        if start < end:
            left.append((start, end))
    return left
