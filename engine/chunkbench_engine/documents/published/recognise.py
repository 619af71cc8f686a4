"""Which published set a file or folder is, if it is one: told by its fields, not by its name."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from chunkbench_engine.documents.published import beir, chroma, legalbench, squad, ultradomain
from chunkbench_engine.documents.published.lines import json_lines, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from chunkbench_engine.documents.published.published_set import PublishedSet

_SUFFIXES = (".json", ".jsonl", ".csv")
_HEAD = 65_536
"""Bytes at a file's beginning that must show the fields of a set for it to be parsed."""
_HINTS = (('"paragraphs"', '"data"'), ('"snippets"', '"tests"'))
_QUESTION = re.compile(r'"(?:question|input|query)"\s*:')
_GOLD = re.compile(r'"(?:evidence|references|gold|answers?|snippets|category|split)"\s*:')
_QUESTION_COLUMN = re.compile(r'^\ufeff?(?:.*,)?"?question"?\s*(?:,|$)')


def recognise(path: Path) -> tuple[PublishedSet, ...]:
    """The published sets that a file or folder is: none usually, of benchmarks several.

    Raises:
        BadInput: it is one, but cannot be read.
    """
    if path.is_dir():
        return tuple(_in_folder(path))
    if not path.is_file() or path.suffix.lower() not in _SUFFIXES:
        return ()
    at = path.stat()
    found = _in_file(path, at.st_mtime_ns, at.st_size)
    return (found,) if found else ()


def holds_questions(path: Path) -> bool:
    """Whether a file looks like questions: it must then not be taken for a document.

    The gold would lie in the corpus. It is judged by its beginning.
    """
    suffix = path.suffix.lower()
    if suffix not in _SUFFIXES:
        return False
    head = _head(path)
    if suffix == ".csv":
        return bool(_QUESTION_COLUMN.match(head.partition("\n")[0].strip()))
    return bool(_QUESTION.search(head) and _GOLD.search(head)) or _hinted(head)


def _in_folder(folder: Path) -> Iterator[PublishedSet]:
    if beir.is_beir(folder):
        files = (folder / beir.CORPUS, folder / beir.QUERIES, *sorted(folder.glob("qrels/*.tsv")))
        yield _beir(folder, tuple((file.stat().st_mtime_ns, file.stat().st_size) for file in files))
    elif (folder / chroma.CORPORA).is_dir() and (folder / chroma.QUESTIONS).is_file():
        yield from recognise(folder / chroma.QUESTIONS)
    elif (folder / "corpus").is_dir() and (folder / "benchmarks").is_dir():
        for file in sorted((folder / "benchmarks").glob("*.json")):
            yield from recognise(file)


@lru_cache(maxsize=2)
def _beir(folder: Path, _files: tuple[tuple[int, int], ...]) -> PublishedSet:
    return beir.read_beir(folder)


@lru_cache(maxsize=8)
def _in_file(path: Path, _changed: int, _size: int) -> PublishedSet | None:
    """Kept, as the documents and the questions are asked for one after the other."""
    suffix = path.suffix.lower()
    head = _head(path)
    if suffix == ".csv":
        return chroma.read_chroma(path, text_of(path)) if chroma.is_chroma(head) else None
    if suffix == ".jsonl":
        if path.name == beir.QUERIES and beir.is_beir(path.parent):
            return next(_in_folder(path.parent))
        if '"context"' not in head and '"input"' not in head:
            return None
        first = next((found for _, found in json_lines(path)), None)
        return ultradomain.read_ultradomain(path) if ultradomain.is_ultradomain(first) else None
    if not _hinted(head):
        return None
    try:
        content = json.loads(text_of(path))
    except (ValueError, RecursionError):
        return None  # whatever reads it next says what is wrong with it, and where
    if squad.is_squad(content):
        return squad.read_squad(path, content)
    if legalbench.is_legalbench(content):
        return legalbench.read_legalbench(path, content)
    return None


def _hinted(head: str) -> bool:
    return any(all(hint in head for hint in hints) for hints in _HINTS)


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD).decode("utf-8", "replace")
    except OSError:
        return ""
