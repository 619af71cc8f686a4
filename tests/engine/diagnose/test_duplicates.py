"""Chunks that say the same."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.diagnose.duplicates import Clusters, same
from chunkbench_engine.diagnose.neighbours import similarity_blocks


def angles(*degrees: float) -> np.ndarray:
    radians = np.radians(degrees)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


def clusters(vectors: np.ndarray, places: list[tuple[int, int, int]]) -> list[list[int]]:
    found = Clusters(np.array(places, dtype=np.int64))
    for first, cosines in similarity_blocks(vectors, len(vectors)):  # a row a block
        found.add(first, cosines)
    return found.groups()


def test_equal_keys_make_groups_the_largest_first() -> None:
    assert same("abcabdb") == [[1, 4, 6], [0, 3]]
    assert same("abc") == []


def test_near_duplicates_are_joined_in_chains() -> None:
    # cos 18.2° is 0.95: neighbours 15° apart are near, 30° apart only through the one between.
    vectors = angles(0, 15, 30, 90, 100, 180)
    apart = [(n, 0, 10) for n in range(6)]
    assert clusters(vectors, apart) == [[0, 1, 2], [3, 4]]


def test_chunks_that_share_their_text_by_overlap_are_no_duplicates() -> None:
    vectors = angles(0, 1)
    assert clusters(vectors, [(1, 0, 10), (1, 5, 15)]) == []
    assert clusters(vectors, [(1, 0, 10), (1, 10, 20)]) == [[0, 1]]
    assert clusters(vectors, [(1, 0, 10), (2, 5, 15)]) == [[0, 1]]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(0, 360), min_size=1, max_size=25))
def test_clusters_are_the_components_of_the_pairs(degrees: list[float]) -> None:
    vectors = angles(*degrees)
    near = np.round(vectors @ vectors.T, 6) >= 0.95
    reach = near
    for _ in degrees:
        reach = (reach.astype(int) @ near.astype(int)) > 0
    expected = {tuple(np.flatnonzero(row).tolist()) for row in reach if row.sum() > 1}
    found = clusters(vectors, [(n, 0, 10) for n in range(len(degrees))])
    assert {tuple(group) for group in found} == expected
