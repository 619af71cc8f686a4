"""What chunking a document took when it was run alone, sharing nothing (`--cold`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils.db import Database


def m006_cold_run(db: Database) -> None:
    db.conn.execute("ALTER TABLE chunk_unit ADD COLUMN cold_seconds REAL")
