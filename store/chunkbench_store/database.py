"""Opening the store: pragmas, migrations, transactions."""

from __future__ import annotations

import datetime
import sqlite3
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import platformdirs

from chunkbench_store.schema import MIGRATION_SET, MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

BUSY_SECONDS = 10.0
_WAL_RETRY_SECONDS = 0.02


class StoreError(Exception):
    """The store cannot be used; the message is one sentence for a person."""


def default_path() -> Path:
    """The database in the platform's data folder."""
    return platformdirs.user_data_path("chunkbench-tui", appauthor=False) / "chunkbench.db"


def now() -> str:
    """The present moment, UTC, ISO 8601 with milliseconds."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")


class Store:
    """A connection to the database; one a thread.

    Reads never take a write lock. Writes go through `write()`, which takes it at once, so that
    no reader is ever upgraded to a writer and two writers queue instead of failing.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[sqlite3.Row]:
        return self.connection.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Row | None:
        found: sqlite3.Row | None = self.connection.execute(sql, parameters).fetchone()
        return found

    def value(self, sql: str, parameters: Sequence[Any] = ()) -> Any:  # noqa: ANN401
        """The first column of the first row, None if there is none."""
        row = self.row(sql, parameters)
        return None if row is None else row[0]

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """One statement inside `write()`; the id of the row it inserted."""
        return self.connection.execute(sql, parameters).lastrowid or 0

    def insert_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        self.connection.executemany(sql, rows)

    @contextmanager
    def write(self) -> Iterator[None]:
        """One transaction: all of it is kept, or nothing."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def version(self) -> int:
        """A number that changes when another connection has written."""
        return int(self.value("PRAGMA data_version"))

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(path: Path | None = None, *, create: bool = True) -> Store:
    """Open the database, bringing its schema up to date.

    Args:
        path: the file; the platform's data folder by default.
        create: make the file and its folder if missing.

    Raises:
        StoreError: missing, locked, not a database, or written by a newer version.
    """
    path = path or default_path()
    if not path.exists():
        if not create:
            raise StoreError(f"{path} does not exist: no run has been started with this database")
        path.parent.mkdir(parents=True, exist_ok=True)
    try:
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        store = Store(path, connection)
        _migrate(store)
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} cannot be opened as a database: {error}") from error
    # From here on transactions are begun only by `write()`.
    connection.isolation_level = None
    return store


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch a new file to WAL, also where others are just opening it.

    The switch upgrades a read lock, for which SQLite does not wait: it fails at once when another
    connection does the same.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_WAL_RETRY_SECONDS)
        else:
            return


def _migrate(store: Store) -> None:
    known = [migration.__name__ for migration in MIGRATIONS]
    applied = applied_migrations(store)
    unknown = sorted(set(applied) - set(known))
    if unknown:
        raise StoreError(
            f"{store.path} was written by a newer version of chunkbench-tui ({unknown[-1]}): "
            "upgrade with pip install --upgrade chunkbench-tui, or name another file with --db"
        )
    if len(applied) < len(known):
        migrate(store.connection)


def applied_migrations(store: Store) -> list[str]:
    """Names of the migrations that the database has seen."""
    if store.value("SELECT count(*) FROM sqlite_master WHERE name = '_sqlite_migrations'") == 0:
        return []
    rows = store.rows(
        "SELECT name FROM _sqlite_migrations WHERE migration_set = ? ORDER BY rowid",
        (MIGRATION_SET,),
    )
    return [row[0] for row in rows]


def migrate(connection: sqlite3.Connection, stop_before: str | None = None) -> None:
    """Bring a database's schema up to date, or up to the migration before one that is named.

    The write lock is held throughout: of two that open a new file, one finds nothing left to do.
    """
    # Imported only when there is something to do: it takes longer than the app's first paint.
    from sqlite_utils.db import Database
    from sqlite_utils.migrations import Migrations

    migrations = Migrations(MIGRATION_SET)
    for migration in MIGRATIONS:
        migrations(name=migration.__name__)(migration)
    database = Database(connection)
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        migrations.apply(database, stop_before=stop_before)
