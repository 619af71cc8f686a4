"""Boundaries where the meaning of neighbouring sentences parts (SEBC, SSTC, SBDC, SVAC)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.annotate.document import vectors_name
from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.ranges import at_least, between
from chunkbench_engine.chunkers.spans import to_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk, Span


@dataclass(frozen=True)
class DistancePercentile:
    """A boundary where the distance between neighbours exceeds a percentile (the paper's SEBC).

    Each sentence is embedded with its `buffer` neighbours on each side; the distance is one minus
    the cosine similarity, the percentile that of the document's distances.
    """

    percentile: float = 95.0
    buffer: int = 1

    def __post_init__(self) -> None:
        between(0, 100, percentile=self.percentile)
        at_least(0, buffer=self.buffer)

    @property
    def annotations(self) -> tuple[str, ...]:
        return ("sentences", vectors_name(self.buffer))

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        distances = 1 - similarities(document.sentence_vectors(self.buffer))
        return to_chunks(document, divide(document.sentences, _peaks(distances, self.percentile)))


@dataclass(frozen=True)
class DistanceGradient:
    """As SEBC, on the gradient of the series of distances (the paper's SBDC)."""

    percentile: float = 95.0
    buffer: int = 1

    def __post_init__(self) -> None:
        between(0, 100, percentile=self.percentile)
        at_least(0, buffer=self.buffer)

    @property
    def annotations(self) -> tuple[str, ...]:
        return ("sentences", vectors_name(self.buffer))

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        import numpy as np

        distances = 1 - similarities(document.sentence_vectors(self.buffer))
        # one distance alone has no gradient, so no boundary
        gradient = np.gradient(distances) if len(distances) > 1 else np.zeros(len(distances))
        return to_chunks(document, divide(document.sentences, _peaks(gradient, self.percentile)))


@dataclass(frozen=True)
class SimilarityThreshold:
    """A boundary where the similarity of neighbours is below `threshold` (the paper's SSTC)."""

    annotations: ClassVar[tuple[str, ...]] = ("sentences", "sentence_vectors")

    threshold: float = 0.6

    def __post_init__(self) -> None:
        between(-1, 1, threshold=self.threshold)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        low = similarities(document.sentence_vectors()) < self.threshold
        return to_chunks(document, divide(document.sentences, low))


@dataclass(frozen=True)
class SimilarityDrop:
    """A boundary where similarity falls below its recent mean (the paper's SVAC).

    That is, more than `sensitivity` below the mean of the `window` similarities before it, or of
    as many as there are; the first has none, and is no boundary.
    """

    annotations: ClassVar[tuple[str, ...]] = ("sentences", "sentence_vectors")

    sensitivity: float = 0.2
    window: int = 3

    def __post_init__(self) -> None:
        between(0, 2, sensitivity=self.sensitivity)
        at_least(1, window=self.window)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        import numpy as np

        series = similarities(document.sentence_vectors())
        sums = np.concatenate([[0.0], np.cumsum(series)])
        stops = np.arange(len(series))
        starts = np.maximum(stops - self.window, 0)
        recent = (sums[stops] - sums[starts]) / np.maximum(stops - starts, 1)
        drops = (series < recent - self.sensitivity) & (stops > 0)
        return to_chunks(document, divide(document.sentences, drops))


def similarities(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """`(n - 1,)` cosine similarities of neighbouring unit vectors."""
    import numpy as np

    precise = vectors.astype(np.float64)
    products: NDArray[np.float64] = np.einsum("ij,ij->i", precise[:-1], precise[1:])
    return products


def divide(sentences: list[Span], boundaries: NDArray[np.bool_]) -> Iterator[Span]:
    """Spans of sentences between boundaries; `boundaries[i]` lies after sentence `i`."""
    after = [int(i) + 1 for i in boundaries.nonzero()[0]]
    for first, stop in pairwise([0, *after, len(sentences)]):
        if first < stop:
            yield sentences[first][0], sentences[stop - 1][1]


def _peaks(series: NDArray[np.float64], percentile: float) -> NDArray[np.bool_]:
    """Where a series exceeds its own percentile."""
    import numpy as np

    if not len(series):
        return np.zeros(0, dtype=np.bool_)
    peaks: NDArray[np.bool_] = series > np.percentile(series, percentile)
    return peaks


ENTRIES = (
    Entry("SEBC", "Semantic Embedding Based Chunking", "semantic", DistancePercentile,
          "boundaries at the largest distances between neighbouring sentences",
          needs_vectors=True),
    Entry("SSTC", "Semantic Similarity Threshold Chunking", "semantic", SimilarityThreshold,
          "boundaries where neighbouring sentences are less alike than a threshold",
          needs_vectors=True),
    Entry("SBDC", "Semantic Boundary Detection", "semantic", DistanceGradient,
          "boundaries where the distance between neighbouring sentences rises most",
          needs_vectors=True),
    Entry("SVAC", "Semantic Variance Adaptive Chunking", "adaptive", SimilarityDrop,
          "boundaries where similarity falls well below its recent mean",
          needs_vectors=True),
)  # fmt: skip
