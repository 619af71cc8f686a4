"""The best division of a document by the similarity of its sentences (CSC)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.fill import cut
from chunkbench_engine.chunkers.lengths import TokenCount
from chunkbench_engine.chunkers.ranges import at_least
from chunkbench_engine.chunkers.spans import to_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk, Span
    from chunkbench_engine.chunkers.lengths import Length


@dataclass(frozen=True)
class ClusterSemantic:
    """The division of which the similarity within chunks is greatest (CSC, after Chroma's report).

    A chunk's reward is the sum, over its pairs of sentences, of their cosine similarity less the
    mean of the document's; chunks have at most `max` tokens, and dynamic programming finds the
    best division. A sentence that alone is longer stands alone, cut at that length. Chroma's pieces
    are recursive splits of about 50 tokens; here they are sentences, whose vectors are shared.
    """

    annotations: ClassVar[tuple[str, ...]] = ("sentences", "sentence_vectors", "tokens")

    max: int = 400

    def __post_init__(self) -> None:
        at_least(1, max=self.max)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        return to_chunks(document, self._spans(document))

    def _spans(self, document: AnnotatedDocument) -> Iterator[Span]:
        sentences, vectors = document.sentences, document.sentence_vectors()
        length = TokenCount(document.tokens)
        mean = _mean_similarity(vectors)
        first = 0
        for i, sentence in enumerate(sentences):
            if length.size(*sentence) > self.max:
                yield from _best(sentences[first:i], vectors[first:i], mean, self.max, length)
                yield from cut(*sentence, self.max, 0, length)
                first = i + 1
        yield from _best(sentences[first:], vectors[first:], mean, self.max, length)


def _mean_similarity(vectors: NDArray[np.float32]) -> float:
    """Mean cosine similarity of all pairs, from the sum of the vectors: linear, not quadratic."""
    import numpy as np

    n = len(vectors)
    if n < 2:
        return 0.0
    total = vectors.sum(axis=0, dtype=np.float64)
    squares = float(np.einsum("ij,ij->", vectors, vectors, dtype=np.float64))
    return (float(total @ total) - squares) / (n * (n - 1))


def _best(
    sentences: list[Span], vectors: NDArray[np.float32], mean: float, most: int, length: Length
) -> Iterator[Span]:
    """The division of greatest reward into spans of at most `most`; no sentence is longer."""
    import numpy as np

    n = len(sentences)
    if not n:
        return
    # the similarities within sentences a to b sum to |sums[b] - sums[a]|²
    sums = np.zeros((n + 1, vectors.shape[1]))
    np.cumsum(vectors, axis=0, dtype=np.float64, out=sums[1:])
    rewards, begins = np.zeros(n + 1), np.zeros(n + 1, dtype=np.int64)
    low = 0
    for stop in range(1, n + 1):
        while length.size(sentences[low][0], sentences[stop - 1][1]) > most:
            low += 1
        within = sums[stop] - sums[low:stop]
        counts = np.arange(stop - low, 0, -1)
        reward = np.einsum("ij,ij->i", within, within) - mean * counts * (counts - 1)
        total = rewards[low:stop] + reward
        begin = int(np.argmax(total))
        rewards[stop], begins[stop] = total[begin], low + begin
    cuts = [n]
    while cuts[-1] > 0:
        cuts.append(int(begins[cuts[-1]]))
    for stop, start in zip(reversed(cuts[:-1]), reversed(cuts[1:]), strict=True):
        yield sentences[start][0], sentences[stop - 1][1]


ENTRIES = (
    Entry("CSC", "Cluster Semantic Chunking", "semantic", ClusterSemantic,
          "the division in which the sentences of a chunk are most alike",
          needs_vectors=True, source="Chroma's report"),
)  # fmt: skip
