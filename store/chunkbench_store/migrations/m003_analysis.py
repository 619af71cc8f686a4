"""What is concluded from the measures of a finished run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils.db import Database

_STATEMENTS = (
    """
CREATE TABLE frontier (              -- no other of its experiment is as good for less, or better
    config INTEGER NOT NULL REFERENCES config ON DELETE CASCADE,  -- for the same
    quality TEXT NOT NULL,           -- a measure: more is better
    cost TEXT NOT NULL,              -- a measure, or index_bytes or cold_seconds: less is better
    PRIMARY KEY (config, quality, cost)
) STRICT, WITHOUT ROWID""",
    """
CREATE TABLE correlation (           -- Pearson's r over the finished configurations of a run
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    first TEXT NOT NULL,             -- a measure, or index_bytes, cold_seconds, peak_bytes, chunks
    second TEXT NOT NULL,
    r REAL,                          -- NULL: one of them is the same everywhere, or too few
    configurations INTEGER NOT NULL, -- that have both
    PRIMARY KEY (run, first, second),
    CHECK (first < second)
) STRICT, WITHOUT ROWID""",
    """
CREATE TABLE folder_score (          -- mean over the questions whose evidence is all in a folder
    config INTEGER NOT NULL REFERENCES config ON DELETE CASCADE,
    folder TEXT NOT NULL,            -- directly below the corpus; '' for the corpus folder itself
    measure TEXT NOT NULL,
    value REAL NOT NULL,
    questions INTEGER NOT NULL,
    PRIMARY KEY (config, folder, measure)
) STRICT, WITHOUT ROWID""",
    """
CREATE TABLE score_bin (             -- how many questions have about which score
    config INTEGER NOT NULL REFERENCES config ON DELETE CASCADE,
    measure TEXT NOT NULL,
    bin INTEGER NOT NULL,            -- of ten: from bin / 10 to below (bin + 1) / 10, or to 1
    questions INTEGER NOT NULL,
    PRIMARY KEY (config, measure, bin)
) STRICT, WITHOUT ROWID""",
)


def m003_analysis(db: Database) -> None:
    for statement in _STATEMENTS:
        db.conn.execute(statement)
