"""Hubs and orphans: how often a chunk is among the nearest of the others.

k-occurrence N_k, its skewness as the measure of hubness: Radovanović, Nanopoulos and Ivanović,
Hubs in Space, JMLR 11 (2010), equation 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.diagnose.kinds import HUB_FACTOR

if TYPE_CHECKING:
    from numpy.typing import NDArray


def skewness(occurrences: NDArray[np.int64]) -> float:
    """Third standardised moment of the k-occurrences; 0 where all are equal."""
    deviations = occurrences - occurrences.mean()
    spread = float(np.sqrt((deviations**2).mean()))
    return float((deviations**3).mean()) / spread**3 if spread else 0.0


def hubs(occurrences: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Chunks in `HUB_FACTOR` times as many neighbourhoods as their share, the greatest first."""
    order = np.argsort(-occurrences, kind="stable")
    return order[occurrences[order] >= HUB_FACTOR * k]


def orphans(
    occurrences: NDArray[np.int64], nearest_cosine: NDArray[np.float32]
) -> NDArray[np.int64]:
    """Chunks in no neighbourhood, those farthest from any other first."""
    alone = np.flatnonzero(occurrences == 0)
    return alone[np.argsort(nearest_cosine[alone], kind="stable")]
