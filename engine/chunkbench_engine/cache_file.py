"""An SQLite file that several processes share and anyone may delete."""

from __future__ import annotations

import os
import sqlite3
import threading
from typing import TYPE_CHECKING

from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from pathlib import Path

_BUSY_SECONDS = 60.0


class CacheFile:
    """Connections to an SQLite file that may be deleted at any time without loss.

    Several processes and threads may read and write it at once: each has a connection of its
    own, also after a fork, and a write waits for another's to end.
    """

    def __init__(self, path: Path, schema: str, what: str) -> None:
        """Opened on first use; the file and its folder are made if they are not there.

        `schema` creates a table if it does not exist; `what` names the cache in messages.
        """
        self._path = path
        self._schema = schema
        self._what = what
        # Kept for good: a connection inherited through a fork must be neither used nor closed.
        self._connections: dict[tuple[int, int], tuple[sqlite3.Connection, int]] = {}
        self._abandoned: list[sqlite3.Connection] = []

    def connection(self) -> sqlite3.Connection:
        """This process's and thread's own; transactions are begun by hand.

        Raises:
            BadInput: the file is there and is no SQLite database.
        """
        owner = (os.getpid(), threading.get_ident())
        connection, inode = self._connections.get(owner, (None, -1))
        if connection is not None and inode == self._inode():
            return connection
        if connection is not None:  # the file was deleted, or replaced, under it
            self._abandoned.append(connection)
        connection = self._open()
        self._connections[owner] = (connection, self._inode())
        return connection

    def close(self) -> None:
        """Close this process's connections; it may be used again afterwards."""
        for owner in [owner for owner in self._connections if owner[0] == os.getpid()]:
            connection, _ = self._connections.pop(owner)
            connection.close()

    def _inode(self) -> int:
        try:
            return self._path.stat().st_ino
        except FileNotFoundError:
            return 0

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # isolation_level None: transactions are begun by hand. Another thread may close it.
        connection = sqlite3.connect(
            self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(self._schema)
        except sqlite3.DatabaseError as error:
            connection.close()
            raise BadInput(
                f"The {self._what} {self._path} cannot be used ({error}); delete the file: it "
                "holds nothing that cannot be computed again."
            ) from error
        return connection
