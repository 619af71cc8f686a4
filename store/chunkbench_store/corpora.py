"""Corpora and question sets: what a run is about, kept once however many runs use it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkbench_store.database import Store


@dataclass(frozen=True, slots=True)
class NewDocument:
    name: str
    sha256: str
    text: str
    encoding: str
    undecodable: int
    note: str


@dataclass(frozen=True, slots=True)
class DocumentRow:
    id: int
    name: str
    sha256: str
    characters: int


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    slot: int
    alternative: int
    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question; `id` is 0 until it is stored."""

    id: int
    key: str
    text: str
    category: str
    split: str
    answers: tuple[str, ...]
    evidence: tuple[EvidenceRow, ...]


def put_corpus(
    store: Store,
    path: str,
    name: str,
    sha256: str,
    documents: Sequence[NewDocument],
    skipped: Sequence[tuple[str, str]],
) -> int:
    """Keep a corpus, inside `write()`; the id of an equal one where it is known already."""
    known = store.value("SELECT id FROM corpus WHERE path = ? AND sha256 = ?", (path, sha256))
    if known is not None:
        return int(known)
    corpus = store.execute(
        "INSERT INTO corpus (path, name, sha256, documents, characters, skipped)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            path,
            name,
            sha256,
            len(documents),
            sum(len(document.text) for document in documents),
            json.dumps(list(skipped)),
        ),
    )
    store.insert_many(
        "INSERT OR IGNORE INTO document_text (sha256, text) VALUES (?, ?)",
        [(document.sha256, document.text) for document in documents],
    )
    store.insert_many(
        "INSERT INTO document"
        " (corpus, position, name, sha256, characters, encoding, undecodable, note)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (corpus, position, d.name, d.sha256, len(d.text), d.encoding, d.undecodable, d.note)
            for position, d in enumerate(documents)
        ],
    )
    return corpus


def documents_of(store: Store, corpus: int) -> list[DocumentRow]:
    """The documents of a corpus, in order, without their text."""
    return [
        DocumentRow(*row)
        for row in store.rows(
            "SELECT id, name, sha256, characters FROM document WHERE corpus = ? ORDER BY position",
            (corpus,),
        )
    ]


def corpus_of(store: Store, run: int) -> str:
    """The folder or file that a run is about; "" if there is no such run."""
    sql = "SELECT path FROM corpus JOIN run ON run.corpus = corpus.id WHERE run.id = ?"
    return str(store.value(sql, (run,)) or "")


def document_text(store: Store, document: int) -> str:
    """Canonical text of one document."""
    return str(
        store.value(
            "SELECT text FROM document_text JOIN document USING (sha256) WHERE document.id = ?",
            (document,),
        )
    )


def put_questions(
    store: Store, corpus: int, sha256: str, files: Sequence[str], questions: Sequence[QuestionRow]
) -> int:
    """Keep a question set, inside `write()`; the id of an equal one where it is known already."""
    known = store.value(
        "SELECT id FROM question_set WHERE corpus = ? AND sha256 = ?", (corpus, sha256)
    )
    if known is not None:
        return int(known)
    question_set = store.execute(
        "INSERT INTO question_set (corpus, sha256, files) VALUES (?, ?, ?)",
        (corpus, sha256, json.dumps(list(files))),
    )
    names = {row.name: row.id for row in documents_of(store, corpus)}
    for position, question in enumerate(questions):
        row = store.execute(
            "INSERT INTO question (question_set, position, key, text, category, split, answers)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                question_set,
                position,
                question.key,
                question.text,
                question.category,
                question.split,
                json.dumps(question.answers),
            ),
        )
        store.insert_many(
            'INSERT INTO evidence (question, slot, alternative, document, start, "end")'
            " VALUES (?, ?, ?, ?, ?, ?)",
            [
                (row, e.slot, e.alternative, names[e.document], e.start, e.end)
                for e in question.evidence
            ],
        )
    return question_set


def questions_of(store: Store, question_set: int) -> Iterator[QuestionRow]:
    """The questions of a set, in order, with their evidence."""
    evidence: dict[int, list[EvidenceRow]] = {}
    for row in store.rows(
        'SELECT question, slot, alternative, name, start, evidence."end" FROM evidence'
        " JOIN document ON document.id = evidence.document"
        " JOIN question ON question.id = evidence.question"
        " WHERE question_set = ? ORDER BY question, slot, alternative",
        (question_set,),
    ):
        evidence.setdefault(row[0], []).append(EvidenceRow(*tuple(row)[1:]))
    for row in store.rows(
        "SELECT id, key, text, category, split, answers FROM question"
        " WHERE question_set = ? ORDER BY position",
        (question_set,),
    ):
        yield QuestionRow(
            row["id"],
            row["key"],
            row["text"],
            row["category"],
            row["split"],
            tuple(json.loads(row["answers"])),
            tuple(evidence.get(row["id"], ())),
        )
