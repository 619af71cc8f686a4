"""Measures of ranked lists that end with a budget of tokens; grades as in `ranking`.

`grades` and `tokens` are `(..., depth)`: grade and length of each passage of a list in rank order,
both 0 where a list is shorter than `depth`. `spans` is `(..., depth, 3)`: document, start and end.

nDCG within a budget differs from nDCG@k in two ways, as a list may be of any length:

* What comes twice gains once (as in α-nDCG with α = 1, Clarke et al. 2008): a passage gains its
  grade less the best grade of those before it that give the same. Two passages give the same if
  they overlap, or if both touch the same slot of the evidence. Otherwise a list would gain by
  spending its budget on one passage again and again, or on twenty crumbs of the evidence, each a
  part of the answer and none of them an answer. Where no evidence is known, as with a judge of
  texts alone, only overlaps count: crumbs are then worth what the judge gives them.
* The ideal list is bound by the same budget, and gives nothing twice: of all passages that were
  graded, the highest grades first, of equal ones the shortest, leaving out what gives the same as
  one before it, until the budget is spent. To fill a budget best is a knapsack problem, which this
  order need not solve: where some strategy's list has a higher DCG, that is the ideal. So no
  value is above 1.

The discount is by rank, as in nDCG@k, not by the tokens that come before: of two lists with the
answer after the same number of tokens, that of fewer and longer passages scores higher.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.measures.ranking import dcg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray


def fresh_gains(
    grades: ArrayLike, spans: ArrayLike, evidence: Sequence[NDArray[np.int64]] = ()
) -> NDArray[np.float64]:
    """What each passage gains: its grade, less the best of those before it that give the same.

    Args:
        grades: `(questions, depth)`.
        spans: `(questions, depth, 3)`.
        evidence: of each question `(n, 4)`: slot, document, start and end of its passages; empty
            if none is known of any.
    """
    graded = np.asarray(grades, dtype=np.float64)
    gains = graded.copy()
    for question, places in enumerate(np.asarray(spans)):
        useful = np.flatnonzero(graded[question])
        given = _Given(places[useful], evidence[question] if len(evidence) else None)
        found = graded[question, useful]
        for row, rank in enumerate(useful):
            before = found[:row][given.same(row, slice(row))].max(initial=0.0)
            gains[question, rank] = max(found[row] - before, 0.0)
    return gains


class _Given:
    """What passages of one question give: their text, and the slots of the evidence they touch."""

    def __init__(self, places: NDArray[np.int64], evidence: NDArray[np.int64] | None) -> None:
        self._places = places
        passages = np.zeros((0, 4), dtype=np.int64) if evidence is None else evidence
        slots = np.unique(passages[:, 0])
        self._touched = np.zeros((len(places), len(slots)), dtype=bool)
        for slot, document, start, end in passages:
            self._touched[:, np.searchsorted(slots, slot)] |= _overlap(places, document, start, end)

    def same(self, row: int, others: slice) -> NDArray[np.bool_]:
        """Which of the others give the same as the passage in that row."""
        alike = _overlap(self._places[others], *self._places[row])
        alike |= (self._touched[others] & self._touched[row]).any(axis=1)
        return alike


def _overlap(
    places: NDArray[np.int64], document: np.int64, start: np.int64, end: np.int64
) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (
        (places[:, 0] == document) & (places[:, 1] < end) & (start < places[:, 2])
    )
    return found


def ndcg_pooled_budget(
    gains: ArrayLike,
    grades: ArrayLike,
    tokens: ArrayLike,
    spans: ArrayLike,
    budget: int,
    evidence: Sequence[NDArray[np.int64]] = (),
) -> NDArray[np.float64]:
    """nDCG within a budget, against the best that all lists together offered.

    Args:
        gains: of `fresh_gains`, `(strategies, questions, depth)`, of strategies under the same
            corpus and model.
        grades, tokens: likewise.
        spans: `(strategies, questions, depth, 3)`.
        budget: in tokens.
        evidence: as of `fresh_gains`.

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
            evidence[question] if len(evidence) else None,
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


def ideal_dcg(
    grades: ArrayLike,
    tokens: ArrayLike,
    spans: ArrayLike,
    budget: int,
    evidence: NDArray[np.int64] | None = None,
) -> float:
    """DCG of the ideal list of these passages: those of it that begin within the budget.

    Args:
        grades, tokens: `(n,)`, in any order.
        spans: `(n, 3)`.
        budget: in tokens.
        evidence: of the question, `(m, 4)`: slot, document, start and end; None if not known.
    """
    graded, lengths = np.asarray(grades), np.asarray(tokens)
    useful = np.flatnonzero(graded)
    order = useful[np.lexsort((lengths[useful], -graded[useful].astype(np.int64)))]
    given = _Given(np.asarray(spans).reshape(-1, 3)[order], evidence)
    left = np.ones(len(order), dtype=bool)
    listed: list[float] = []
    spent = 0
    while spent < budget and left.any():
        row = int(left.argmax())
        listed.append(float(graded[order[row]]))
        spent += int(lengths[order[row]])
        left &= ~given.same(row, slice(None))
        left[row] = False
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
