"""Chunks that say the same: word for word, or nearly so to the model."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from chunkbench_engine.diagnose.kinds import NEAR

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from numpy.typing import NDArray


def same(keys: Iterable[Hashable]) -> list[list[int]]:
    """Places that have equal keys, where two or more have; the largest groups first."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for place, key in enumerate(keys):
        groups[key].append(place)
    return sorted((group for group in groups.values() if len(group) > 1), key=len, reverse=True)


class Clusters:
    """Chunks joined by near-duplicate pairs, gathered block by block of the cosines.

    A pair that overlaps in its document is none: sharing text is then what the strategy means to
    do.
    """

    def __init__(self, places: NDArray[np.int64], threshold: float = NEAR) -> None:
        """`places` is `(n, 3)`: document, start, end."""
        self._places = places
        self._threshold = threshold
        self._labels = np.arange(len(places))

    def add(self, first: int, cosines: NDArray[np.float32]) -> None:
        """Take up the rows from `first` on, `(rows, n)`."""
        rows, columns = np.nonzero(cosines >= self._threshold)
        rows = rows + first
        pairs = columns > rows
        rows, columns = rows[pairs], columns[pairs]
        one, other = self._places[rows], self._places[columns]
        apart = (one[:, 0] != other[:, 0]) | (one[:, 2] <= other[:, 1]) | (other[:, 2] <= one[:, 1])
        rows, columns = self._labels[rows[apart]], self._labels[columns[apart]]
        if len(rows):
            count = len(self._labels)
            graph = coo_array((np.ones(len(rows), bool), (rows, columns)), (count, count))
            self._labels = connected_components(graph, directed=False)[1][self._labels]

    def groups(self) -> list[list[int]]:
        """Rows that belong together, in order; the largest groups first."""
        return same(self._labels.tolist())
