"""Interval arithmetic is set arithmetic."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.measures.intervals import difference, intersection, union

SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=8)


def members(spans: list[tuple[int, int]]) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}


@settings(max_examples=100, deadline=None)
@given(SPANS, SPANS)
def test_they_give_the_same_characters_as_sets_do(
    first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> None:
    one, two = union(first), union(second)
    assert members(one) == members(first)
    assert members(intersection(one, two)) == members(first) & members(second)
    assert members(difference(one, two)) == members(first) - members(second)
    for result in (one, intersection(one, two), difference(one, two)):
        assert all(start < end for start, end in result)
        assert all(before[1] <= after[0] for before, after in pairwise(result))
