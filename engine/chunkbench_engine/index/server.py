"""Qdrant through its client: a server by URL, or the client's own local mode."""

from __future__ import annotations

import contextlib
import warnings
from importlib.metadata import version
from typing import TYPE_CHECKING

from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException

from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.index.index import payload_bytes
from chunkbench_engine.index.ties import Hit, best

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from chunkbench_engine.index.index import Payload

_FLOATS_A_REQUEST = 256_000  # well below the 32 MB that a server takes in one request
_PAGE = 10_000  # points read at a time
_SECONDS = 60  # for an answer


class ClientIndex:
    """A collection behind a `QdrantClient`; see `Index`."""

    def __init__(
        self, client: QdrantClient, name: str, dimensions: int, *, place: str, backend: str
    ) -> None:
        """With the place (URL or folder) that error messages name."""
        self._client = client
        self._place = place
        # Local mode always searches exactly, and warns if it is asked to.
        self._params = models.SearchParams(exact=True) if "server" in backend else None
        self.name = name
        self.dimensions = dimensions
        self.backend = backend

    def upsert(
        self,
        vectors: NDArray[np.float32],
        ordinals: Sequence[int],
        payloads: Sequence[Payload],
    ) -> None:
        """As `Index.upsert`."""
        size = max(1, _FLOATS_A_REQUEST // self.dimensions)
        with _sentences(self._place):
            for first in range(0, len(ordinals), size):
                part = slice(first, first + size)
                batch = models.Batch(
                    ids=list(ordinals[part]),
                    vectors=vectors[part].tolist(),
                    payloads=[dict(payload) for payload in payloads[part]],
                )
                self._client.upsert(self.name, batch, wait=True)

    def search(self, vector: NDArray[np.float32], k: int) -> list[Hit]:
        """As `Index.search`."""
        query = vector.tolist()

        def fetch(limit: int) -> list[Hit]:
            answer = self._client.query_points(
                self.name,
                query=query,
                limit=limit,
                search_params=self._params,
                with_payload=False,
                with_vectors=False,
            )
            return [(int(point.id), point.score) for point in answer.points]

        with _sentences(self._place):
            return best(fetch, k)

    def count(self) -> int:
        """As `Index.count`."""
        with _sentences(self._place):
            return self._client.count(self.name, exact=True).count

    def size_bytes(self) -> int:
        """As `Index.size_bytes`."""
        size = self.count() * self.dimensions * 4
        offset = None
        with _sentences(self._place):
            while True:
                page, offset = self._client.scroll(
                    self.name, limit=_PAGE, offset=offset, with_payload=True, with_vectors=False
                )
                size += payload_bytes(record.payload for record in page)
                if offset is None:
                    return size

    def close(self) -> None:
        """As `Index.close`."""
        self._client.close()


def open_server(url: str, name: str, dimensions: int) -> ClientIndex:
    """A collection of a Qdrant server; see `open.open_index`."""
    client = _connect(url)
    try:
        _ensure(client, name, dimensions, url)
    except BaseException:
        client.close()
        raise
    return ClientIndex(client, name, dimensions, place=url, backend="Qdrant server, exact")


def drop_from_server(url: str, name: str) -> None:
    """Delete a collection of a server; nothing happens if it is not there."""
    client = _connect(url)
    try:
        with _sentences(url):
            client.delete_collection(name)
    finally:
        client.close()


def open_local(folder: Path, dimensions: int) -> ClientIndex:
    """The collection in a folder, through the client's local mode; see `open.open_index`.

    For platforms that have no qdrant-edge: exact too, but in Python, so that a search takes some
    fifty times as long; and it commits each point by itself, which takes milliseconds.
    """
    place = str(folder)
    try:
        with _sentences(place):
            # The thread check it can do without is SQLite's; calls here never overlap.
            client = QdrantClient(path=place, force_disable_check_same_thread=True)
    except RuntimeError as error:
        raise Unavailable(
            f"The collection {folder} is open in another process: wait for it or stop it."
        ) from error
    _ensure(client, folder.name, dimensions, place)
    return ClientIndex(
        client,
        folder.name,
        dimensions,
        place=place,
        backend=f"Qdrant client's local mode ({version('qdrant-client')}; there is no qdrant-edge "
        "for this platform, and searches are slower), exact",
    )


def _connect(url: str) -> QdrantClient:
    try:
        # The check of versions would be a request of its own, and a warning where there is no
        # server, which the first call says better.
        return QdrantClient(url=url, timeout=_SECONDS, check_compatibility=False)
    except ValueError as error:
        raise BadInput(
            f"{url!r} is no address of a Qdrant server ({error}); one looks like "
            "http://localhost:6333."
        ) from error


def _ensure(client: QdrantClient, name: str, dimensions: int, place: str) -> None:
    """Make the collection if it is not there, and see that its vectors have the right length."""
    with _sentences(place):
        if not client.collection_exists(name):
            client.create_collection(
                name,
                vectors_config=models.VectorParams(
                    size=dimensions, distance=models.Distance.COSINE
                ),
                hnsw_config=models.HnswConfigDiff(m=0),  # no graph: search is exact
            )
            return
        vectors = client.get_collection(name).config.params.vectors
    found = vectors.size if isinstance(vectors, models.VectorParams) else None
    if found != dimensions:
        raise BadInput(
            f"The collection {name} in {place} holds other vectors ({found} dimensions, not "
            f"{dimensions}): delete it, and it is made anew."
        )


@contextlib.contextmanager
def _sentences(place: str) -> Iterator[None]:
    """Turn the client's errors into sentences, and its advice against local mode into silence."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Local mode", category=UserWarning)
            yield
    except ResponseHandlingException as error:
        raise Unavailable(
            f"No Qdrant server answers at {place} ({error}): start one there, or leave the "
            "address out to use the embedded Qdrant."
        ) from error
    except ApiException as error:
        raise Unavailable(
            f"The Qdrant server at {place} refused a request: {' '.join(str(error).split())}"
        ) from error
