"""A person may ask for a strategy to be added to a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils.db import Database

_STATEMENTS = (
    """
CREATE TABLE control_with_spec (     -- what a person asks of the engine
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    at TEXT NOT NULL,
    command TEXT NOT NULL CHECK (command IN
        ('pause', 'resume', 'stop', 'cancel', 'retry', 'add')),
    chunk_set INTEGER REFERENCES chunk_set ON DELETE CASCADE,  -- for cancel and retry
    spec TEXT,                       -- of the strategy to add
    handled_at TEXT
) STRICT""",
    "INSERT INTO control_with_spec (id, run, at, command, chunk_set, handled_at)"
    " SELECT id, run, at, command, chunk_set, handled_at FROM control",
    "DROP TABLE control",
    "ALTER TABLE control_with_spec RENAME TO control",
)


def m002_addition(db: Database) -> None:
    """The table anew: SQLite cannot change the check of a column."""
    for statement in _STATEMENTS:
        db.conn.execute(statement)
