"""How sure a mean over questions is, and whether two of them differ.

`values` is `(strategies, questions)`: one measure, one value a question, every strategy on the same
questions in the same order. All results repeat exactly for the same seed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

RESAMPLES = 10_000
SEED = 20_240_501
LEVEL = 0.95

_BLOCK = 2_000_000
"""Random numbers drawn at once: bounds the memory whatever the number of questions."""
_EQUAL = 1e-12
"""Differences of means below this are rounding."""


class Interval(NamedTuple):
    """Mean over questions with its confidence interval, each `(strategies,)`."""

    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class Comparison(NamedTuple):
    """Each strategy against the leader.

    Attributes:
        leader: the row with the best mean, the first of equals.
        p: `(strategies,)` p-values, Holm-corrected over the others; 1 for the leader itself.
    """

    leader: int
    p: NDArray[np.float64]


def bootstrap_interval(
    values: ArrayLike, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = SEED
) -> Interval:
    """Percentile bootstrap over questions (Efron & Tibshirani 1993, section 13.3)."""
    table = _table(values)
    means = np.concatenate(list(_resampled_means(table, resamples, seed)))
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail], axis=0)
    return Interval(table.mean(axis=1), low, high)


def selection_probability(
    values: ArrayLike,
    higher_is_better: bool = True,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> NDArray[np.float64]:
    """Share of the bootstrap resamples in which each strategy is best: `(strategies,)`, sum 1.

    All strategies are measured on the same resample of the questions. Those that are equally good
    in a resample share it.
    """
    table = _table(values)
    wins = np.zeros(len(table))
    for means in _resampled_means(table, resamples, seed):
        good = means if higher_is_better else -means
        best = good >= good.max(axis=1, keepdims=True) - _EQUAL
        wins += (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    return wins / resamples


def permutation_test(
    first: ArrayLike, second: ArrayLike, resamples: int = RESAMPLES, seed: int = SEED
) -> float:
    """Two-sided p-value of a paired permutation test on the mean difference.

    Under the null hypothesis the sign of each question's difference is a coin toss (Smucker et
    al. 2007). All assignments of signs are counted where they are no more than `resamples`
    (questions without a difference do not matter), else so many are drawn; the one observed is
    then counted with those drawn, so that p is never 0.

    Args:
        first, second: `(questions,)`, paired.
    """
    difference = np.subtract(first, second, dtype=np.float64)
    if difference.ndim != 1 or difference.size == 0 or not np.isfinite(difference).all():
        raise ValueError("a paired test needs two values for every question")
    difference = difference[np.abs(difference) > _EQUAL]
    observed = abs(difference.sum())
    count = len(difference)
    least = observed - _EQUAL * max(1.0, observed)
    if 2**count <= resamples:
        codes = np.arange(2**count)[:, None] >> np.arange(count) & 1
        return float((np.abs((codes * 2 - 1) @ difference) >= least).mean())
    generator = np.random.default_rng(seed)
    extreme = 0
    for size in _blocks(resamples, count):
        signs = generator.integers(0, 2, (size, count), dtype=np.int8) * 2 - 1
        extreme += int((np.abs(signs @ difference) >= least).sum())
    return (extreme + 1) / (resamples + 1)


def permutation_tests(
    differences: ArrayLike, resamples: int = RESAMPLES, seed: int = SEED
) -> NDArray[np.float64]:
    """`permutation_test` of every row against no difference: `(rows,)`, not corrected.

    Rows of many questions are tested with the same signs, which are drawn once: each p is what it
    would be alone, up to the chance of the draw.

    Args:
        differences: `(rows, questions)`, paired differences.
    """
    table = _table(differences)
    table = np.where(np.abs(table) > _EQUAL, table, 0.0)
    p = np.empty(len(table))
    few = 2.0 ** np.count_nonzero(table, axis=1) <= resamples
    for row in np.flatnonzero(few):
        p[row] = permutation_test(table[row], np.zeros_like(table[row]))
    many = table[~few]
    if not len(many):
        return p
    observed = np.abs(many.sum(axis=1))
    least = observed - _EQUAL * np.maximum(1.0, observed)
    generator = np.random.default_rng(seed)
    extreme = np.zeros(len(many), dtype=np.int64)
    for size in _blocks(resamples, table.shape[1]):
        signs = generator.integers(0, 2, (size, table.shape[1]), dtype=np.int8) * 2.0 - 1.0
        extreme += (np.abs(signs @ many.T) >= least).sum(axis=0)
    p[~few] = (extreme + 1) / (resamples + 1)
    return p


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """p-values corrected for being many (Holm 1979), in the order given."""
    raw = np.asarray(p, dtype=np.float64)
    order = np.argsort(raw, kind="stable")
    factors = np.arange(len(raw), 0, -1)
    stepped = np.minimum(1.0, np.maximum.accumulate(raw[order] * factors))
    corrected = np.empty_like(stepped)
    corrected[order] = stepped
    return corrected


def against_leader(
    values: ArrayLike,
    higher_is_better: bool = True,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Comparison:
    """Paired permutation test of every strategy against the one with the best mean."""
    table = _table(values)
    means = table.mean(axis=1) if higher_is_better else -table.mean(axis=1)
    leader = int(np.argmax(means >= means.max() - _EQUAL))
    others = [row for row in range(len(table)) if row != leader]
    p = np.ones(len(table))
    p[others] = holm(
        [permutation_test(table[leader], table[row], resamples, seed) for row in others]
    )
    return Comparison(leader, p)


def _resampled_means(
    table: NDArray[np.float64], resamples: int, seed: int
) -> Iterator[NDArray[np.float64]]:
    """Means over resampled questions, `(block, strategies)`: the same questions for every row."""
    generator = np.random.default_rng(seed)
    questions = table.shape[1]
    for size in _blocks(resamples, questions):
        drawn = generator.integers(0, questions, (size, questions))
        drawn += np.arange(size)[:, None] * questions
        times = np.bincount(drawn.ravel(), minlength=size * questions).reshape(size, questions)
        yield times @ table.T / questions


def _blocks(resamples: int, width: int) -> Iterator[int]:
    size = max(1, _BLOCK // max(1, width))
    for start in range(0, resamples, size):
        yield min(size, resamples - start)


def _table(values: ArrayLike) -> NDArray[np.float64]:
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or table.size == 0:
        raise ValueError("values must be (strategies, questions), with at least one of each")
    if not np.isfinite(table).all():
        raise ValueError("every strategy needs a value for every question")
    return table
