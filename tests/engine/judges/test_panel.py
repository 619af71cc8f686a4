"""A panel's grade is the median of its members', and says where they differ."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkbench_engine.judges.judge import Grade
from chunkbench_engine.judges.panel import panel_grade, panel_id


@pytest.mark.parametrize(
    ("grades", "median"),
    [
        ([2], 2),
        ([0, 2, 2], 2),
        ([0, 1, 2], 1),
        ([0, 2, 0], 0),
        # of an even number: the mean of the two in the middle, rounded down
        ([0, 2], 1),
        ([1, 2], 1),
        ([0, 1], 0),
        ([0, 0, 2, 2], 1),
        ([0, 1, 2, 2], 1),
    ],
)
def test_the_median_counts(grades: list[int], median: int) -> None:
    assert panel_grade([Grade(value, "") for value in grades]).value == median


@given(st.lists(st.sampled_from([0, 1, 2]), min_size=1))
def test_it_is_the_median_rounded_down_in_whatever_order(grades: list[int]) -> None:
    found = panel_grade([Grade(value, "") for value in grades]).value
    assert found == int(statistics.median(grades))
    assert found == panel_grade([Grade(value, "") for value in reversed(grades)]).value


def test_disagreement_is_kept_with_the_reason_of_a_member_that_says_the_median() -> None:
    said = panel_grade([Grade(0, "no"), Grade(2, "yes"), Grade(1, "half")])
    assert said == Grade(1, "grades 0, 2, 1, they disagree: half")
    assert panel_grade([Grade(2, "a"), Grade(2, "b")]).reason == "grades 2, 2, all agree: a"


def test_a_panel_is_the_same_in_whatever_order_its_members_are_named() -> None:
    assert panel_id(["a", "b"]) == panel_id(["b", "a"]) == "panel of 2: a; b"
