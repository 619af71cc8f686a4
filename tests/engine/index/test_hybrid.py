"""Reciprocal rank fusion, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from chunkbench_engine.index.hybrid import DEPTH, fuse
from chunkbench_engine.index.retrieve import Query, Retriever, hybrid, reranked

QUERY = Query("q", np.zeros(0, dtype=np.float32))


def test_a_chunk_scores_the_sum_of_its_reciprocal_ranks_after_60() -> None:
    fused = fuse([[(7, 0.9), (3, 0.8), (5, 0.1)], [(3, 12.5), (9, 4.0)]])
    assert [ordinal for ordinal, _ in fused] == [3, 7, 9, 5]
    assert dict(fused) == pytest.approx({3: 1 / 62 + 1 / 61, 7: 1 / 61, 9: 1 / 62, 5: 1 / 63})


def test_equal_sums_are_in_document_order() -> None:
    assert [o for o, _ in fuse([[(8, 1.0), (2, 0.5)], [(2, 9.0), (8, 7.0)]])] == [2, 8]
    assert [o for o, _ in fuse([[(6, 1.0)], [(4, 1.0)]])] == [4, 6]


def test_an_empty_list_leaves_the_other_as_it_is() -> None:
    assert [o for o, _ in fuse([[(5, 0.2), (1, 0.1)], []])] == [5, 1]
    assert fuse([[], []]) == []


def first(ordinals: list[int], asked: list[int]) -> Retriever:
    def retrieve(query: Query, k: int) -> list[tuple[int, float]]:
        asked.append(k)
        return [(ordinal, 1.0) for ordinal in ordinals[:k]]

    return retrieve


def test_both_lists_are_fused_to_a_depth_of_50_or_to_k() -> None:
    asked: list[int] = []
    one, other = list(range(100)), list(range(99, -1, -1))
    retrieve = hybrid(first(one, asked), first(other, asked))
    assert len(retrieve(QUERY, 5)) == 5
    assert len(retrieve(QUERY, 80)) == 80
    assert asked == [DEPTH, DEPTH, 80, 80]


class Longest:
    """A reranker that likes long texts; so what is expected is plain."""

    id = "longest"

    def score(self, question: str, texts: list[str]) -> np.ndarray:  # type: ignore[type-arg]
        return np.array([len(text) for text in texts], dtype=np.float32)


def test_reranking_orders_the_first_50_and_no_others() -> None:
    asked: list[int] = []
    texts = ["x" * (n % 10) for n in range(60)] + ["x" * 99]

    def texts_of(ordinals: list[int]) -> list[str]:
        return [texts[ordinal] for ordinal in ordinals]

    retrieve = reranked(first(list(range(61)), asked), Longest(), texts_of)  # type: ignore[arg-type]
    assert retrieve(QUERY, 7) == [(9, 9), (19, 9), (29, 9), (39, 9), (49, 9), (8, 8), (18, 8)]
    assert retrieve(QUERY, 61)[0] == (60, 99), "more than 50 are reranked where more are wanted"
    assert asked == [50, 61]
