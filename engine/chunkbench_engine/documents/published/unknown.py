"""A sentence on a set that is not understood."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

KNOWN = (
    "UltraDomain (input, context, answers), SQuAD (data, paragraphs, context, qas), "
    "LegalBench-RAG (tests, query, snippets), Chroma's questions_df.csv beside a folder corpora, "
    "or a BEIR folder (corpus.jsonl, queries.jsonl, qrels)"
)
_HEAD = 65_536
_SHOWN = 12


def unknown_set(path: Path) -> str:
    """What fields a file of questions has, and what would be needed to read documents from it."""
    seen = ", ".join(fields_of(path)[:_SHOWN]) or "none"
    return (
        f"{path} holds questions, but no documents that are understood (its fields: {seen}). Read "
        f"as they are: {KNOWN}. Else give the folder of documents, and this file with -q."
    )


def fields_of(path: Path) -> list[str]:
    """Names of the fields at the top of a file, and of the objects in lists there."""
    with path.open("rb") as file:
        head = file.read(_HEAD).decode("utf-8-sig", "replace")
    if path.suffix.lower() == ".csv":
        return [name.strip() for name in next(csv.reader(io.StringIO(head)), [])]
    try:
        found = json.loads(head.partition("\n")[0] if path.suffix.lower() == ".jsonl" else head)
    except (ValueError, RecursionError):
        return []
    if isinstance(found, list):
        found = next((item for item in found if isinstance(item, dict)), {})
    return [str(name) for name in found] if isinstance(found, dict) else []
