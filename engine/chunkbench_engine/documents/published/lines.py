"""JSON Lines, row by row."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from chunkbench_engine.documents.decode import NotText, decode
from chunkbench_engine.documents.limits import read_bounded
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def json_lines(path: Path) -> Iterator[tuple[int, object]]:
    """(line number, value) of every line that is not blank; for one that is no JSON, the reason.

    Raises:
        BadInput: the file cannot be read.
    """
    # Not splitlines(): JSON text may hold U+2028 and others that only that function splits at.
    for number, line in enumerate(text_of(path).split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError):
                yield number, "is no valid JSON"


def text_of(path: Path) -> str:
    """The text of a file of a published set; raises BadInput where it has none."""
    try:
        decoded = decode(read_bounded(path))
    except NotText as error:
        raise BadInput(f"{path} cannot be read: it {error}.") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be opened: {error.strerror}.") from error
    if decoded.undecodable:
        raise BadInput(f"{path} cannot be read: {decoded.note}; save it as UTF-8.")
    return decoded.text
