"""Intervals, tests and selection probabilities, against scipy and by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from chunkbench_engine.measures import statistics
from chunkbench_engine.measures.statistics import (
    against_leader,
    bootstrap_interval,
    holm,
    permutation_test,
    permutation_tests,
    selection_probability,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


def scores(seed: int, strategies: int = 3, questions: int = 60) -> NDArray[np.float64]:
    generator = np.random.default_rng(seed)
    return generator.beta(2, 1 + np.arange(strategies)[:, None] / 4, (strategies, questions))


@pytest.mark.parametrize("questions", [8, 60])
def test_intervals_agree_with_scipys_percentile_bootstrap(questions: int) -> None:
    from scipy.stats import bootstrap

    table = scores(1, questions=questions)
    ours = bootstrap_interval(table)
    for row, values in enumerate(table):
        theirs = bootstrap(
            (values,),
            np.mean,
            n_resamples=40_000,
            method="percentile",
            rng=np.random.default_rng(5),
        ).confidence_interval
        # Two draws of a 2.5 % quantile differ by a few hundredths of the standard error.
        slack = 0.1 * values.std() / np.sqrt(questions)
        assert ours.low[row] == pytest.approx(theirs.low, abs=slack)
        assert ours.high[row] == pytest.approx(theirs.high, abs=slack)
    assert ours.mean == pytest.approx(table.mean(axis=1))


def test_intervals_by_hand_of_two_questions() -> None:
    # A mean of two draws from 0 and 1 is 0, 0.5 or 1, with chances 1/4, 1/2, 1/4.
    ours = bootstrap_interval([[0.0, 1.0]], level=0.6)
    assert (ours.mean[0], ours.low[0], ours.high[0]) == (0.5, 0.0, 1.0)
    ours = bootstrap_interval([[0.0, 1.0]], level=0.4)
    assert (ours.low[0], ours.high[0]) == (0.5, 0.5)


def test_results_repeat_exactly_and_do_not_depend_on_how_the_draws_are_split_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = scores(2)
    once = bootstrap_interval(table), selection_probability(table), permutation_test(*table[:2])
    monkeypatch.setattr(statistics, "_BLOCK", 777)
    again = bootstrap_interval(table), selection_probability(table), permutation_test(*table[:2])
    assert once[0].low == pytest.approx(again[0].low, abs=1e-12)
    assert once[0].high == pytest.approx(again[0].high, abs=1e-12)
    assert once[1] == pytest.approx(again[1])
    assert once[2] == again[2]
    assert bootstrap_interval(table, seed=1).low.tolist() != once[0].low.tolist()


def test_strategies_are_resampled_together() -> None:
    # Always 0.01 better: never sure of its mean, but sure to be best.
    table = scores(3, strategies=1)
    both = np.concatenate([table, table + 0.01])
    assert selection_probability(both).tolist() == [0, 1]
    assert selection_probability(both, higher_is_better=False).tolist() == [1, 0]


def test_selection_probability_is_shared_among_equals_and_sums_to_one() -> None:
    table = scores(4, strategies=2, questions=31)
    three = np.concatenate([table, table[:1]])
    pair, trio = selection_probability(table), selection_probability(three)
    assert trio == pytest.approx([pair[0] / 2, pair[1], pair[0] / 2])
    assert trio.sum() == pytest.approx(1)


def test_selection_probability_by_hand() -> None:
    # Resamples of two questions: both first (1/4), both second (1/4), one of each (1/2, a tie).
    found = selection_probability([[1.0, 0.0], [0.0, 1.0]], resamples=100_000)
    assert found == pytest.approx([0.5, 0.5], abs=0.01)
    # The second wins unless the first question is drawn twice.
    found = selection_probability([[1.0, 0.0], [0.0, 1.5]], resamples=100_000)
    assert found == pytest.approx([0.25, 0.75], abs=0.01)


def test_the_exact_permutation_test_by_hand() -> None:
    # Of the 8 signings of 1, 2, 3 only +++ and --- give a sum as far out as 6.
    assert permutation_test([1, 2, 3], [0, 0, 0]) == 2 / 8
    assert permutation_test([1, 2, -3], [0, 0, 0]) == 1.0
    assert permutation_test([0.3, 0.4], [0.3, 0.4]) == 1.0


@pytest.mark.parametrize("seed", range(5))
def test_the_exact_permutation_test_agrees_with_scipy(seed: int) -> None:
    from scipy.stats import permutation_test as scipy_test

    generator = np.random.default_rng(seed)
    first, second = generator.integers(0, 5, (2, 10)) / 4  # ties and zero differences included
    theirs = scipy_test(
        (first, second),
        lambda x, y, axis: (x - y).mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    ).pvalue
    assert permutation_test(first, second) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("shift", [0.0, 0.03, 0.08])
def test_the_drawn_permutation_test_agrees_with_scipy(shift: float) -> None:
    from scipy.stats import permutation_test as scipy_test

    first, second = scores(6, strategies=2, questions=80)
    first = first + shift
    theirs = scipy_test(
        (first, second),
        lambda x, y, axis: (x - y).mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=20_000,
        rng=np.random.default_rng(7),
    ).pvalue
    ours = permutation_test(first, second)
    assert ours == pytest.approx(theirs, abs=5 * np.sqrt(theirs * (1 - theirs) / 10_000) + 1e-4)
    assert ours == permutation_test(second, first)


def test_a_drawn_p_value_is_never_0() -> None:
    assert permutation_test(np.ones(40), np.zeros(40)) == 1 / 10_001


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.6]) == pytest.approx([1.0, 1.0])
    assert holm([]).tolist() == []


def test_every_strategy_is_compared_with_the_leader_and_corrected_for_their_number() -> None:
    table = scores(8)
    found = against_leader(table)
    assert found.leader == int(table.mean(axis=1).argmax())
    others = [row for row in range(3) if row != found.leader]
    raw = [permutation_test(table[found.leader], table[row]) for row in others]
    assert found.p[others] == pytest.approx(holm(raw))
    assert found.p[found.leader] == 1
    lowest = against_leader(table, higher_is_better=False)
    assert lowest.leader == int(table.mean(axis=1).argmin())


def test_under_the_null_hypothesis_one_in_twenty_is_found_significant() -> None:
    generator = np.random.default_rng(9)
    found = [
        permutation_test(*generator.normal(size=(2, 12)), resamples=4096) <= 0.05
        for _ in range(400)
    ]
    assert 0.02 <= np.mean(found) <= 0.08


@pytest.mark.parametrize("bad", [[], [[]], [[1.0, float("nan")]], [1.0, 2.0]])
def test_a_missing_value_is_refused_rather_than_averaged_over(bad: list[object]) -> None:
    with pytest.raises(ValueError, match=r"values must be|every strategy needs"):
        bootstrap_interval(bad)


def test_many_permutation_tests_are_those_one_by_one() -> None:
    table = scores(3, strategies=5, questions=60) - scores(4, strategies=5, questions=60)
    table[1, 6:] = 0.0  # few questions differ: every assignment of signs is counted
    table[2] = 0.0
    together = permutation_tests(table)
    alone = [permutation_test(row, np.zeros(60)) for row in table]
    assert together[1] == alone[1]
    assert together[2] == 1
    assert together == pytest.approx(alone, abs=0.02)
    assert permutation_tests(-table) == pytest.approx(together)
