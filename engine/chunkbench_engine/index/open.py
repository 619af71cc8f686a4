"""Opening a collection, embedded or on a server, and deleting it."""

from __future__ import annotations

import re
import shutil
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from chunkbench_engine.index.index import Index

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")


def open_index(where: Path, name: str, dimensions: int, *, url: str | None = None) -> Index:
    """Open a collection, or make it, empty, if it is not there.

    A collection on disk that can no longer be read (nothing but a damaged disk or another
    version's files should cause that) is dropped and made anew, empty. So the caller compares
    `count()` with what it has written, and upserts again what is missing.

    Args:
        where: folder of the embedded collections; unused with `url`.
        name: letters, digits, `.`, `_` and `-`, at most 200.
        dimensions: length of a vector.
        url: of a Qdrant server; None for Qdrant embedded in this process.

    Raises:
        Unavailable: no server answers at `url`, or another process has the collection open.
        BadInput: the collection is there with another number of dimensions.
    """
    _check(name)
    if url is not None:
        from chunkbench_engine.index.server import open_server

        return open_server(url, name, dimensions)
    if find_spec("qdrant_edge") is not None:
        from chunkbench_engine.index.edge import open_edge

        return open_edge(where / name, dimensions)
    from chunkbench_engine.index.server import open_local

    return open_local(where / name, dimensions)


def drop_index(where: Path, name: str, *, url: str | None = None) -> None:
    """Delete a collection, which nobody may have open; nothing happens if it is not there.

    Raises:
        Unavailable: no server answers at `url`.
    """
    _check(name)
    if url is not None:
        from chunkbench_engine.index.server import drop_from_server

        drop_from_server(url, name)
    elif (where / name).exists():
        shutil.rmtree(where / name)


def _check(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name for a collection")
