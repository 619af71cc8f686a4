"""What an embedding model is to the rest of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkbench_engine.chunkers.chunk import Span


class Vectors(NamedTuple):
    """Unit vectors and what it cost to compute them.

    `values` is `(n, dimensions)`, float32; `seconds` is the time the model spent on them when
    they were computed, also when they now come from the cache.
    """

    values: NDArray[np.float32]
    seconds: float


class Embedder(Protocol):
    """A text embedding model.

    Attributes:
        id: name and version of the weights; two embedders with the same id give equal vectors.
        dimensions: length of a vector.
        window: longest input in the model's own tokens; what is beyond is cut. None if unlimited.
    """

    id: str
    dimensions: int
    window: int | None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """`(n, dimensions)` float32, unit length; an empty text gives the zero vector."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Length of each text in the model's own tokens, before any cut."""
        ...


@runtime_checkable
class ContextualEmbedder(Protocol):
    """An embedder that exposes token vectors, as late chunking needs."""

    def embed_spans(self, text: str, spans: Sequence[Span]) -> NDArray[np.float32]:
        """One unit vector a span, pooled from token vectors of a pass over the whole text."""
        ...
