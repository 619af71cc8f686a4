"""Read model of the questions screen: what was asked, what was found, how it was graded."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkbench_store.corpora import document_text

if TYPE_CHECKING:
    from chunkbench_store.database import Store

PERSON = "you"
"""Judge of the grades that a person gave."""
MOST_QUESTIONS = 2_000
"""Questions that are listed."""
_PASSAGE_CHARACTERS = 20_000
"""Of a passage that is shown, at most."""


@dataclass(frozen=True, slots=True)
class QuestionEntry:
    """A question as one configuration answered it.

    Attributes:
        ndcg: at the run's cutoff; None while it is not scored, or if it is not scored at all.
        hit: whether a passage that answers it is within the cutoff; None likewise.
        answerable: False where the question set gives it neither evidence nor an answer, or says
            that there is none.
        beside: the nDCG of another configuration that was asked for, None likewise.
    """

    id: int
    key: str
    text: str
    category: str
    ndcg: float | None
    hit: bool | None
    answerable: bool
    beside: float | None = None


@dataclass(frozen=True, slots=True)
class QuestionList:
    """The questions of a run, at most `MOST_QUESTIONS`, and how many there are in all."""

    entries: tuple[QuestionEntry, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document with its text, the beginning of it if it is very long."""

    document: int
    name: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class EvidencePassage:
    """A passage that answers a question: all slots are needed, any alternative of a slot does."""

    slot: int
    alternative: int
    passage: Passage


@dataclass(frozen=True, slots=True)
class RankedHit:
    """A hit of a configuration: what the judge was given, and what it said.

    Attributes:
        rank: from 1.
        score: what the hits are ranked by.
        grade: 0 none, 1 partial, 2 full; None while it is not judged, or if the judge failed.
        yours: the grade of the person, None if there is none.
    """

    rank: int
    passage: Passage
    score: float
    grade: int | None
    reason: str
    yours: int | None = None


@dataclass(frozen=True, slots=True)
class QuestionDetail:
    """One question under one configuration.

    Attributes:
        retrieved: whether its hits are known.
    """

    id: int
    key: str
    text: str
    category: str
    answers: tuple[str, ...]
    evidence: tuple[EvidencePassage, ...]
    hits: tuple[RankedHit, ...]
    retrieved: bool


def question_list(
    store: Store,
    run: int,
    config: int,
    cutoff: str,
    *,
    failures: bool = False,
    beside: int | None = None,
    differ: bool = False,
) -> QuestionList:
    """The questions of a run in their order.

    Args:
        failures: only those without an answering passage within the cutoff, `5` or `2000t`.
        beside: another configuration, whose nDCG is given too.
        differ: only those with another nDCG under it.
    """
    where = "WHERE run.id = ?" + (" AND found.value = 0" if failures else "")
    if differ:
        where += " AND abs(gain.value - other.value) > 1e-9"
    tables = (
        " FROM run JOIN question ON question.question_set = run.question_set"
        " LEFT JOIN score AS found ON found.config = ? AND found.question = question.id"
        " AND found.measure = ?"
        " LEFT JOIN score AS gain ON gain.config = ? AND gain.question = question.id"
        " AND gain.measure = ?"
        " LEFT JOIN score AS other ON other.config = ? AND other.question = question.id"
        " AND other.measure = gain.measure"
    )
    about = (config, f"Hit@{cutoff}", config, f"nDCG@{cutoff}", beside, run)
    total = store.value(f"SELECT count(*){tables} {where}", about)
    rows = store.rows(
        "SELECT question.id, key, text, category, gain.value AS ndcg, found.value AS hit,"  # noqa: S608
        " other.value AS beside,"
        " category != 'unanswerable' AND (answers != '[]'"
        " OR EXISTS (SELECT 1 FROM evidence WHERE evidence.question = question.id)) AS answerable"
        f"{tables} {where} ORDER BY position LIMIT ?",
        (*about, MOST_QUESTIONS),
    )
    entries = tuple(
        QuestionEntry(
            row["id"],
            row["key"],
            row["text"],
            row["category"],
            row["ndcg"],
            None if row["hit"] is None else row["hit"] > 0,
            bool(row["answerable"]),
            row["beside"],
        )
        for row in rows
    )
    return QuestionList(entries, total)


def question_detail(store: Store, run: int, config: int, question: int) -> QuestionDetail | None:
    """A question with its evidence and the hits of a configuration; None if it is not the run's."""
    row = store.row(
        "SELECT question.id, key, text, category, answers FROM question"
        " JOIN run ON run.question_set = question.question_set"
        " WHERE run.id = ? AND question.id = ?",
        (run, question),
    )
    if row is None:
        return None
    texts: dict[int, str] = {}

    def passage(document: int, name: str, start: int, end: int) -> Passage:
        if document not in texts:
            texts[document] = document_text(store, document)
        stop = min(end, start + _PASSAGE_CHARACTERS)
        return Passage(document, name, start, end, texts[document][start:stop])

    evidence = tuple(
        EvidencePassage(slot, alternative, passage(*place))
        for slot, alternative, *place in store.rows(
            'SELECT slot, alternative, document.id, document.name, start, evidence."end"'
            " FROM evidence JOIN document ON document.id = evidence.document"
            " WHERE question = ? ORDER BY slot, alternative",
            (question,),
        )
    )
    hits = tuple(
        RankedHit(rank, passage(*place), score, grade, reason or "", yours)
        for rank, score, grade, reason, yours, *place in store.rows(
            "SELECT rank, score, judgement.grade, judgement.reason, own.grade, document.id,"
            " document.name, judged_start, judged_end"
            " FROM hit JOIN document ON document.id = hit.document"
            " LEFT JOIN judgement ON judgement.question = hit.question"
            " AND judgement.document = hit.document AND judgement.start = judged_start"
            ' AND judgement."end" = judged_end AND judgement.judge ='
            " (SELECT json_extract(manifest, '$.judge') FROM run WHERE id = ?)"
            " LEFT JOIN judgement AS own ON own.question = hit.question"
            " AND own.document = hit.document AND own.start = judged_start"
            ' AND own."end" = judged_end AND own.judge = ?'
            " WHERE hit.config = ? AND hit.question = ? ORDER BY rank",
            (run, PERSON, config, question),
        )
    )
    retrieved = store.row(
        "SELECT 1 FROM retrieval WHERE config = ? AND question = ?", (config, question)
    )
    return QuestionDetail(
        row["id"],
        row["key"],
        row["text"],
        row["category"],
        tuple(json.loads(row["answers"])),
        evidence,
        hits,
        retrieved is not None,
    )
