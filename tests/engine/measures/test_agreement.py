"""Agreement between judges, by hand and against scikit-learn and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from chunkbench_engine.measures.agreement import agreement, cohen_kappa, pearson

TABLES = st.lists(
    st.lists(st.integers(0, 20), min_size=3, max_size=3), min_size=3, max_size=3
).filter(lambda table: any(map(any, table)))


def pairs(table: list[list[int]]) -> tuple[list[int], list[int]]:
    """The grades that a table counts."""
    told = [(i, j) for i in range(3) for j in range(3) for _ in range(table[i][j])]
    return [i for i, _ in told], [j for _, j in told]


def test_by_hand() -> None:
    # 10 passages; the first gives 0 to 4, 1 to 3, 2 to 3; the second 0 to 4, 1 to 3, 2 to 3
    table = [[3, 1, 0], [1, 1, 1], [0, 1, 2]]
    # observed distance: four passages one grade apart: 4
    # expected: one apart, (4·3 + 3·4 + 3·3 + 3·3) / 10; two apart, 2·(4·3 + 3·4) / 10
    assert cohen_kappa(table) == pytest.approx(1 - 4 / (4.2 + 4.8))
    # means 0.9; covariance (1·1·1 + 1·2·1 + 2·1·1 + 2·2·2) / 10 - 0.81 = 0.49; variance 0.69
    assert pearson(table) == pytest.approx(0.49 / 0.69)
    found = agreement(table)
    assert (found.passages, found.exact) == (10, 0.6)


def test_equal_grades_agree_fully_and_opposite_ones_not_at_all() -> None:
    same = agreement(np.diag([3, 2, 5]))
    assert (same.exact, same.kappa, same.pearson) == (1, 1, pytest.approx(1))
    opposite = agreement([[0, 0, 5], [0, 0, 0], [5, 0, 0]])
    assert (opposite.exact, opposite.kappa, opposite.pearson) == (0, -1, pytest.approx(-1))


def test_a_miss_by_two_weighs_double() -> None:
    near = cohen_kappa([[4, 1, 0], [0, 5, 0], [0, 0, 5]])
    far = cohen_kappa([[4, 0, 1], [0, 5, 0], [0, 0, 5]])
    assert near is not None
    assert far is not None
    assert far < near < 1


def test_where_one_judge_says_the_same_of_all_there_is_no_correlation() -> None:
    one_sided = agreement([[3, 4, 0], [0, 0, 0], [0, 0, 0]])
    assert (one_sided.kappa, one_sided.pearson) == (0, None)
    assert agreement([[7, 0, 0], [0, 0, 0], [0, 0, 0]]).kappa is None


@pytest.mark.parametrize("counts", [[], [[0, 0], [0, 0]], [[1, 2, 3]], [1, 2]])
def test_what_is_no_table_of_passages_is_refused(counts: list[object]) -> None:
    with pytest.raises(ValueError, match="square table"):
        agreement(counts)


@given(TABLES)
def test_pearson_is_scipy_s(table: list[list[int]]) -> None:
    from scipy.stats import pearsonr

    first, second = pairs(table)
    assume(len(set(first)) > 1 and len(set(second)) > 1)
    assert pearson(table) == pytest.approx(pearsonr(first, second).statistic, abs=1e-9)


@given(TABLES)
def test_kappa_is_scikit_learn_s(table: list[list[int]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    first, second = pairs(table)
    assume(len({*first, *second}) > 1)
    expected = metrics.cohen_kappa_score(first, second, labels=[0, 1, 2], weights="linear")
    assert cohen_kappa(table) == pytest.approx(expected, abs=1e-9)


@given(TABLES)
def test_who_comes_first_does_not_matter(table: list[list[int]]) -> None:
    turned = np.array(table).T
    assert cohen_kappa(table) == pytest.approx(cohen_kappa(turned))
    assert pearson(table) == pytest.approx(pearson(turned))
