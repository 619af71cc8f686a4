"""What is understood of a published set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from chunkbench_engine.documents.document import Document

Row = dict[str, object]
"""A question with our field names: `id`, `question`, `evidence`, `answer`, `category`, `split`."""


@dataclass(frozen=True)
class PublishedSet:
    """Documents and questions that were published together.

    Attributes:
        name: the format, with its version where it has one.
        said: what was understood, for a person: `SQuAD 2.0, 12 articles, …`.
        files: what was read of it; the first is the one with the questions.
        rows: the questions by row number, for one that cannot be read the reason; empty where
            the question file itself has field names that are known (`questions.reader`).
        documents: the corpus, where it stands in these files.
        folder: else the folder in which it lies as files.
    """

    name: str
    said: str
    files: tuple[Path, ...]
    rows: tuple[tuple[int, Row | str], ...] = ()
    documents: tuple[Document, ...] = ()
    folder: Path | None = None
