"""How much of the known evidence was retrieved, and how much could have been.

`held` is `(slots, n)`: which retrieved span (in rank order), or which chunk of an index, holds a
passage of which evidence slot whole and in the right document (`EvidenceJudge.slots_held`).

A question with one slot, the usual case, counts as the measured article counts it: 1 if any span
holds the whole passage. A question with several is complete only if *every* slot is held by some
span, not necessarily the same one; how much of it is there is its evidence recall. So
recall ≤ evidence recall, and recall ≤ ceiling, for every question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

RECALL_CUTOFFS = (1, 3, 5, 10)


def recall(held: NDArray[np.bool_], k: int) -> float:
    """Recall@k of one question: 1 if the top k together hold every slot whole, else 0."""
    return float(_covered(held[:, :k]).all())


def evidence_recall(held: NDArray[np.bool_], k: int) -> float:
    """Share of the slots of one question that the top k hold whole, 0 to 1."""
    return float(_covered(held[:, :k]).mean())


def ceiling(held: NDArray[np.bool_]) -> float:
    """1 if the whole index holds every slot: the most that any retrieval could reach as recall.

    `held` is over all chunks of the index.
    """
    return float(_covered(held).all())


def whole(
    text: str, passages: Sequence[tuple[int, int]], spans: Sequence[tuple[int, int]]
) -> NDArray[np.bool_]:
    """Which passages of one document some span of it holds whole, `(passages,)`.

    White space at a passage's ends does not count.
    """
    if not passages or not spans:
        return np.zeros(len(passages), dtype=bool)
    bounds = np.array(sorted(spans), dtype=np.int64)
    reach = np.maximum.accumulate(bounds[:, 1])
    found = []
    for start, end in passages:
        piece = text[start:end]
        first = start + len(piece) - len(piece.lstrip())
        last = np.searchsorted(bounds[:, 0], first, side="right") - 1
        found.append(last >= 0 and reach[last] >= start + len(piece.rstrip()))
    return np.array(found, dtype=bool)


def _covered(held: NDArray[np.bool_]) -> NDArray[np.bool_]:
    if len(held) == 0:
        raise ValueError("a question without evidence has no recall")
    return np.asarray(held.any(axis=1))
