"""How the questions are spread over the scale of a score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

BINS = 10


def score_bins(values: ArrayLike) -> NDArray[np.int64]:
    """Questions in each tenth of the scale from 0 to 1, both ends included: `(strategies, 10)`.

    Args:
        values: `(strategies, questions)`, each between 0 and 1.
    """
    table = np.asarray(values, dtype=np.float64)
    counts = [np.histogram(row, bins=BINS, range=(0.0, 1.0))[0] for row in table]
    return np.array(counts, dtype=np.int64).reshape(-1, BINS)
