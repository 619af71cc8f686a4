"""What the vectors of a strategy's chunks show: hubs, orphans and near-duplicates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.diagnose.duplicates import Clusters
from chunkbench_engine.diagnose.hubness import hubs, orphans, skewness
from chunkbench_engine.diagnose.neighbours import nearest, similarity_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_COMPARED = 10
"""Times k: with fewer chunks than that, neighbourhoods say nothing of hubs and orphans."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Rows of the vectors that were compared, each list worst first.

    Attributes:
        near_duplicates: groups of rows.
        hubs: None, as the next two, where there are too few chunks to say.
        orphans: in the neighbourhood of no other.
        skewness: of the k-occurrences.
        occurrences: `(n,)`, in how many neighbourhoods each is; its sum is n times k.
        nearest_cosine: `(n,)`, to the nearest other.
    """

    near_duplicates: list[list[int]]
    hubs: NDArray[np.int64] | None
    orphans: NDArray[np.int64] | None
    skewness: float | None
    occurrences: NDArray[np.int64]
    nearest_cosine: NDArray[np.float32]


def neighbourhood(vectors: NDArray[np.float32], places: NDArray[np.int64], k: int) -> Neighbourhood:
    """Compare each vector with each; see `MOST_COMPARED` for what that costs.

    Args:
        vectors: `(n, dimensions)`, unit length, of distinct texts: copies of one text would be
            each other's neighbours, and hubs only for that.
        places: `(n, 3)`: document, start and end of each.
        k: neighbours of a chunk.
    """
    count = len(vectors)
    occurrences = np.zeros(count, dtype=np.int64)
    nearest_cosine = np.zeros(count, dtype=np.float32)
    clusters = Clusters(places)
    enough = count >= LEAST_COMPARED * k
    for first, cosines in similarity_blocks(vectors):
        clusters.add(first, cosines)
        nearest_cosine[first : first + len(cosines)] = cosines.max(axis=1, initial=-1)
        if enough:
            occurrences += nearest(cosines, k).sum(axis=0)
    return Neighbourhood(
        clusters.groups(),
        hubs(occurrences, k) if enough else None,
        orphans(occurrences, nearest_cosine) if enough else None,
        skewness(occurrences) if enough else None,
        occurrences,
        nearest_cosine,
    )
