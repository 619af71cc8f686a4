"""Frontiers, correlations, robustness, distributions and heat maps, by their definitions and
against scipy and the standard library."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from chunkbench_engine.measures.correlation import correlation
from chunkbench_engine.measures.distribution import score_bins
from chunkbench_engine.measures.heat_map import heat_map
from chunkbench_engine.measures.pareto import frontier
from chunkbench_engine.measures.ranking import zero_hit
from chunkbench_engine.measures.robustness import standard_deviation, worst_decile

quick = settings(max_examples=60, deadline=None)
small = st.integers(0, 6).map(lambda n: n / 4)
points = st.lists(st.tuples(small, small), min_size=1, max_size=20)
scores = st.floats(0, 1)
NAN = float("nan")


def beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether a (quality, cost) is at least as good for at most the cost, and not equal."""
    return one[0] >= other[0] and one[1] <= other[1] and one != other


@quick
@given(points)
def test_the_frontier_is_what_no_other_point_beats(found: list[tuple[float, float]]) -> None:
    members = frontier(*zip(*found, strict=True))
    for point, member in zip(found, members, strict=True):
        assert member == (not any(beats(other, point) for other in found))


def test_what_is_not_known_is_not_on_the_frontier_and_keeps_nobody_off_it() -> None:
    assert frontier([NAN, 0.9, 0.5], [1.0, NAN, 7.0]).tolist() == [False, False, True]
    assert frontier([], []).tolist() == []


def test_equal_points_are_on_the_frontier_together() -> None:
    assert frontier([0.5, 0.5, 0.4], [2.0, 2.0, 2.0]).tolist() == [True, True, False]


@quick
@given(st.integers(3, 12), st.integers(0, 2**32 - 1))
def test_correlations_are_those_of_scipy(configurations: int, seed: int) -> None:
    drawn = np.random.default_rng(seed)
    sizes = drawn.choice([1e-6, 1.0, 1e12], size=(4, 1))  # seconds beside bytes
    table = drawn.normal(3.0, 1.0, (4, configurations)) * sizes
    found = correlation(table)
    for one in range(4):
        for other in range(4):
            expected = stats.pearsonr(table[one], table[other]).statistic
            assert found.r[one, other] == pytest.approx(expected, abs=1e-9)
    assert (found.shared == configurations).all()


def test_two_measures_are_correlated_over_the_configurations_that_have_both() -> None:
    found = correlation([[1.0, 2.0, 3.0, NAN, 9.0], [2.0, 5.0, 1.0, 7.0, NAN]])
    expected = stats.pearsonr([1.0, 2.0, 3.0], [2.0, 5.0, 1.0]).statistic
    assert found.r[0, 1] == pytest.approx(expected)
    assert found.shared.tolist() == [[4, 3], [3, 4]]


@pytest.mark.parametrize(
    "table",
    [
        [[1.0, 2.0], [3.0, 4.0]],  # two points always lie on a line
        [[0.1 + 0.2, 0.3, 0.3], [1.0, 2.0, 3.0]],  # the same but for rounding
        [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]],
    ],
)
def test_where_nothing_can_be_said_there_is_no_correlation(table: list[list[float]]) -> None:
    assert np.isnan(correlation(table).r[0, 1])


@quick
@given(st.lists(scores, min_size=2, max_size=40))
def test_robustness_by_its_definition(values: list[float]) -> None:
    assert standard_deviation([values])[0] == pytest.approx(statistics.stdev(values), abs=1e-12)
    tenth = sorted(values)[: (len(values) + 9) // 10]
    assert worst_decile([values])[0] == pytest.approx(statistics.fmean(tenth))
    assert worst_decile([values])[0] <= statistics.fmean(values) + 1e-12


def test_a_single_question_has_no_spread() -> None:
    assert np.isnan(standard_deviation([[0.5]])).all()
    assert worst_decile([[0.5]]).tolist() == [0.5]


def test_the_zero_hit_rate_is_the_share_without_a_full_answer() -> None:
    gains = np.array([[2, 0], [0, 2], [1, 1], [0, 0]], dtype=np.int8)
    assert zero_hit(gains, 2).mean() == 0.5
    assert zero_hit(gains, 1).mean() == 0.75


@quick
@given(st.lists(scores, min_size=1, max_size=40))
def test_every_question_is_in_one_tenth_of_the_scale(values: list[float]) -> None:
    assume(all(abs(value * 10 - round(value * 10)) > 1e-9 or value in (0, 1) for value in values))
    expected = [0] * 10
    for value in values:
        expected[min(int(value * 10), 9)] += 1
    assert score_bins([values]).tolist() == [expected]


def test_both_ends_of_the_scale_are_counted() -> None:
    assert score_bins([[0.0, 0.05, 0.5, 1.0]])[0].tolist() == [2, 0, 0, 0, 0, 1, 0, 0, 0, 1]


@quick
@given(st.lists(st.tuples(scores, st.sampled_from(["a", "b", None])), min_size=1, max_size=30))
def test_a_heat_map_is_the_mean_over_each_group(found: list[tuple[float, str | None]]) -> None:
    values, groups = zip(*found, strict=True)
    cells = heat_map([values, [1 - v for v in values]], groups)
    assert cells.groups == tuple(sorted({g for g in groups if g is not None}))
    for column, group in enumerate(cells.groups):
        of = [value for value, named in found if named == group]
        assert cells.questions[column] == len(of)
        assert cells.means[0, column] == pytest.approx(statistics.fmean(of))
        assert cells.means[:, column].sum() == pytest.approx(1)
