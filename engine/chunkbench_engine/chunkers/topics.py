"""Boundaries where the topic changes (TBC)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.ranges import between
from chunkbench_engine.chunkers.semantic import divide
from chunkbench_engine.chunkers.spans import to_chunks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk

_RUN = 2_000


@dataclass(frozen=True)
class Topics:
    """Sentences are clustered; a boundary where neighbours' clusters differ (the paper's TBC).

    Agglomerative clustering, average linkage of cosine distances, up to `distance`. It takes
    quadratic time, so it is done over consecutive runs of 2,000 sentences, between which there is
    always a boundary.
    """

    annotations: ClassVar[tuple[str, ...]] = ("sentences", "sentence_vectors")

    distance: float = 0.4

    def __post_init__(self) -> None:
        between(0, 2, distance=self.distance)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        import numpy as np

        vectors = document.sentence_vectors()
        boundaries = np.ones(max(len(vectors) - 1, 0), dtype=np.bool_)
        for start in range(0, len(vectors), _RUN):
            clusters = _clusters(vectors[start : start + _RUN], self.distance)
            boundaries[start : start + len(clusters) - 1] = clusters[:-1] != clusters[1:]
        return to_chunks(document, divide(document.sentences, boundaries))


def _clusters(vectors: NDArray[np.float32], distance: float) -> NDArray[np.int32]:
    """A cluster's number for each vector."""
    import numpy as np
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    if len(vectors) < 2:
        return np.zeros(len(vectors), dtype=np.int32)
    distances = np.clip(1 - vectors @ vectors.T, 0, 2).astype(np.float64)
    np.fill_diagonal(distances, 0)
    tree = linkage(squareform(distances, checks=False), method="average")
    clusters: NDArray[np.int32] = fcluster(tree, distance, criterion="distance")
    return clusters


ENTRIES = (
    Entry("TBC", "Topic Based Chunking", "semantic", Topics,
          "boundaries where neighbouring sentences fall into different clusters",
          needs_vectors=True),
)  # fmt: skip
