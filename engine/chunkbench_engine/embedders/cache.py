"""A cache of vectors on disk, addressed by model and content."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkbench_engine.cache_file import CacheFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_LOOKUP = 500  # keys a statement: below SQLite's limit of variables, whatever its build

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vector (
    model   TEXT NOT NULL,   -- id of the embedder
    content BLOB NOT NULL,   -- SHA-256 of what was embedded
    value   BLOB NOT NULL,   -- little-endian float32
    seconds REAL NOT NULL,   -- what it cost to compute
    PRIMARY KEY (model, content)
)
"""


class Cached(NamedTuple):
    """A vector and the seconds it cost when it was computed."""

    value: NDArray[np.float32]
    seconds: float


def text_key(text: str) -> bytes:
    """Address of a text: its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


class VectorCache:
    """Vectors in an SQLite file that may be deleted at any time without loss.

    Several processes and threads may read and write it at once: each has a connection of its
    own, also after a fork, and a write waits for another's to end.
    """

    def __init__(self, path: Path) -> None:
        """Opened on first use; the file and its folder are made if they are not there.

        Raises (on first use):
            BadInput: the file is there and is no SQLite database.
        """
        self._file = CacheFile(path, _SCHEMA, "vector cache")

    def get(self, model: str, keys: Sequence[bytes]) -> dict[bytes, Cached]:
        """What is known of the keys; a key that is not known is left out."""
        connection = self._file.connection()
        found: dict[bytes, Cached] = {}
        for first in range(0, len(keys), _LOOKUP):
            some = keys[first : first + _LOOKUP]
            marks = ",".join("?" * len(some))
            rows = connection.execute(
                f"SELECT content, value, seconds FROM vector"  # noqa: S608 - question marks only
                f" WHERE model = ? AND content IN ({marks})",
                (model, *some),
            )
            for content, value, seconds in rows:
                found[content] = Cached(np.frombuffer(value, dtype="<f4"), seconds)
        return found

    def put(self, model: str, items: Iterable[tuple[bytes, NDArray[np.float32], float]]) -> None:
        """Store (key, vector, seconds), in one transaction; a key already there is kept."""
        rows = [
            (model, key, np.asarray(value, dtype="<f4").tobytes(), seconds)
            for key, value, seconds in items
        ]
        connection = self._file.connection()
        with connection:
            # Taken at once, so that the wait for another writer is the busy timeout's.
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT OR IGNORE INTO vector VALUES (?, ?, ?, ?)", rows)

    def close(self) -> None:
        """Close this process's connections; the cache may be used again afterwards."""
        self._file.close()
