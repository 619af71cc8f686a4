"""The evidence judge, by the protocol's three grades."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.judges.evidence import EvidenceJudge
from chunkbench_engine.judges.judge import Grade, RetrievedChunk
from chunkbench_engine.judges.spans import Spans
from chunkbench_engine.questions.question import Passage, Question, Slot

LENGTH = 100
JUDGE = EvidenceJudge({"a": "x" * LENGTH, "b": "x" * LENGTH})


def question(*slots: Slot) -> Question:
    return Question("q", "What?", slots)


def grade(
    asked: Question, document: str, start: int, end: int, judge: EvidenceJudge = JUDGE
) -> Grade:
    return asyncio.run(judge.grade(asked, RetrievedChunk(document, start, end)))


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ((10, 20), Grade(2, "holds the evidence")),
        ((0, 100), Grade(2, "holds the evidence")),
        ((11, 100), Grade(1, "overlaps the evidence at characters 11-20")),
        ((0, 19), Grade(1, "overlaps the evidence at characters 10-19")),
        ((12, 15), Grade(1, "overlaps the evidence at characters 12-15")),
        ((0, 10), Grade(0, "no evidence in it")),
        ((20, 30), Grade(0, "no evidence in it")),
    ],
)
def test_one_passage_is_held_or_overlapped_or_neither(
    span: tuple[int, int], expected: Grade
) -> None:
    assert grade(question((Passage("a", 10, 20),)), "a", *span) == expected


def test_the_same_span_of_another_document_holds_nothing() -> None:
    assert grade(question((Passage("a", 10, 20),)), "b", 0, 100) == Grade(0, "no evidence in it")


def test_every_passage_in_the_document_is_needed_for_a_full_grade() -> None:
    asked = question((Passage("a", 10, 20),), (Passage("a", 50, 60),))
    assert grade(asked, "a", 0, 70) == Grade(2, "holds all 2 evidence passages")
    assert grade(asked, "a", 0, 55) == Grade(1, "holds 1 of 2 evidence passages")
    assert grade(asked, "a", 15, 40) == Grade(1, "overlaps the evidence at characters 15-20")


def test_passages_in_other_documents_are_not_asked_of_this_one() -> None:
    asked = question((Passage("a", 10, 20),), (Passage("b", 50, 60),))
    assert grade(asked, "a", 0, 30) == Grade(2, "holds the evidence")
    assert grade(asked, "b", 0, 70) == Grade(2, "holds the evidence")


def test_of_alternatives_one_will_do() -> None:
    asked = question((Passage("a", 10, 20), Passage("a", 50, 60), Passage("b", 0, 5)))
    assert grade(asked, "a", 45, 65).value == 2
    assert grade(asked, "b", 0, 5).value == 2
    assert grade(asked, "a", 55, 65).value == 1


def test_a_slot_that_could_be_filled_elsewhere_is_still_asked_where_it_has_a_passage() -> None:
    asked = question((Passage("a", 10, 20), Passage("b", 0, 5)), (Passage("a", 50, 60),))
    assert grade(asked, "a", 50, 60) == Grade(1, "holds 1 of 2 evidence passages")
    assert grade(asked, "a", 10, 60).value == 2


def test_white_space_at_the_ends_of_evidence_does_not_count() -> None:
    judge = EvidenceJudge({"a": "One.\n\n Two. \r\nThree."})
    asked = question((Passage("a", 4, 14),))
    assert grade(asked, "a", 7, 11, judge) == Grade(2, "holds the evidence")
    assert grade(asked, "a", 7, 10, judge).value == 1
    assert grade(asked, "a", 0, 6, judge).value == 0


def test_a_question_without_evidence_is_not_judged_rather_than_graded_0() -> None:
    with pytest.raises(ValueError, match="question q has no evidence to judge by"):
        grade(question(), "a", 0, 10)


def test_there_is_no_grade_but_0_1_and_2() -> None:
    with pytest.raises(ValueError, match="a grade is 0, 1 or 2, not 3"):
        Grade(3, "")


def spans() -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 30)).map(
        lambda pair: (pair[0], min(LENGTH, sum(pair)))
    )


PASSAGES = st.builds(lambda d, s: Passage(d, *s), st.sampled_from("ab"), spans())
SLOTS = st.lists(st.lists(PASSAGES, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3)
CHUNKS = st.lists(st.tuples(st.sampled_from("abc"), spans()), max_size=25)


@settings(max_examples=100, deadline=None)
@given(SLOTS, CHUNKS)
def test_grading_all_chunks_at_once_gives_the_grades_one_by_one(
    slots: list[Slot], chunks: list[tuple[str, tuple[int, int]]]
) -> None:
    asked = question(*slots)
    together = JUDGE.grade_all(asked, Spans((d, *span) for d, span in chunks))
    assert together.tolist() == [grade(asked, d, *span).value for d, span in chunks]


@settings(max_examples=100, deadline=None)
@given(SLOTS, CHUNKS)
def test_a_slot_is_held_by_a_chunk_that_contains_one_of_its_passages(
    slots: list[Slot], chunks: list[tuple[str, tuple[int, int]]]
) -> None:
    held = JUDGE.slots_held(question(*slots), Spans((d, *span) for d, span in chunks))
    assert held.tolist() == [
        [
            any(p.document == d and start <= p.start and p.end <= end for p in slot)
            for d, (start, end) in chunks
        ]
        for slot in slots
    ]
