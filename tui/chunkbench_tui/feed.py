"""The app's way to the store: it asks often whether something changed, and reads only then.

Two connections: one that only asks for the version, on the event loop (microseconds, and never
waiting for the other); and one that reads and writes, in a thread, under a lock.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from typing import TYPE_CHECKING, TypeVar

from chunkbench_store.database import Store, StoreError, open_store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

T = TypeVar("T")

POLL_SECONDS = 0.1
STALE_SECONDS = 1.0
"""A living run is read this often although nothing was written: its engine may be gone."""


class Feed:
    """Reads and writes of one app; opened on first use, closed with the app."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._watching: Store | None = None
        self._store: Store | None = None
        self._lock = threading.Lock()

    async def read(self, question: Callable[[Store], T]) -> T:
        """The answer to a question, from one consistent state of the store.

        Raises:
            StoreError: the store cannot be used; the message is for a person.
        """
        return await asyncio.to_thread(self._locked, question, True)

    async def write(self, change: Callable[[Store], T]) -> T:
        """Carry out a change; it takes its own transaction.

        Raises:
            StoreError: the store cannot be used; the message is for a person.
        """
        return await asyncio.to_thread(self._locked, change, False)

    async def changes(self, alive: Callable[[], bool]) -> AsyncIterator[None]:
        """Once at the start, then whenever someone has written.

        Args:
            alive: whether what was read last can go stale with nobody writing.
        """
        if self._watching is None:
            self._watching = await asyncio.to_thread(_open, self.path)
        version, waited = -1, 0.0
        while True:
            try:
                found = self._watching.version()
            except sqlite3.Error as error:
                raise StoreError(f"{self.path} cannot be read: {error}") from error
            if found != version or (alive() and waited >= STALE_SECONDS):
                version, waited = found, 0.0
                yield
            await asyncio.sleep(POLL_SECONDS)
            waited += POLL_SECONDS

    def close(self) -> None:
        """Close both connections, after what is being read or written."""
        with self._lock:
            for store in (self._watching, self._store):
                if store is not None:
                    store.close()
            self._watching = self._store = None

    def _locked(self, use: Callable[[Store], T], together: bool) -> T:
        with self._lock:
            if self._store is None:
                self._store = _open(self.path)
            try:
                return _in_one_state(self._store, use) if together else use(self._store)
            except sqlite3.Error as error:
                raise StoreError(f"{self.path} cannot be used: {error}") from error


def _open(path: Path) -> Store:
    try:
        return open_store(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be opened: {error.strerror or error}") from error


def _in_one_state(store: Store, question: Callable[[Store], T]) -> T:
    """Inside a reading transaction, so that several queries see one moment."""
    store.execute("BEGIN")
    try:
        return question(store)
    finally:
        store.execute("COMMIT")
