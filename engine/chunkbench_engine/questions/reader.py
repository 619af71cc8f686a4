"""Question files: JSONL, JSON and CSV, with our field names and those of other collections.

Published sets of another form come as rows with our field names from `documents.published`.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from typing import TYPE_CHECKING, Any

from chunkbench_engine.documents.decode import NotText, decode
from chunkbench_engine.documents.limits import read_bounded
from chunkbench_engine.documents.published.recognise import recognise
from chunkbench_engine.documents.published.unknown import KNOWN
from chunkbench_engine.errors import BadInput
from chunkbench_engine.questions.fields import Fault, raw_row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from chunkbench_engine.questions.row import RawRow

_SHOWN = 12
_Numbered = tuple[int, object]
"""Row number and what stands there: an object of fields, or a `Fault`."""


def read_rows(path: Path, stem: str | None = None) -> list[RawRow]:
    """Rows of one question file, in order; a row that cannot be read carries its `fault`.

    Args:
        path: a `.jsonl`, `.json` or `.csv` file, or the question file of a published set.
        stem: what ids begin with where a row has none; the file's own stem if not given.

    Raises:
        BadInput: the file as a whole cannot be read.
    """
    prefix = path.stem if stem is None else stem
    return [raw_row(str(path), number, prefix, fields) for number, fields in _numbered_rows(path)]


def read_fields(path: Path) -> list[dict[str, Any]]:
    """The rows of a question file as they are written, with all their fields.

    Raises:
        BadInput: the file, or one of its rows, cannot be read.
    """
    rows: list[dict[str, Any]] = []
    for number, found in _numbered_rows(path):
        if not isinstance(found, dict):
            why = str(found) if isinstance(found, Fault) else "is no object with fields"
            raise BadInput(f"{path}, row {number} {why}: correct it first.")
        rows.append(found)
    return rows


def _numbered_rows(path: Path) -> list[_Numbered]:
    if rows := [row for found in recognise(path) for row in found.rows]:
        return [(number, Fault(row) if isinstance(row, str) else row) for number, row in rows]
    readers = {".jsonl": _read_jsonl, ".json": _read_json, ".csv": _read_csv}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        known = ", ".join(readers)
        raise BadInput(f"{path} is no question file: give one of {known}.")
    found = list(reader(path, _text(path)))
    _must_have_questions(path, found)
    return found


def _must_have_questions(path: Path, rows: list[_Numbered]) -> None:
    """One sentence on a file of another form, not one for each of its rows."""
    objects = [fields for _, fields in rows if isinstance(fields, dict)]
    names = list(dict.fromkeys(str(name) for fields in objects for name in fields))
    if names and not {"question", "input"} & set(names):
        seen = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
        raise BadInput(
            f"{path} has no field named question (its fields: {seen}). Needed is question, with "
            f"evidence or answer; read as they are too: {KNOWN}."
        )


def _text(path: Path) -> str:
    try:
        decoded = decode(read_bounded(path))
    except FileNotFoundError as error:
        raise BadInput(f"{path} does not exist; give a question file.") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be opened: {error.strerror}.") from error
    except NotText as error:
        raise BadInput(f"{path} cannot be read as questions: it {error}.") from error
    if decoded.undecodable:
        raise BadInput(f"{path} cannot be read as questions: {decoded.note}; save it as UTF-8.")
    return decoded.text


def _read_jsonl(_path: Path, text: str) -> Iterator[_Numbered]:
    # Not splitlines(): JSON text may hold U+2028 and others that only that function splits at.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, _parse(line)


def _read_json(path: Path, text: str) -> Iterator[_Numbered]:
    rows = _parse(text)
    if isinstance(rows, Fault):
        raise BadInput(f"{path} {rows}; correct it there.")
    if not isinstance(rows, list):
        fields = ", ".join(map(str, rows)) if isinstance(rows, dict) else ""
        raise BadInput(
            f"{path} is no list of questions{f' (its fields: {fields})' if fields else ''}; write "
            f"them as [{{...}}, {{...}}], or give one of {KNOWN}."
        )
    yield from enumerate(rows, start=1)


def _read_csv(path: Path, text: str) -> Iterator[_Numbered]:
    limit = csv.field_size_limit(sys.maxsize)  # a reference may be longer than the default allows
    try:
        reader = csv.reader(io.StringIO(text, newline=""))
        header = [name.strip() for name in next(reader, [])]
        if not {"question", "input"} & set(header):
            columns = ", ".join(header) or "none"
            raise BadInput(f"{path} has no column named question; its columns are: {columns}.")
        for number, cells in enumerate(reader, start=2):
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) > len(header):
                yield number, Fault(f"has {len(cells)} fields, but the header has {len(header)}")
            else:
                yield number, _csv_fields(header, cells)
    except csv.Error as error:
        raise BadInput(f"{path} is no valid CSV near line {reader.line_num}: {error}.") from error
    finally:
        csv.field_size_limit(limit)


def _csv_fields(header: list[str], cells: list[str]) -> object:
    """Fields that are not empty; lists are written as JSON in a cell."""
    fields: dict[str, object] = {}
    for name, cell in zip(header, cells, strict=False):
        if not cell.strip():
            continue
        if name in ("evidence", "references"):
            value = _parse(cell)
            if isinstance(value, Fault):
                return Fault(f"its {name} {value}")
            fields[name] = value
        elif name in ("answer", "answers") and cell.lstrip().startswith("["):
            # An answer may begin with a bracket without being a list.
            value = _parse(cell)
            fields[name] = cell if isinstance(value, Fault) else value
        else:
            fields[name] = cell
    return fields


def _parse(text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, " if error.lineno > 1 else ""
        return Fault(f"is no valid JSON ({error.msg} at {place}character {error.colno})")
    except RecursionError:
        return Fault("is nested too deeply")
