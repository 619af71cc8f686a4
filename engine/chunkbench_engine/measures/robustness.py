"""How evenly a strategy does over the questions: two of the same mean can differ in it.

The third of these measures, the share of questions without a full answer, is
`ranking.zero_hit`. `values` is `(strategies, questions)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

DECILE = 10


def standard_deviation(values: ArrayLike) -> NDArray[np.float64]:
    """Of each strategy's scores over the questions, as of a sample (n - 1): `(strategies,)`.

    NaN for a single question.
    """
    table = np.asarray(values, dtype=np.float64)
    if table.shape[1] < 2:
        return np.full(len(table), np.nan)
    return np.asarray(table.std(axis=1, ddof=1))


def worst_decile(values: ArrayLike) -> NDArray[np.float64]:
    """Mean of each strategy's lowest tenth of scores, a tenth rounded up: `(strategies,)`."""
    table = np.sort(np.asarray(values, dtype=np.float64), axis=1)
    return np.asarray(table[:, : -(-table.shape[1] // DECILE)].mean(axis=1))
