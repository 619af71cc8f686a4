"""How measures go together over the configurations of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

FEWEST = 3
"""Configurations below which nothing is said: two points always lie on a line."""
_SAME = 1e-13
"""Spread, against the size of the numbers, below which it is rounding."""


class Correlation(NamedTuple):
    """Pearson's r of each two measures.

    Attributes:
        r: `(measures, measures)`; NaN where one of the two is the same everywhere, or where fewer
            than `FEWEST` configurations have both.
        shared: `(measures, measures)`, the configurations that have both.
    """

    r: NDArray[np.float64]
    shared: NDArray[np.int64]


def correlation(table: ArrayLike) -> Correlation:
    """Pearson's product-moment correlation of the rows of a table.

    Args:
        table: `(measures, configurations)`, NaN where a configuration has no such measure: each
            two measures are correlated over the configurations that have both.
    """
    values = np.asarray(table, dtype=np.float64)
    known = ~np.isnan(values)
    shared = known.astype(np.int64) @ known.T.astype(np.int64)
    r = np.full(shared.shape, np.nan)
    for one in range(len(values)):
        for other in range(one + 1):
            both = known[one] & known[other]
            r[one, other] = r[other, one] = _pearson(values[one, both], values[other, both])
    return Correlation(r, shared)


def _pearson(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    if len(first) < FEWEST or _is_constant(first) or _is_constant(second):
        return float("nan")
    # Scaled first, so that the squares of bytes and of seconds neither overflow nor vanish.
    one, other = (_unit(values - values.mean()) for values in (first, second))
    return float(np.clip(one @ other, -1.0, 1.0))


def _is_constant(values: NDArray[np.float64]) -> bool:
    return bool(np.ptp(values) <= _SAME * np.abs(values).max())


def _unit(deviations: NDArray[np.float64]) -> NDArray[np.float64]:
    scaled: NDArray[np.float64] = deviations / np.abs(deviations).max()
    return np.asarray(scaled / np.linalg.norm(scaled))
