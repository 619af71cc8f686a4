"""Chroma's evaluation set (Smith & Troynikov 2024): questions_df.csv and a folder of corpora."""

from __future__ import annotations

import csv
import io
import sys
from typing import TYPE_CHECKING

from chunkbench_engine.counted import counted
from chunkbench_engine.documents.published.published_set import PublishedSet
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from pathlib import Path

NAME = "Chroma's evaluation set"
QUESTIONS, CORPORA = "questions_df.csv", "corpora"
_COLUMNS = {"question", "references", "corpus_id"}


def is_chroma(head: str) -> bool:
    """Whether a CSV file that begins so has the columns of Chroma's questions."""
    return {name.strip() for name in next(csv.reader(io.StringIO(head)), [])} >= _COLUMNS


def read_chroma(path: Path, text: str) -> PublishedSet:
    """Its field names are known to whatever reads questions; the corpora lie beside it."""
    folder = path.parent / CORPORA
    limit = csv.field_size_limit(sys.maxsize)  # references may be longer than the default allows
    try:
        questions = sum(1 for _ in csv.reader(io.StringIO(text, newline=""))) - 1
    except csv.Error as error:
        raise BadInput(f"{path} is no valid CSV: {error}.") from error
    finally:
        csv.field_size_limit(limit)
    where = "the files in its folder corpora are the corpus" if folder.is_dir() else (
        "its folder corpora is not beside it"
    )  # fmt: skip
    said = f"{NAME}, {counted(questions, 'question')} with references; {where}"
    return PublishedSet(NAME, said, (path,), folder=folder if folder.is_dir() else None)
