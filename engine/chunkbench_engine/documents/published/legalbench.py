"""LegalBench-RAG's JSON (Pipitone & Houir Alami 2024): questions with spans in text files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkbench_engine.counted import counted
from chunkbench_engine.documents.published.published_set import PublishedSet, Row

if TYPE_CHECKING:
    from pathlib import Path

NAME = "LegalBench-RAG"


def is_legalbench(content: object) -> bool:
    """Whether JSON is a list of queries with snippets, under `tests`."""
    tests = content.get("tests") if isinstance(content, dict) else None
    return isinstance(tests, list) and any(
        isinstance(test, dict) and "query" in test and isinstance(test.get("snippets"), list)
        for test in tests
    )


def read_legalbench(path: Path, content: Any) -> PublishedSet:  # noqa: ANN401 - JSON
    """Every snippet is a slot: all of them are needed for a complete answer.

    The corpus is the folder `corpus` beside the file, or beside the file's folder, as published;
    None where there is no such folder.
    """
    rows = tuple(enumerate(map(_row, content["tests"]), start=1))
    folder = next(
        (near / "corpus" for near in path.resolve().parents[:2] if (near / "corpus").is_dir()), None
    )
    where = "the text files in its folder corpus are the corpus" if folder else (
        "its folder corpus is not beside it"
    )  # fmt: skip
    said = f"{NAME}, {counted(len(rows), 'question')} with spans; {where}"
    return PublishedSet(NAME, said, (path,), rows, folder=folder)


def _row(test: Any) -> Row | str:  # noqa: ANN401 - JSON
    if not isinstance(test, dict) or not isinstance(test.get("snippets"), list):
        return "has no snippets"
    evidence: list[Row] = []
    for snippet in test["snippets"]:
        span = snippet.get("span") if isinstance(snippet, dict) else None
        if not isinstance(span, list) or len(span) != 2:
            return "has a snippet without a span"
        passage = {"document": snippet.get("file_path"), "text": snippet.get("answer")}
        evidence.append(passage | {"start": span[0], "end": span[1]})
    return {"question": test.get("query"), "evidence": evidence}
