"""What ails a strategy's chunks, as can be seen before any question is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils.db import Database

_STATEMENTS = (
    """
CREATE TABLE diagnosis (             -- counts, over the whole corpus
    chunk_set INTEGER NOT NULL REFERENCES chunk_set ON DELETE CASCADE,
    model TEXT NOT NULL,             -- '' for what the chunks show without vectors
    name TEXT NOT NULL,              -- a kind of finding, what it is a share of, or hub_skewness
    value REAL NOT NULL,
    PRIMARY KEY (chunk_set, model, name)
) STRICT, WITHOUT ROWID""",
    """
CREATE TABLE finding (               -- the worst of each kind; all are counted in diagnosis
    chunk_set INTEGER NOT NULL REFERENCES chunk_set ON DELETE CASCADE,
    model TEXT NOT NULL,             -- as in diagnosis
    kind TEXT NOT NULL,
    document INTEGER NOT NULL REFERENCES document,
    start INTEGER NOT NULL,          -- of the chunk, table, code block or lost text
    "end" INTEGER NOT NULL,
    line INTEGER NOT NULL,           -- from 1
    chunk INTEGER,                   -- number in its document, from 1; NULL: in no chunk
    value REAL NOT NULL,             -- as its kind has it: tokens, copies, neighbours, a cosine
    other_document INTEGER REFERENCES document,  -- of duplicates, one of the others
    other_line INTEGER,
    PRIMARY KEY (chunk_set, model, kind, document, start, "end")
) STRICT, WITHOUT ROWID""",
    "CREATE INDEX finding_by_document ON finding (document)",
    "CREATE INDEX finding_by_other_document ON finding (other_document)",
)


def m004_diagnosis(db: Database) -> None:
    for statement in _STATEMENTS:
        db.conn.execute(statement)
