"""One side of a comparison: what is known of a run, question by question."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chunkbench_engine.errors import BadInput
from chunkbench_engine.measures.budget import fresh_gains
from chunkbench_engine.measures.ranking import dcg
from chunkbench_engine.run.splits import is_in, reported_split
from chunkbench_store.corpora import document_text, documents_of, questions_of
from chunkbench_store.experiments import experiment_name
from chunkbench_store.live import board_of, run_summary
from chunkbench_store.results import grades_of, hits_of
from chunkbench_store.runs import run_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from chunkbench_store.corpora import QuestionRow
    from chunkbench_store.database import Store
    from chunkbench_store.live import BoardRow
    from chunkbench_store.results import HitRow


class Experiment(NamedTuple):
    """An embedding model ("" for lexical retrieval) and a way of retrieving."""

    model: str
    retrieval: str

    @property
    def name(self) -> str:
        return experiment_name(*self)


class Configuration(NamedTuple):
    """A strategy, as it is written, within an experiment."""

    label: str
    experiment: Experiment


@dataclass(frozen=True, slots=True)
class Measured:
    """What is known of a configuration.

    Attributes:
        scores: by measure, its value for each question, by the question's id.
        values: measures of the configuration as a whole, which no question has a share in.
    """

    scores: dict[str, dict[str, float]]
    values: dict[str, float]


@dataclass(frozen=True, slots=True)
class Side:
    """A run or a baseline, as it is compared.

    Attributes:
        name: what it is called in sentences.
        corpus: name of the corpus.
        documents: number of documents.
        document_hashes: by the document's name; empty where only the whole corpus' hash is known.
        cutoff: where a question's ranked list ends, as in the names of its measures: `5`, `2000t`.
        split: the split that the means are over, "" for all questions.
        manifest: the run's, or what a baseline keeps of it.
        questions: hash of what is asked and what answers it, by the question's id; only those that
            the means are over.
        finished: what was measured, in the order of the plan.
        ideals: of each experiment, DCG of the ideal list that nDCG was taken against, by question.
        without_result: configurations of the plan that have none, and why.
        provisional: whether the run is not at its end.
    """

    name: str
    corpus: str
    documents: int
    document_hashes: dict[str, str]
    cutoff: str
    split: str
    manifest: dict[str, Any]
    questions: dict[str, str]
    finished: dict[Configuration, Measured]
    ideals: dict[Experiment, dict[str, float]]
    without_result: dict[Configuration, str]
    provisional: bool


def side_of_run(store: Store, run: int) -> Side:
    """A stored run as a side; `BadInput` if there is none."""
    summary, row = run_summary(store, run), run_of(store, run)
    if summary is None or row is None:
        raise BadInput(f"there is no run {run}: see chunkbench-tui runs")
    board = board_of(store, run)
    finished = [entry for entry in board if entry.state == "finished"]
    asked = list(questions_of(store, row.question_set))
    split = reported_split(asked, row.settings["judge"])
    reported = {question.id: question.key for question in asked if is_in(question, split)}
    documents = documents_of(store, row.corpus)
    texts = _texts(store, {d.name: d.id for d in documents}, asked)
    measured = {_configuration(entry): _measured(store, entry, reported) for entry in finished}
    return Side(
        name=f"run {run}",
        corpus=summary.corpus,
        documents=len(documents),
        document_hashes={document.name: document.sha256 for document in documents},
        cutoff=summary.cutoff,
        split=split,
        manifest=row.manifest,
        questions={q.key: _content_hash(q, texts) for q in asked if q.id in reported},
        finished=measured,
        ideals=_ideals(
            store,
            finished,
            measured,
            reported,
            row.manifest.get("judge", ""),
            _evidence(asked, {d.name: d.id for d in documents}) if summary.budget else None,
        ),
        without_result={
            _configuration(entry): f"{entry.state}{f': {entry.reason}' if entry.reason else ''}"
            for entry in board
            if entry.state != "finished"
        },
        provisional=summary.state != "finished",
    )


def _configuration(entry: BoardRow) -> Configuration:
    return Configuration(entry.label, Experiment(entry.model, entry.retrieval))


def _measured(store: Store, entry: BoardRow, reported: dict[int, str]) -> Measured:
    scores: dict[str, dict[str, float]] = {}
    for question, measure, value in store.rows(
        "SELECT question, measure, value FROM score WHERE config = ?", (entry.config,)
    ):
        if question in reported:
            scores.setdefault(measure, {})[reported[question]] = value
    return Measured(
        scores,
        {name: m.value for name, m in entry.measures.items() if name not in scores},
    )


def _ideals(
    store: Store,
    finished: Iterable[BoardRow],
    measured: dict[Configuration, Measured],
    reported: dict[int, str],
    judge: str,
    evidence: dict[int, NDArray[np.int64]] | None,
) -> dict[Experiment, dict[str, float]]:
    """DCG of the ideal lists: that of a configuration's list, over the nDCG that it was given.

    Whichever way the pool was counted, this is the ideal that was taken. Where no configuration
    has gained anything, the ideal is 0.

    Args:
        evidence: of each question, as of `fresh_gains`; None for lists that end with k.
    """
    ideals: dict[Experiment, dict[str, float]] = {}
    best: dict[tuple[Experiment, str], float] = {}
    for entry in finished:
        k = next((n for n in entry.measures if n.startswith("nDCG@")), "")
        scores = measured[_configuration(entry)].scores.get(k, {})
        if not scores:
            continue
        experiment = Experiment(entry.model, entry.retrieval)
        found = ideals.setdefault(experiment, dict.fromkeys(scores, 0.0))
        grades = grades_of(store, entry.config, judge)
        gains = {
            reported[question]: _gains(question, hits, grades, evidence)
            for question, hits in hits_of(store, entry.config).items()
            if question in reported
        }
        for key, score in scores.items():
            if score > best.get((experiment, key), 0.0):  # the best is the least rounded
                best[experiment, key] = score
                found[key] = float(dcg(gains[key], len(gains[key]))) / score
    return ideals


def _gains(
    question: int,
    hits: Sequence[HitRow],
    grades: dict[tuple[int, int], int],
    evidence: dict[int, NDArray[np.int64]] | None,
) -> list[float]:
    """What each passage of a ranked list has added to the DCG, before its discount."""
    graded = [float(grades.get((question, hit.rank), 0)) for hit in hits]
    if evidence is None:
        return graded
    places = [(hit.document, hit.judged_start, hit.judged_end) for hit in hits]
    return [float(gain) for gain in fresh_gains([graded], [places], [evidence[question]])[0]]


def _evidence(
    questions: Iterable[QuestionRow], documents: dict[str, int]
) -> dict[int, NDArray[np.int64]]:
    """Slot, document, start and end of each question's evidence, `(n, 4)`."""
    return {
        question.id: np.array(
            [(e.slot, documents[e.document], e.start, e.end) for e in question.evidence],
            dtype=np.int64,
        ).reshape(-1, 4)
        for question in questions
    }


def _texts(
    store: Store, documents: dict[str, int], questions: Iterable[QuestionRow]
) -> dict[tuple[str, int, int], str]:
    """The evidence passages' texts, a document being read once."""
    by_document: dict[str, set[tuple[int, int]]] = {}
    for question in questions:
        for passage in question.evidence:
            by_document.setdefault(passage.document, set()).add((passage.start, passage.end))
    texts = {}
    for name, spans in by_document.items():
        text = document_text(store, documents[name])
        texts.update({(name, start, end): text[start:end] for start, end in spans})
    return texts


def _content_hash(question: QuestionRow, texts: dict[tuple[str, int, int], str]) -> str:
    """Hash of what is asked and what answers it, wherever in its document that now stands."""
    evidence = [
        (e.slot, e.alternative, e.document, texts[e.document, e.start, e.end])
        for e in question.evidence
    ]
    content = json.dumps([question.text, question.answers, evidence])
    return hashlib.sha256(content.encode()).hexdigest()[:16]
