"""A cache of answers on disk, addressed by model and question."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from chunkbench_engine.cache_file import CacheFile
from chunkbench_engine.language.answer import Answer, AnswerToken

if TYPE_CHECKING:
    from pathlib import Path

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answer (
    model    TEXT NOT NULL,   -- name and digest
    question BLOB NOT NULL,   -- SHA-256 of messages, schema and options
    text     TEXT NOT NULL,
    tokens   TEXT NOT NULL,   -- JSON: tokens with the log-probabilities of their alternatives
    seconds  REAL NOT NULL,   -- what it cost to get
    PRIMARY KEY (model, question)
)
"""


class AnswerCache:
    """Answers in an SQLite file that may be deleted at any time: they can be asked for again.

    Several processes and threads may read and write it at once.
    """

    def __init__(self, path: Path) -> None:
        """Opened on first use, which raises `BadInput` if the file is no SQLite database."""
        self._file = CacheFile(path, _SCHEMA, "cache of answers")

    def get(self, model: str, question: bytes) -> Answer | None:
        row = (
            self._file.connection()
            .execute(
                "SELECT text, tokens, seconds FROM answer WHERE model = ? AND question = ?",
                (model, question),
            )
            .fetchone()
        )
        if row is None:
            return None
        return Answer(row[0], tuple(AnswerToken(*token) for token in json.loads(row[1])), row[2])

    def put(self, model: str, question: bytes, answer: Answer) -> None:
        """Keep an answer; one that is there already stays."""
        self._file.connection().execute(
            "INSERT OR IGNORE INTO answer VALUES (?, ?, ?, ?, ?)",
            (model, question, answer.text, json.dumps(answer.tokens), answer.seconds),
        )

    def forget(self, model: str, question: bytes) -> None:
        self._file.connection().execute(
            "DELETE FROM answer WHERE model = ? AND question = ?", (model, question)
        )

    def pace(self, name: str) -> tuple[int, float]:
        """How many grades a judge with this model has given, whatever its weights' digest, and
        the seconds they cost."""
        row = (
            self._file.connection()
            .execute(
                "SELECT count(*), coalesce(sum(seconds), 0) FROM answer"
                " WHERE substr(model, 1, ?) = ? AND text LIKE '%\"score\"%'",
                (len(name) + 1, f"{name}@"),
            )
            .fetchone()
        )
        return int(row[0]), float(row[1])

    def close(self) -> None:
        """Close this process's connections; the cache may be used again afterwards."""
        self._file.close()
