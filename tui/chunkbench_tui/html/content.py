"""What the page says of a run, read from the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunkbench_engine.errors import BadInput
from chunkbench_engine.measures.measure import parse_measure
from chunkbench_store.boundaries import chunk_spans
from chunkbench_store.corpora import document_text
from chunkbench_store.question_scores import question_scores
from chunkbench_store.questions import question_detail
from chunkbench_store.strategies import worst_questions
from chunkbench_tui.commands.by_category import category_means_of, category_tables
from chunkbench_tui.commands.leaderboard import TIED, ranked, remark_lines, verdict_lines
from chunkbench_tui.commands.next_steps import steps_of
from chunkbench_tui.commands.snippet import leader_snippets
from chunkbench_tui.html.excerpt import excerpt, whole, window

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from chunkbench_engine.chunkers.snippets import Snippet
    from chunkbench_store.categories import CategoryMean
    from chunkbench_store.database import Store
    from chunkbench_store.live import BoardRow, LiveRun, VerdictRow
    from chunkbench_store.question_scores import QuestionScore
    from chunkbench_store.questions import QuestionDetail
    from chunkbench_store.runs import RunRow
    from chunkbench_tui.commands.by_category import CategoryTable

EXAMPLES = 3
"""Places where the leader and the baseline are shown side by side."""
WORST = 10
"""Questions that the leader does worst on."""


@dataclass(frozen=True, slots=True)
class Example:
    """One question's evidence under the leader and under the baseline."""

    question: str
    place: str
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """A strategy's cuts around a passage, and whether one of its chunks holds all of it."""

    label: str
    score: float | None
    whole: bool
    text: Markup


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything on one model and retrieval.

    Attributes:
        said: the verdict in sentences; `advice` says what to try next.
        snippets: the leader as code; `no_snippet` says why there is none.
        categories: main measures by category of question.
        rows: configurations with the main measure, best first; `missing` have none.
        baseline: what the leader is shown beside; None with a single strategy.
    """

    name: str
    said: tuple[str, ...]
    advice: tuple[str, ...]
    remarks: tuple[str, ...]
    rows: tuple[BoardRow, ...]
    missing: tuple[BoardRow, ...]
    leader: BoardRow | None
    baseline: BoardRow | None
    questions: tuple[QuestionScore, ...]
    examples: tuple[Example, ...]
    worst: tuple[QuestionDetail, ...]
    snippets: tuple[Snippet, ...]
    no_snippet: str
    categories: tuple[CategoryTable, ...]


def experiments_of(
    store: Store, live: LiveRun, run: RunRow, baseline: str
) -> tuple[Experiment, ...]:
    """The experiments of a run, in the order of its plan.

    Args:
        baseline: label of the strategy that the leader is shown beside; "" for the first of the
            plan that is not the leader.

    Raises:
        BadInput: the run has no such strategy.
    """
    labels = list(dict.fromkeys(row.label for row in live.board))
    if baseline and baseline not in labels:
        raise BadInput(f"run {live.summary.id} has no strategy {baseline}: {', '.join(labels)}")
    means = category_means_of(store, run)
    return tuple(_experiment(store, live, run, means, name, baseline) for name in live.experiments)


def _experiment(
    store: Store,
    live: LiveRun,
    run: RunRow,
    means: Sequence[CategoryMean],
    name: str,
    baseline: str,
) -> Experiment:
    cutoff = live.summary.cutoff
    measure = f"nDCG@{cutoff}"
    board = [row for row in live.board if row.experiment == name]
    rows = [row for row in ranked(tuple(board), measure) if measure in row.measures]
    verdict = next((v for v in live.verdicts if v.experiment == name), None)
    leader = _leader(rows, verdict)
    beside = _baseline(board, leader, baseline)
    questions: tuple[QuestionScore, ...] = ()
    examples: tuple[Example, ...] = ()
    worst: tuple[QuestionDetail, ...] = ()
    if leader:
        questions = question_scores(
            store, leader.config, beside.config if beside else None, measure, f"Hit@{cutoff}"
        )
        worst = _worst(store, live, leader)
        if beside:
            examples = _examples(store, live, leader, beside, questions)
    snippets, no_snippet = leader_snippets(verdict.content["leader"], run) if verdict else ([], "")
    return Experiment(
        name=name,
        said=tuple(line for line in verdict_lines(live, name) if not line.startswith(TIED)),
        advice=tuple(steps_of(store, live, name)),
        remarks=tuple(remark_lines(board)),
        rows=tuple(rows),
        missing=tuple(row for row in board if measure not in row.measures),
        leader=leader,
        baseline=beside,
        questions=questions,
        examples=examples,
        worst=worst,
        snippets=tuple(snippets),
        no_snippet=no_snippet,
        categories=tuple(category_tables(rows, means, cutoff)),
    )


def _leader(rows: Sequence[BoardRow], verdict: VerdictRow | None) -> BoardRow | None:
    """The verdict's leader, or the first of the leaderboard while there is no verdict."""
    label = verdict.content["leader"] if verdict else ""
    return next((row for row in rows if row.label == label), rows[0] if rows else None)


