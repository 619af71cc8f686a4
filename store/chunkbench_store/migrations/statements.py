"""Running a script inside a migration's transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils.db import Database


def execute(db: Database, script: str) -> None:
    """Run the statements one by one: `executescript` would commit the migration's transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if line.split("--")[0].rstrip().endswith(";"):
            db.conn.execute(statement)
            statement = ""
