"""Nearest chunks, hubs and orphans, against brute force and scipy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import skew

from chunkbench_engine.diagnose.hubness import hubs, orphans, skewness
from chunkbench_engine.diagnose.neighbours import nearest, similarity_blocks
from chunkbench_engine.diagnose.vectors import neighbourhood

if TYPE_CHECKING:
    from numpy.typing import NDArray


def unit(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def places(count: int) -> NDArray[np.int64]:
    """Every chunk in a document of its own."""
    return np.array([(n, 0, 10) for n in range(count)], dtype=np.int64)


def brute_force(vectors: NDArray[np.float32], k: int) -> list[list[int]]:
    """Each row's k nearest others, by cosine and then by number."""
    lists = []
    for row, vector in enumerate(vectors):
        cosines = [round(float(np.float32(np.dot(vector, other))), 6) for other in vectors]
        others = [n for n in range(len(vectors)) if n != row]
        lists.append(sorted(sorted(others, key=lambda n, c=cosines: (-c[n], n))[:k]))
    return lists


@settings(max_examples=40, deadline=None)
@given(st.integers(6, 40), st.integers(1, 5), st.integers(1, 500), st.integers(0, 10_000))
def test_the_nearest_are_those_of_brute_force_in_blocks_of_any_size(
    count: int, k: int, block: int, seed: int
) -> None:
    # Whole numbers, few of them: many equal cosines, all exact enough to compare.
    grid = np.random.default_rng(seed).integers(1, 4, (count, 2)).astype(np.float64)
    vectors = unit(grid)
    found: list[list[int]] = []
    for first, cosines in similarity_blocks(vectors, block):
        assert first == len(found)
        taken = nearest(cosines, k)
        assert (taken.sum(axis=1) == k).all()
        found += [np.flatnonzero(row).tolist() for row in taken]
    assert found == brute_force(vectors, k)


def test_k_occurrences_skewness_hubs_and_orphans_of_random_vectors() -> None:
    k, count = 5, 300
    rows = np.random.default_rng(7).standard_normal((count, 100)) + 0.3
    rows[3] = 1.0  # what they all have in common
    vectors = unit(rows)
    seen = neighbourhood(vectors, places(count), k)
    expected = np.bincount(np.concatenate(brute_force(vectors, k)), minlength=count)
    assert (seen.occurrences == expected).all()
    assert seen.skewness == pytest.approx(float(skew(expected)))
    assert seen.hubs is not None
    assert seen.orphans is not None
    assert set(seen.hubs.tolist()) == {n for n in range(count) if expected[n] >= 5 * k}
    assert seen.hubs[0] == 3
    assert set(seen.orphans.tolist()) == {n for n in range(count) if expected[n] == 0}
    cosines = seen.nearest_cosine[seen.orphans]
    assert (np.diff(cosines) >= 0).all()  # those farthest from all come first


def test_few_chunks_say_nothing_of_hubs_and_orphans() -> None:
    vectors = unit(np.random.default_rng(1).standard_normal((49, 8)))
    seen = neighbourhood(vectors, places(49), 5)
    assert (seen.hubs, seen.orphans, seen.skewness) == (None, None, None)
    one = neighbourhood(vectors[:1], places(1), 5)
    assert one.near_duplicates == []
    assert neighbourhood(vectors[:0], places(0), 5).near_duplicates == []


def test_a_centre_that_all_are_nearest_to_is_a_hub_and_the_rest_by_occurrence() -> None:
    assert hubs(np.array([3, 26, 25, 24, 40]), 5).tolist() == [4, 1, 2]
    alone = orphans(np.array([0, 2, 0, 0]), np.array([0.5, 0.1, 0.2, 0.9], np.float32))
    assert alone.tolist() == [2, 0, 3]
    assert skewness(np.array([4, 4, 4])) == 0


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 50), min_size=3, max_size=60).filter(lambda n: len(set(n)) > 1))
def test_skewness_is_scipys(occurrences: list[int]) -> None:
    assert skewness(np.array(occurrences)) == pytest.approx(float(skew(occurrences)), abs=1e-9)
