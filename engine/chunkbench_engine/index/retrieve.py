"""The ways of retrieving, each made of indexes: from a question to a ranked list of chunks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from chunkbench_engine.index.hybrid import DEPTH, fuse
from chunkbench_engine.index.ties import DECIMALS, Hit

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkbench_engine.embedders.reranker import Reranker
    from chunkbench_engine.index.index import Index
    from chunkbench_engine.index.lexical import LexicalIndex


class Query(NamedTuple):
    """A question, and its vector; without an embedding model that has no dimensions."""

    text: str
    vector: NDArray[np.float32]


Retriever = Callable[[Query, int], list[Hit]]
"""The k best chunks for a query as (ordinal, score): best first, equal ones by ordinal."""


def dense(index: Index) -> Retriever:
    """By cosine."""
    return lambda query, k: index.search(query.vector, k)


def lexical(index: LexicalIndex) -> Retriever:
    """By BM25."""
    return lambda query, k: index.search(query.text, k)


def hybrid(first: Retriever, second: Retriever) -> Retriever:
    """By reciprocal rank fusion of both lists, each `DEPTH` long, or k if that is more."""

    def retrieve(query: Query, k: int) -> list[Hit]:
        depth = max(DEPTH, k)
        return fuse([first(query, depth), second(query, depth)])[:k]

    return retrieve


def reranked(
    first: Retriever, reranker: Reranker, texts_of: Callable[[Sequence[int]], list[str]]
) -> Retriever:
    """By a cross-encoder over the first `DEPTH` of another list, or k if that is more.

    Args:
        texts_of: the texts of the chunks with these ordinals.
    """

    def retrieve(query: Query, k: int) -> list[Hit]:
        ordinals = [ordinal for ordinal, _ in first(query, max(DEPTH, k))]
        scores = reranker.score(query.text, texts_of(ordinals)).tolist()
        hits = [(o, round(s, DECIMALS) + 0.0) for o, s in zip(ordinals, scores, strict=True)]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:k]

    return retrieve
