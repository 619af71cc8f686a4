"""How far two judges agree, from the table of the grades that both gave to the same passages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two judges on the passages that both graded.

    Attributes:
        passages: number of passages.
        exact: share of them with the same grade.
        kappa: Cohen's, with linear weights; None where chance alone explains all, as when both
            judges give one and the same grade throughout.
        pearson: correlation of the grades; None where one judge gives one grade throughout.
    """

    passages: int
    exact: float
    kappa: float | None
    pearson: float | None


def agreement(counts: ArrayLike) -> Agreement:
    """Agreement from a confusion table.

    Args:
        counts: `(grades, grades)`; `counts[i][j]` passages got i from the first and j from the
            second.

    Raises:
        ValueError: no passage, or no square table.
    """
    table = _table(counts)
    return Agreement(
        passages=int(table.sum()),
        exact=float(np.trace(table) / table.sum()),
        kappa=cohen_kappa(table),
        pearson=pearson(table),
    )


def cohen_kappa(counts: ArrayLike) -> float | None:
    """Cohen's kappa with linear weights (Cohen 1968): 1 for equal grades, 0 for chance.

    One minus the distance between the grades over that expected if the judges, each with its own
    frequencies, did not know of one another.
    """
    table = _table(counts)
    grades = np.arange(len(table))
    distance = np.abs(np.subtract.outer(grades, grades))
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    by_chance = float((distance * expected).sum())
    return 1 - float((distance * table).sum()) / by_chance if by_chance else None


def pearson(counts: ArrayLike) -> float | None:
    """Pearson's r between the grades of the two judges."""
    table = _table(counts)
    if min(np.count_nonzero(table.sum(axis=axis)) for axis in (0, 1)) < 2:
        return None
    share = table / table.sum()
    grades = np.arange(len(table))
    first, second = share.sum(axis=1), share.sum(axis=0)
    means = float(grades @ first), float(grades @ second)
    centred = grades - means[0], grades - means[1]
    spread = float(centred[0] ** 2 @ first) * float(centred[1] ** 2 @ second)
    return float(centred[0] @ share @ centred[1] / np.sqrt(spread))


def _table(counts: ArrayLike) -> NDArray[np.float64]:
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not table.sum():
        raise ValueError("counts must be a square table, with at least one passage")
    return table
