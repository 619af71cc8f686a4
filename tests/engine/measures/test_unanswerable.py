"""The area under the ROC curve of the top score."""

from __future__ import annotations

import numpy as np
import pytest

from chunkbench_engine.measures.unanswerable import auc


def test_by_hand() -> None:
    assert auc([0.9, 0.8], [0.1, 0.2]) == 1
    assert auc([0.1], [0.9]) == 0
    assert auc([0.5], [0.5]) == 0.5
    # Of the 6 pairs, 0.4 wins one, ties one; 0.8 wins two and ties none of (0.3, 0.4, 0.9).
    assert auc([0.4, 0.8], [0.3, 0.4, 0.9]) == pytest.approx((1 + 0.5 + 2) / 6)


def test_agrees_with_the_mann_whitney_statistic_of_scipy() -> None:
    from scipy.stats import mannwhitneyu

    generator = np.random.default_rng(3)
    first = generator.integers(0, 20, 57) / 20
    second = generator.integers(0, 15, 31) / 20
    u = mannwhitneyu(first, second).statistic
    assert auc(first, second) == pytest.approx(u / (57 * 31), abs=1e-12)


def test_both_kinds_of_question_are_needed() -> None:
    with pytest.raises(ValueError, match="both kinds"):
        auc([0.3], [])
