"""Measures of ranked lists that end with a budget of tokens; grades as in `ranking`.

`grades` and `tokens` are `(..., depth)`: grade and length of each passage of a list in rank order,
both 0 where a list is shorter than `depth`. `spans` is `(..., depth, 3)`: document, start and end.

nDCG within a budget differs from nDCG@k in two ways, as a list may be of any length:

* Text that comes twice gains once (as in α-nDCG with α = 1, Clarke et al. 2008): a passage gains
  its grade less the best grade of those before it that it overlaps. Otherwise a list would gain
  by spending its budget on one passage again and again.
* The ideal list is bound by the same budget, and gives no text twice: of all passages that were
  graded, the highest grades first, of equal ones the shortest, leaving out what overlaps one
  before it, until the budget is spent. To fill a budget best is a knapsack problem, which this
  order need not solve: where some strategy's list has a higher DCG, that is the ideal. So no
  value is above 1.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.measures.ranking import dcg

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from chunkbench_engine.chunkers.chunk import Span


def fresh_gains(grades: ArrayLike, spans: ArrayLike) -> NDArray[np.float64]:
    """What each passage gains: its grade, less the best of those before it that it overlaps.

    Args:
        grades: `(questions, depth)`.
        spans: `(questions, depth, 3)`.
    """
    graded = np.asarray(grades, dtype=np.float64)
    places = np.asarray(spans)
    gains = graded.copy()
    for question, rank in np.argwhere(graded > 0):
        document, start, end = places[question, rank]
        before = places[question, :rank]
        overlaps = (before[:, 0] == document) & (before[:, 1] < end) & (start < before[:, 2])
        given = graded[question, :rank][overlaps].max(initial=0.0)
        gains[question, rank] = max(graded[question, rank] - given, 0.0)
    return gains


def ndcg_pooled_budget(
    gains: ArrayLike, grades: ArrayLike, tokens: ArrayLike, spans: ArrayLike, budget: int
) -> NDArray[np.float64]:
    """nDCG within a budget, against the best that all lists together offered.

    Args:
        gains: of `fresh_gains`, `(strategies, questions, depth)`, of strategies under the same
            corpus and model.
        grades, tokens: likewise.
        spans: `(strategies, questions, depth, 3)`.
        budget: in tokens.

    Returns:
        `(strategies, questions)`.
    """
    graded, lengths, places = np.asarray(grades), np.asarray(tokens), np.asarray(spans)
    own = dcg(gains, graded.shape[-1])
    ideal = [
        ideal_dcg(
            graded[:, question].ravel(),
            lengths[:, question].ravel(),
            places[:, question].reshape(-1, 3),
            budget,
        )
        for question in range(graded.shape[1])
    ]
    return _normalised(own, np.maximum(ideal, own.max(axis=0)))


def ndcg_index_budget(gains: ArrayLike, ideal: ArrayLike) -> NDArray[np.float64]:
    """nDCG within a budget, against the best that the configuration's own index holds.

    Args:
        gains: of `fresh_gains`, `(questions, depth)`.
        ideal: `ideal_dcg` of all chunks of the index, `(questions,)`.
    """
    own = dcg(gains, np.shape(gains)[-1])
    return _normalised(own, np.maximum(ideal, own))


def ideal_dcg(grades: ArrayLike, tokens: ArrayLike, spans: ArrayLike, budget: int) -> float:
    """DCG of the ideal list of these passages: those of it that begin within the budget.

    Args:
        grades, tokens: `(n,)`, in any order.
        spans: `(n, 3)`.
        budget: in tokens.
    """
    graded, lengths = np.asarray(grades), np.asarray(tokens)
    useful = np.flatnonzero(graded)
    places = np.asarray(spans)[useful].tolist()
    taken: dict[int, list[Span]] = defaultdict(list)
    listed: list[float] = []
    left = budget
    for at in np.lexsort((lengths[useful], -graded[useful].astype(np.int64))):
        document, start, end = places[at]
        if any(
            start < other_end and other_start < end for other_start, other_end in taken[document]
        ):
            continue
        taken[document].append((start, end))
        listed.append(float(graded[useful[at]]))
        left -= int(lengths[useful[at]])
        if left <= 0:
            break
    return float(dcg(listed, len(listed))) if listed else 0.0


def _normalised(gained: NDArray[np.float64], ideal: NDArray[np.float64]) -> NDArray[np.float64]:
    gained, ideal = np.broadcast_arrays(gained, ideal)
    return np.divide(gained, ideal, out=np.zeros(gained.shape), where=ideal > 0)


def precision_in_budget(grades: ArrayLike, tokens: ArrayLike) -> NDArray[np.float64]:
    """Share of grades of at least 1 among the passages of each list; 0 of an empty one."""
    there = np.asarray(tokens) > 0
    count = there.sum(axis=-1)
    useful = (np.asarray(grades) >= 1).sum(axis=-1)
    return _normalised(useful, count)
