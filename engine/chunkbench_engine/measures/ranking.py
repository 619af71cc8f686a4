"""Measures of ranked lists from grades 0, 1, 2; one value a question, averaged later.

Throughout, `gains` is `(..., depth)`: the grades of the hits in rank order; a list shorter than
`depth` is filled with 0. Leading axes are free, mostly (strategies, questions). Every hit must have
been graded: a missing judgement is no 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Pool = Literal["published", "distinct"]

_FULL = 2
_PARTIAL = 1


def dcg(gains: ArrayLike, k: int) -> NDArray[np.float64]:
    """Discounted cumulative gain, Σ g_i / log2(i + 1) over ranks 1 to k, gains linear: `(...)`.

    Järvelin & Kekäläinen 2002, as the paper and trec_eval have it.
    """
    top = _top(gains, k)
    discounts: NDArray[np.float64] = 1 / np.log2(np.arange(2, top.shape[-1] + 2))
    result: NDArray[np.float64] = np.asarray(top @ discounts, dtype=np.float64)
    return result


def ndcg_pooled(
    gains: ArrayLike,
    k: int,
    pool: Pool = "published",
    passages: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """nDCG@k against the best that all strategies' lists together offered.

    The paper's primary measure, `(strategies, questions)`. The ideal list of a question is the k
    highest of the gains that all strategies observed in their top k for it; where those are all 0,
    nDCG is 0.

    Args:
        gains: `(strategies, questions, depth)`, of strategies under the same corpus and model.
        k: cutoff, of the lists and of the pool.
        pool: "published": a passage that several lists return enters once a list, as in the
            paper; "distinct": each passage enters once, with its highest gain.
        passages: for "distinct", integers of the shape of `gains` that are equal for the same
            document and span; negative where there is no hit.
    """
    top = _top(gains, k)
    if top.ndim != 3:
        raise ValueError("gains must be (strategies, questions, depth)")
    pooled = np.moveaxis(top, 1, 0).reshape(top.shape[1], -1)
    if pool == "distinct":
        if passages is None:
            raise ValueError("a distinct pool needs the passages")
        keys = np.moveaxis(np.asarray(passages, dtype=np.int64)[..., :k], 1, 0)
        keys = keys.reshape(top.shape[1], -1)
        pooled = _distinct(pooled, keys)
    ideal = dcg(-np.sort(-pooled, axis=-1), k)
    return _normalised(dcg(top, k), ideal)


def ndcg_index(gains: ArrayLike, ideal: ArrayLike, k: int) -> NDArray[np.float64]:
    """nDCG@k against the best that the configuration's own index holds: `(..., questions)`.

    Args:
        gains: `(..., questions, depth)`.
        ideal: the grades of the best k or more chunks of the index, highest first (see
            `best_grades`); `(..., questions, depth)`.
        k: cutoff.
    """
    return _normalised(dcg(gains, k), dcg(ideal, k))


def best_grades(grades: NDArray[np.int8], k: int) -> NDArray[np.int8]:
    """The k highest of the grades of all chunks of an index, highest first, filled up with 0."""
    best = np.zeros(k, dtype=np.int8)
    fulls = int(np.count_nonzero(grades == _FULL))
    found = int(np.count_nonzero(grades))
    best[:found] = _PARTIAL
    best[:fulls] = _FULL
    return best


def hit(gains: ArrayLike, k: int) -> NDArray[np.float64]:
    """1 if any of the top k has grade 2, else 0."""
    return np.asarray((_top(gains, k) == _FULL).any(axis=-1), dtype=np.float64)


def zero_hit(gains: ArrayLike, k: int) -> NDArray[np.float64]:
    """1 if none of the top k has grade 2, else 0; its mean is the zero-hit rate."""
    return 1 - hit(gains, k)


def reciprocal_rank(gains: ArrayLike, k: int) -> NDArray[np.float64]:
    """1 / rank of the first grade 2 in the top k, 0 if there is none; its mean is MRR@k."""
    full = _top(gains, k) == _FULL
    if full.shape[-1] == 0:
        return np.zeros(full.shape[:-1])
    return np.asarray(full.any(axis=-1) / (full.argmax(axis=-1) + 1), dtype=np.float64)


def precision_at_1(gains: ArrayLike) -> NDArray[np.float64]:
    """1 if the first hit has grade 2, else 0."""
    return hit(gains, 1)


def precision_at_k(gains: ArrayLike, k: int) -> NDArray[np.float64]:
    """Share of grades of at least 1 among k; a list shorter than k is still divided by k."""
    return np.asarray((_top(gains, k) >= _PARTIAL).sum(axis=-1) / k, dtype=np.float64)


def _top(values: ArrayLike, k: int) -> NDArray[np.float64]:
    if k < 1:
        raise ValueError(f"k={k} must be at least 1")
    return np.asarray(values, dtype=np.float64)[..., :k]


def _normalised(gained: NDArray[np.float64], ideal: NDArray[np.float64]) -> NDArray[np.float64]:
    gained, ideal = np.broadcast_arrays(gained, ideal)
    return np.divide(gained, ideal, out=np.zeros(gained.shape), where=ideal > 0)


def _distinct(gains: NDArray[np.float64], keys: NDArray[np.int64]) -> NDArray[np.float64]:
    """Gains with all but the highest of each key, in each row, set to 0."""
    # By key, then by gain downwards: the first of each run of equal keys is the one that stays.
    order = np.lexsort((-gains, keys), axis=-1)
    sorted_keys = np.take_along_axis(keys, order, axis=-1)
    stays = np.ones(keys.shape, dtype=bool)
    stays[:, 1:] = sorted_keys[:, 1:] != sorted_keys[:, :-1]
    stays &= sorted_keys >= 0
    return np.where(stays, np.take_along_axis(gains, order, axis=-1), 0.0)
