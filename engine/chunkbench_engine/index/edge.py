"""Qdrant embedded in this process: the only module that touches qdrant-edge, which is beta."""

from __future__ import annotations

import shutil
from importlib.metadata import version
from typing import TYPE_CHECKING

import qdrant_edge as edge

from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.index.index import payload_bytes
from chunkbench_engine.index.ties import Hit, best

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from chunkbench_engine.index.index import Payload

_FLOATS_AN_UPDATE = 256_000  # an update is one record of a log whose files hold 32 MB
_PAGE = 10_000  # points read at a time


class EdgeIndex:
    """A collection as files in a folder; see `Index`.

    Every update goes through a write-ahead log before `upsert` returns, so a killed process
    loses none. No HNSW graph is ever built (that takes a call of `optimize`): search is exact.
    """

    def __init__(self, shard: edge.EdgeShard, folder: Path, dimensions: int) -> None:
        self._shard = shard
        self.name = folder.name
        self.dimensions = dimensions
        self.backend = f"Qdrant embedded (qdrant-edge {version('qdrant-edge-py')}), exact"

    def upsert(
        self,
        vectors: NDArray[np.float32],
        ordinals: Sequence[int],
        payloads: Sequence[Payload],
    ) -> None:
        """As `Index.upsert`."""
        points = [
            edge.Point(ordinal, vector, dict(payload))
            for ordinal, vector, payload in zip(ordinals, vectors.tolist(), payloads, strict=True)
        ]
        size = max(1, _FLOATS_AN_UPDATE // self.dimensions)
        for first in range(0, len(points), size):
            self._shard.update(edge.UpdateOperation.upsert_points(points[first : first + size]))

    def search(self, vector: NDArray[np.float32], k: int) -> list[Hit]:
        """As `Index.search`."""
        query = edge.Query.Nearest(vector.tolist())
        params = edge.SearchParams(exact=True)

        def fetch(limit: int) -> list[Hit]:
            request = edge.QueryRequest(
                limit=limit, query=query, params=params, with_payload=False, with_vector=False
            )
            return [(int(point.id), point.score) for point in self._shard.query(request)]

        return best(fetch, k)

    def count(self) -> int:
        """As `Index.count`."""
        return self._shard.count(edge.CountRequest(exact=True))

    def size_bytes(self) -> int:
        """As `Index.size_bytes`."""
        size = self.count() * self.dimensions * 4
        offset = None
        while True:
            page, offset = self._shard.scroll(
                edge.ScrollRequest(offset=offset, limit=_PAGE, with_payload=True, with_vector=False)
            )
            size += payload_bytes(record.payload for record in page)
            if offset is None:
                return size

    def close(self) -> None:
        """As `Index.close`."""
        self._shard.close()


def open_edge(folder: Path, dimensions: int) -> EdgeIndex:
    """The collection in a folder; see `open.open_index`."""
    config = edge.EdgeConfig(
        vectors=edge.EdgeVectorParams(size=dimensions, distance=edge.Distance.Cosine)
    )
    shard = _load(folder, config) if folder.exists() else None
    if shard is None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shard = edge.EdgeShard.create(str(folder), config)
    return EdgeIndex(shard, folder, dimensions)


def _load(folder: Path, config: edge.EdgeConfig) -> edge.EdgeShard | None:
    """The shard in a folder, None if it is damaged.

    The engine raises plain `Exception` for everything, and a panic of its own, which is no
    `Exception`, on some damaged files: its words are all there is to tell the cases apart.
    """
    try:
        return edge.EdgeShard.load(str(folder), config)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        reason = str(error)
        if "WouldBlock" in reason:
            raise Unavailable(
                f"The collection {folder} is open in another process: wait for it or stop it."
            ) from error
        if "Incompatible config" in reason:
            raise BadInput(
                f"The collection {folder} holds vectors of another length: delete the folder, "
                "and it is made anew."
            ) from error
        return None
