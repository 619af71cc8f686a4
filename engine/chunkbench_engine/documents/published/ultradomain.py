"""UltraDomain's JSON Lines (Qian et al. 2024): questions, answers, and the long text for each."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from chunkbench_engine.counted import counted
from chunkbench_engine.documents.document import Document
from chunkbench_engine.documents.published.lines import json_lines
from chunkbench_engine.documents.published.names import Names
from chunkbench_engine.documents.published.published_set import PublishedSet, Row

if TYPE_CHECKING:
    from pathlib import Path

NAME = "UltraDomain"


def is_ultradomain(row: object) -> bool:
    """Whether a row has the fields of UltraDomain."""
    return isinstance(row, dict) and {"input", "context", "answers"} <= set(row)


def read_ultradomain(path: Path) -> PublishedSet:
    """Contexts are the documents, equal ones once; there is no evidence, only answers."""
    names = Names("context")
    documents: dict[bytes, Document] = {}
    rows: list[tuple[int, Row | str]] = []
    for number, found in json_lines(path):
        if not isinstance(found, dict):
            rows.append((number, found if isinstance(found, str) else "is no object with fields"))
            continue
        context = found.get("context")
        if isinstance(context, str) and context.strip():
            key = hashlib.sha256(context.encode("utf-8", "surrogatepass")).digest()
            if key not in documents:
                meta = found.get("meta")
                title = meta.get("title") if isinstance(meta, dict) else None
                name = names.take(str(title or ""))
                note = f"context of {NAME}, row {number}"
                documents[key] = Document(name, context, note=note, format=NAME)
        row: Row = {"id": found.get("_id"), "question": found.get("input")}
        rows.append((number, row | {"answer": found.get("answers")}))
    said = (
        f"{NAME}, {counted(len(rows), 'question')} with answers and no evidence; "
        f"the {counted(len(documents), 'different context')} are the corpus"
    )
    return PublishedSet(NAME, said, (path,), tuple(rows), tuple(documents.values()))
