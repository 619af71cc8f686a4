"""Hybrid search: several ranked lists made one by reciprocal rank fusion."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chunkbench_engine.index.ties import Hit

RANK_CONSTANT = 60
"""Added to every rank (Cormack, Clarke & Büttcher 2009, who call it k)."""

DEPTH = 50
"""How much of each list is fused, or of a list is reranked; more where more is asked for."""


def fuse(lists: Iterable[Sequence[Hit]]) -> list[Hit]:
    """All chunks of the lists as (ordinal, score), best first, equal ones by ordinal.

    A chunk scores the sum of `1 / (RANK_CONSTANT + rank)` over the lists that have it, ranks
    counted from 1 (Cormack et al. 2009). The lists' own scores do not matter.
    """
    scores: dict[int, float] = {}
    for hits in lists:
        for rank, (ordinal, _) in enumerate(hits, start=1):
            scores[ordinal] = scores.get(ordinal, 0.0) + 1 / (RANK_CONSTANT + rank)
    return sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))
