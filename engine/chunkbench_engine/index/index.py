"""What a vector index is to the rest of the engine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray


class Payload(TypedDict):
    """What is kept beside a vector: the chunk's place, in the document with that id."""

    document: str | int
    start: int
    end: int


class Index(Protocol):
    """One collection: the chunk vectors of one (corpus, strategy, model).

    Search is exact: approximate search would blur a comparison of chunkers.

    Attributes:
        name: of the collection.
        dimensions: length of a vector.
        backend: what serves it, in words fit for a manifest.
    """

    name: str
    dimensions: int
    backend: str

    def upsert(
        self,
        vectors: NDArray[np.float32],
        ordinals: Sequence[int],
        payloads: Sequence[Payload],
    ) -> None:
        """Store `(n, dimensions)` vectors under the chunks' ordinals, in place of former ones.

        When it returns, the points survive the end of this process, however it ends.
        """
        ...

    def search(self, vector: NDArray[np.float32], k: int) -> list[tuple[int, float]]:
        """The k nearest as (ordinal, cosine to six decimals): by cosine, equal ones by ordinal.

        The cosine with a zero vector is 0. All points, if there are fewer than k.
        """
        ...

    def count(self) -> int:
        """Number of points."""
        ...

    def size_bytes(self) -> int:
        """Bytes of the vectors (four a dimension) and of the payload as compact JSON.

        That is what the chunking decides. Logs, allocation in advance and the like, which are
        the backend's and tens of megabytes for an empty collection, are left out, so that the
        figure is the same whatever serves the collection.
        """
        ...

    def close(self) -> None:
        """Release the files or the connection; the collection stays."""
        ...


def payload_bytes(payloads: Iterable[object]) -> int:
    """Bytes of the payloads as compact JSON in UTF-8."""
    return sum(
        len(json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode())
        for payload in payloads
    )
