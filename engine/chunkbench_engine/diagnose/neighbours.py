"""Every chunk's nearest chunks: exact, by blocks of the matrix of cosines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MOST_COMPARED = 20_000
"""Chunks that are compared, each with each; of more, a random sample of so many.

The time grows with the square of it: some ten seconds of one core at 256 dimensions.
"""
_BLOCK = 8_000_000
"""Cosines held at a time, 32 MB."""
_DECIMALS = 6
"""As the index rounds them, so that equal vectors have equal cosines."""


def similarity_blocks(
    vectors: NDArray[np.float32], block: int = _BLOCK
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """The matrix of cosines by rows: the first row's number, and `(rows, n)`.

    A vector's cosine with itself is -inf: it is no neighbour of its own.

    Args:
        vectors: `(n, dimensions)`, unit length.
        block: most cosines held at a time.
    """
    count = len(vectors)
    rows = max(block // max(count, 1), 1)
    for first in range(0, count, rows):
        cosines = np.round(vectors[first : first + rows] @ vectors.T, _DECIMALS)
        own = np.arange(len(cosines))
        cosines[own, first + own] = -np.inf
        yield first, cosines


def nearest(cosines: NDArray[np.float32], k: int) -> NDArray[np.bool_]:
    """Which k are nearest in each row; of equal ones the first. More columns than k are needed."""
    least = np.partition(cosines, -k, axis=1)[:, -k, None]
    nearer, equal = cosines > least, cosines == least
    free = k - nearer.sum(axis=1, keepdims=True)
    taken: NDArray[np.bool_] = nearer | (equal & (np.cumsum(equal, axis=1, dtype=np.int32) <= free))
    return taken
