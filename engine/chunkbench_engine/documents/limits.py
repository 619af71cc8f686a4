"""How large a file may be: a document's text is held in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.documents.decode import NotText

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 200_000_000


def read_bounded(path: Path) -> bytes:
    """The bytes of a file; raises NotText where there are too many, OSError where it is closed."""
    refuse_large(path)
    return path.read_bytes()


def refuse_large(path: Path) -> None:
    """Raise NotText where a file is larger than is read."""
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise NotText(
            f"has {size / 1e6:,.0f} MB, and at most {MOST_BYTES / 1e6:,.0f} MB are read; split it"
        )
