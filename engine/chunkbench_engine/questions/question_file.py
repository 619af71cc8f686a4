"""A question file that is written row by row; rows it does not know stay as they are."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from typing import TYPE_CHECKING, Any

from chunkbench_engine.documents.decode import NotText, decode
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

Lines = tuple[str, ...]
"""The lines of a JSONL file, without their line ends, to the letter."""


def read_lines(path: Path) -> Lines:
    """The lines of a JSONL file; none if there is no such file.

    Raises:
        BadInput: it is no JSONL file by its name, or is no text in UTF-8.
    """
    if path.suffix.lower() != ".jsonl":
        raise BadInput(f"{path} cannot be written row by row: name a .jsonl file")
    try:
        decoded = decode(path.read_bytes())
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BadInput(f"{path} cannot be opened: {error.strerror}") from error
    except NotText as error:
        raise BadInput(f"{path} cannot be read as questions: {error}") from error
    if decoded.encoding != "utf-8" or decoded.undecodable:
        raise BadInput(f"{path} is not in UTF-8: save it so, then questions can be added to it")
    lines = decoded.text.split("\n")
    return tuple(lines if lines[-1] else lines[:-1])


def write_lines(path: Path, lines: Lines, *, before: Lines) -> None:
    """Put these lines in place of those read before, all at once or not at all.

    Raises:
        BadInput: the file has changed since, which is then left alone; or it cannot be written.
    """
    if read_lines(path) != before:
        raise BadInput(f"{path} was changed by another program meanwhile: read it again first")
    target = path.resolve()  # the file that a link leads to is replaced, not the link
    written = ""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="", dir=target.parent, prefix=".", delete=False
        ) as file:
            written = file.name
            file.writelines(f"{line}\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, written)
        else:
            os.chmod(written, 0o666 & ~_umask())
        os.replace(written, target)
    except OSError as error:
        if written:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(written)
        raise BadInput(
            f"{path} cannot be written ({error.strerror}): choose another file"
        ) from error


def row_line(fields: dict[str, Any]) -> str:
    """A row as a line of the file: its fields in order, without the empty ones."""
    kept = {name: value for name, value in fields.items() if value not in ("", [], None, False)}
    return json.dumps(kept, ensure_ascii=False)


def changed_line(line: str, fields: dict[str, Any]) -> str:
    """A line with some fields put anew; an empty one is taken away, those not named stay."""
    return row_line({**json.loads(line), **fields})


def new_id(question: str, taken: Iterable[str]) -> str:
    """An id for a question that no other of the set has: `q-` and a hash of its words."""
    used = set(taken)
    number = 0
    while True:
        digest = hashlib.sha256(f"{question}{number or ''}".encode("utf-8", "replace")).hexdigest()
        if f"q-{digest[:8]}" not in used:
            return f"q-{digest[:8]}"
        number += 1


def _umask() -> int:
    """The umask, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
