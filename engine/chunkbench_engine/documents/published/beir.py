"""BEIR's folders (Thakur et al. 2021): corpus.jsonl, queries.jsonl, qrels/*.tsv."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.counted import counted
from chunkbench_engine.documents.document import Document
from chunkbench_engine.documents.published.lines import json_lines, text_of
from chunkbench_engine.documents.published.published_set import PublishedSet, Row
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from pathlib import Path

NAME = "BEIR"
CORPUS, QUERIES = "corpus.jsonl", "queries.jsonl"
_SPLITS = ("dev", "test")


def is_beir(folder: Path) -> bool:
    """Whether a folder holds the files of a BEIR data set."""
    return (folder / CORPUS).is_file() and (folder / QUERIES).is_file()


def read_beir(folder: Path) -> PublishedSet:
    """A document for each row of the corpus: its title, a blank line, its text.

    The judgements are of whole documents, so each document that is relevant to a query (score
    above 0) is a slot whose passage is the whole document: the evidence judge grades a passage of
    it 1, and 2 only if it is all of it. Queries that nobody judged are left out.

    Raises:
        BadInput: a file cannot be read, or there are no judgements.
    """
    documents = {
        document.id: document
        for number, found in json_lines(folder / CORPUS)
        if (document := _document(folder, number, found)).text.strip()
    }
    judged, splits = _judgements(folder)
    rows: list[tuple[int, Row | str]] = []
    asked = 0
    for number, found in json_lines(folder / QUERIES):
        if not isinstance(found, dict):
            rows.append((number, found if isinstance(found, str) else "is no object with fields"))
            continue
        asked += 1
        key = str(found.get("_id"))
        if key not in judged:
            continue
        split, relevant = judged[key]
        evidence: list[Row] = [
            {"document": name, "start": 0, "end": len(documents[name].text)}
            if name in documents
            else {"document": name, "text": name}  # the check then says that there is none
            for name in relevant
        ]
        row: Row = {"id": key, "question": found.get("text"), "evidence": evidence}
        rows.append((number, row | ({"split": split} if len(splits) > 1 else {})))
    said = (
        f"{NAME}, {counted(len(documents), 'document')}, {counted(len(rows), 'question')} of "
        f"{asked:,} judged in qrels ({', '.join(splits)}); what is judged is whole documents, so a "
        "passage of a relevant one is graded 1, and 2 only if it is all of it: Hit, MRR and recall "
        "favour chunks as long as the documents"
    )
    files = (folder / QUERIES, folder / CORPUS)
    return PublishedSet(NAME, said, files, tuple(rows), tuple(documents.values()))


def _document(folder: Path, number: int, found: object) -> Document:
    fields = found if isinstance(found, dict) else {}
    title, text = fields.get("title") or "", fields.get("text")
    if not isinstance(title, str) or not isinstance(text, str) or "_id" not in fields:
        raise BadInput(
            f"{folder / CORPUS}, row {number}: a document has _id, title and text; it has "
            f"{', '.join(map(str, fields)) or 'none of them'}."
        )
    whole = f"{title}\n\n{text}" if title.strip() else text
    return Document(str(fields["_id"]), whole, note=f"{NAME}: title, then text", format=NAME)


def _judgements(folder: Path) -> tuple[dict[str, tuple[str, list[str]]], list[str]]:
    """(split, relevant documents) by query; dev and test if they are there, else train."""
    found = [split for split in _SPLITS if (folder / "qrels" / f"{split}.tsv").is_file()]
    if not found and (folder / "qrels" / "train.tsv").is_file():
        found = ["train"]
    judged: dict[str, tuple[str, list[str]]] = {}
    for split in found:
        path = folder / "qrels" / f"{split}.tsv"
        for number, line in enumerate(text_of(path).splitlines(), start=1):
            cells = line.split("\t")
            if (number == 1 and cells[-1].strip() == "score") or not line.strip():
                continue
            if len(cells) != 3 or not cells[2].strip().lstrip("-").isdigit():
                raise BadInput(f"{path}, row {number} is no query-id, corpus-id and score.")
            if int(cells[2]) > 0:
                judged.setdefault(cells[0], (split, []))[1].append(cells[1])
    if not judged:
        raise BadInput(f"{folder} has no judgements: put a qrels/test.tsv into it.")
    return judged, found
