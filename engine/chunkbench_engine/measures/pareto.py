"""Which strategies are worth their cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def frontier(quality: ArrayLike, cost: ArrayLike) -> NDArray[np.bool_]:
    """Whether each point is on the Pareto frontier.

    It is where no other point is at least as good for at most its cost and better in one of the
    two. Equal points are on it together.

    Args:
        quality: `(points,)`, more is better.
        cost: `(points,)`, less is better.

    A point of which one is not known (NaN) is not on it, and keeps no other off it.
    """
    good, dear = np.asarray(quality, dtype=np.float64), np.asarray(cost, dtype=np.float64)
    member = np.zeros(len(good), dtype=bool)
    known = np.flatnonzero(~(np.isnan(good) | np.isnan(dear)))
    best_so_far = -np.inf
    for price in np.unique(dear[known]):
        asking = known[dear[known] == price]
        best = good[asking].max()
        if best > best_so_far:
            member[asking[good[asking] == best]] = True
            best_so_far = best
    return member
