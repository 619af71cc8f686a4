"""The k best of an engine that leaves the order of equal scores to chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Hit = tuple[int, float]
"""Ordinal of a chunk and its cosine with the question."""

DECIMALS = 6
"""To which scores are compared: what is beyond is noise of float32 arithmetic."""


def best(fetch: Callable[[int], list[Hit]], k: int) -> list[Hit]:
    """The first k by (score, highest first; ordinal, lowest first).

    Args:
        fetch: the given number of hits, by falling score, or all if there are fewer.
        k: at least 1.

    Equal scores may straddle the cut, and then those with the lowest ordinals may not be among
    the k hits fetched. So more are fetched until a hit scores less than the k-th, or none is left.
    """
    limit = k + 1
    while True:
        hits = [(ordinal, round(score, DECIMALS) + 0.0) for ordinal, score in fetch(limit)]
        if len(hits) < limit or hits[-1][1] < hits[k - 1][1]:
            break
        limit *= 4
    return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:k]
