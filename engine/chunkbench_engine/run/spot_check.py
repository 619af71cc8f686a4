"""What a person is shown to check the judges by: a random sample, and nothing that gives it away.

Neither the question, nor the strategy, nor the document, nor any judge's grade is part of it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkbench_engine.judges.choice import OLLAMA, YOU, can_judge
from chunkbench_store.corpora import document_text, questions_of
from chunkbench_store.judgements import PassageRow, graded_passages, passages_of
from chunkbench_store.results import JudgementRow, put_judgements

if TYPE_CHECKING:
    from chunkbench_store.database import Store
    from chunkbench_store.runs import RunRow


@dataclass(frozen=True, slots=True)
class Spot:
    """Reference answers, any of which is right, and a passage that was retrieved."""

    place: PassageRow
    answers: tuple[str, ...]
    text: str


def answers_of(store: Store, run: RunRow) -> dict[int, tuple[str, ...]]:
    """The reference answers by question, of those that have any; a passage is graded by them."""
    return {
        question.id: question.answers
        for question in questions_of(store, run.question_set)
        if can_judge(OLLAMA, question)
    }


def spots_of(store: Store, run: RunRow, count: int) -> list[Spot]:
    """So many of a run's passages that have a reference answer, and that nobody has graded yet.

    They are the first of an order that depends on the run alone, so that a check that was broken
    off goes on with the same sample.
    """
    answers = answers_of(store, run)
    places = [place for place in passages_of(store, run.id) if place.question in answers]
    random.Random(f"spot check of run {run.id}").shuffle(places)  # noqa: S311 - a sample
    graded = {place for place, _, _ in graded_passages(store, run.id, YOU)}
    return [
        Spot(
            place,
            answers[place.question],
            document_text(store, place.document)[place.start : place.end],
        )
        for place in places[:count]
        if place not in graded
    ]


def keep_grade(store: Store, spot: Spot, grade: int) -> None:
    """Write what the person says of a passage."""
    with store.write():
        put_judgements(store, YOU, [_row(spot.place, grade, "by spot check")])


def grade_by_hand(store: Store, place: PassageRow, grade: int) -> None:
    """Write what the person says of a passage that was not drawn; an earlier grade gives way."""
    with store.write():
        store.execute(
            "DELETE FROM judgement WHERE judge = ? AND question = ? AND document = ?"
            ' AND start = ? AND "end" = ?',
            (YOU, place.question, place.document, place.start, place.end),
        )
        put_judgements(store, YOU, [_row(place, grade, "by hand")])


def _row(place: PassageRow, grade: int, reason: str) -> JudgementRow:
    return JudgementRow(place.question, place.document, place.start, place.end, grade, reason)