def _baseline(board: Sequence[BoardRow], leader: BoardRow | None, label: str) -> BoardRow | None:
    others = [row for row in board if leader and row.config != leader.config and row.measures]
    if label:
        return next((row for row in others if row.label == label), None)
    return others[0] if others else None


def _worst(store: Store, live: LiveRun, leader: BoardRow) -> tuple[QuestionDetail, ...]:
    run, cutoff = live.summary.id, live.summary.cutoff
    found = worst_questions(store, leader.config, cutoff)[:WORST]
    details = (question_detail(store, run, leader.config, question.id) for question in found)
    return tuple(detail for detail in details if detail)


def _examples(
    store: Store,
    live: LiveRun,
    leader: BoardRow,
    baseline: BoardRow,
    questions: Sequence[QuestionScore],
) -> tuple[Example, ...]:
    """Where the two differ most: most in favour of the leader first."""
    scored = [q for q in questions if q.first is not None and q.second is not None]
    by_gain = sorted(scored, key=lambda q: (q.second or 0.0) - (q.first or 0.0))
    examples: list[Example] = []
    for question in by_gain:
        if len(examples) == EXAMPLES or question.first == question.second:
            break
        example = _example(store, live, leader, baseline, question)
        if example:
            examples.append(example)
    return tuple(examples)


def _example(
    store: Store, live: LiveRun, leader: BoardRow, baseline: BoardRow, question: QuestionScore
) -> Example | None:
    detail = question_detail(store, live.summary.id, leader.config, question.id)
    if detail is None or not detail.evidence:
        return None
    passage = detail.evidence[0].passage
    text = document_text(store, passage.document)
    place = window(passage.start, passage.end, len(text))
    evidence = [
        (found.passage.start, found.passage.end)
        for found in detail.evidence
        if found.passage.document == passage.document
    ]
    sides = []
    for row, score in ((leader, question.first), (baseline, question.second)):
        spans = chunk_spans(store, row.chunk_set, passage.document)
        if spans is None:
            return None
        chunks = list(zip(spans.starts, spans.ends, strict=True))
        held = whole((passage.start, passage.end), chunks) is not None
        sides.append(Side(row.label, score, held, excerpt(text, place, chunks, evidence)))
    line = text.count("\n", 0, passage.start) + 1
    return Example(question.text, f"{passage.name}, line {line}", tuple(sides))


def measure_names(experiment: Experiment) -> list[tuple[str, str, str]]:
    """(name, title, direction) of the measures of an experiment: `up`, `down` or ``."""
    names = list(dict.fromkeys(name for row in experiment.rows for name in row.measures))
    directions: dict[Any, str] = {True: "up", False: "down", None: ""}
    measures = [parse_measure(name) for name in names]
    return [(str(m), m.title, directions[m.higher_is_better]) for m in measures]
