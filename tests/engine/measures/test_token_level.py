"""Token-level measures, against Chroma's published evaluation and by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.judges.judge import RetrievedChunk
from chunkbench_engine.judges.spans import Spans
from chunkbench_engine.measures.token_level import TokenLevel, precision_omega, token_level
from chunkbench_engine.questions.question import Passage

CHROMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "data" / "chroma" / "chatlogs.json").read_text()
)


def chunk(start: int, end: int, document: str = "a") -> RetrievedChunk:
    return RetrievedChunk(document, start, end)


def slot(start: int, end: int, document: str = "a") -> tuple[Passage, ...]:
    return (Passage(document, start, end),)


def index(*spans: tuple[int, int]) -> Spans:
    return Spans(("a", start, end) for start, end in spans)


@pytest.mark.parametrize("chunking", CHROMA["chunkings"])
def test_every_question_scores_as_in_the_published_evaluation(chunking: str) -> None:
    sample = CHROMA["chunkings"][chunking]
    chunks = Spans((CHROMA["document"], start, end) for start, end in sample["chunks"])
    scores = []
    for spans, retrieved in zip(CHROMA["evidence"], sample["retrieved"], strict=True):
        evidence = [slot(start, end, CHROMA["document"]) for start, end in spans]
        top = token_level([RetrievedChunk(*hit) for hit in retrieved], evidence)
        scores.append([top.recall, top.precision, top.iou, precision_omega(chunks, evidence)])
    names = ("recall", "precision", "iou", "precision_omega")
    expected = np.transpose([sample["expected"][name] for name in names])
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-9)


def test_evidence_counts_once_and_retrieved_text_as_often_as_it_is_given() -> None:
    # 10 of evidence; 40 + 40 of text, 20 of it twice; all of the evidence is in both.
    assert token_level([chunk(0, 40), chunk(20, 60)], [slot(25, 35)]) == TokenLevel(
        1.0, 10 / 80, 10 / 80
    )


def test_evidence_that_was_missed_enlarges_the_union_only() -> None:
    assert token_level([chunk(0, 20)], [slot(15, 25)]) == TokenLevel(0.5, 5 / 20, 5 / 25)


def test_text_of_other_documents_costs_precision() -> None:
    assert token_level([chunk(0, 10), chunk(0, 30, "b")], [slot(0, 10)]) == TokenLevel(
        1.0, 10 / 40, 10 / 40
    )


def test_evidence_in_several_documents_adds_up() -> None:
    found = token_level([chunk(0, 10), chunk(0, 10, "b")], [slot(0, 20), slot(0, 20, "b")])
    assert found == TokenLevel(20 / 40, 20 / 20, 20 / 40)


def test_what_two_passages_share_is_wanted_twice_and_found_once() -> None:
    assert token_level([chunk(0, 30)], [slot(0, 20), slot(10, 30)]).recall == 30 / 40


def test_the_alternative_that_was_retrieved_counts() -> None:
    either = (Passage("a", 0, 10), Passage("b", 50, 60))
    assert token_level([chunk(40, 80, "b")], [either]) == TokenLevel(1.0, 10 / 40, 10 / 40)
    chunks = Spans([("a", 0, 100), ("b", 40, 80)])
    assert precision_omega(chunks, [either]) == 10 / 40


def test_nothing_retrieved_scores_0() -> None:
    assert token_level([], [slot(0, 10)]) == TokenLevel(0.0, 0.0, 0.0)


def test_precision_omega_is_over_the_chunks_that_are_needed_each_once() -> None:
    # The chunks 0-20 and 10-30 overlap; 40-60 is not needed.
    assert precision_omega(index((0, 20), (10, 30), (40, 60)), [slot(5, 15)]) == 10 / 30


def test_for_precision_omega_a_chunk_that_touches_the_evidence_is_needed() -> None:
    assert precision_omega(index((0, 20), (20, 50), (51, 90)), [slot(10, 20)]) == 10 / 50


def test_for_precision_omega_evidence_in_no_chunk_counts_as_text() -> None:
    assert precision_omega(index((0, 10)), [slot(5, 15)]) == 5 / 15
    assert precision_omega(index((50, 60)), [slot(5, 15)]) == 0.0


def test_a_question_without_evidence_is_refused() -> None:
    with pytest.raises(ValueError, match="without evidence"):
        token_level([chunk(0, 10)], [])
    with pytest.raises(ValueError, match="without evidence"):
        precision_omega(index((0, 10)), [])


SPANS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 20)), min_size=1, max_size=5)


@settings(max_examples=100, deadline=None)
@given(SPANS, SPANS)
def test_the_measures_are_counts_of_characters(
    chunks: list[tuple[int, int]], passages: list[tuple[int, int]]
) -> None:
    retrieved = [chunk(start, start + length) for start, length in chunks]
    evidence = [slot(start, start + length) for start, length in passages]
    wanted = [set(range(start, start + length)) for start, length in passages]
    given_text = set().union(*(range(c.start, c.end) for c in retrieved))
    goal = set().union(*wanted)
    text = sum(length for _, length in chunks)
    found = len(given_text & goal)
    missed = sum(len(one - given_text) for one in wanted)
    assert token_level(retrieved, evidence) == TokenLevel(
        found / sum(map(len, wanted)), found / text, found / (text + missed)
    )
    near = [
        range(c.start, c.end)
        for c in retrieved
        if any(c.start <= p.end and p.start <= c.end for (p,) in evidence)
    ]
    needed = set().union(*near) | goal
    assert precision_omega(index(*((c.start, c.end) for c in retrieved)), evidence) == len(
        goal & given_text
    ) / len(needed)
