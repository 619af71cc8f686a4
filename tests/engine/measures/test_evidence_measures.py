"""Recall, evidence recall and ceiling, for one slot and for several."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from chunkbench_engine.judges.evidence import EvidenceJudge
from chunkbench_engine.judges.spans import Spans
from chunkbench_engine.measures.evidence import (
    RECALL_CUTOFFS,
    ceiling,
    evidence_recall,
    recall,
)
from chunkbench_engine.questions.question import Passage, Question

Held = NDArray[np.bool_]


def held(*slots: str) -> Held:
    """`..x` is a slot that only the third span holds."""
    return np.array([[mark == "x" for mark in slot] for slot in slots])


def test_one_slot_counts_as_soon_as_any_chunk_holds_it_whole() -> None:
    one = held("...x......")
    assert [recall(one, k) for k in RECALL_CUTOFFS] == [0, 0, 1, 1]
    assert [evidence_recall(one, k) for k in RECALL_CUTOFFS] == [0, 0, 1, 1]


def test_several_slots_are_complete_when_the_top_k_hold_them_all_together() -> None:
    two = held("x.....", "...x..")
    assert [recall(two, k) for k in (1, 3, 4, 5)] == [0, 0, 1, 1]
    assert [evidence_recall(two, k) for k in (1, 3, 4, 5)] == [0.5, 0.5, 1, 1]


def test_the_ceiling_asks_the_whole_index() -> None:
    assert ceiling(held("....x", "x....")) == 1
    assert ceiling(held("....x", ".....")) == 0


def test_cutting_the_evidence_lowers_the_ceiling_and_overlap_restores_it() -> None:
    text = "The answer is forty-two. " * 4
    question = Question("q", "?", ((Passage("a", 4, 23),),))
    judge = EvidenceJudge({"a": text})

    def ceiling_of(*spans: tuple[int, int]) -> float:
        return ceiling(judge.slots_held(question, Spans(("a", *span) for span in spans)))

    assert ceiling_of((0, 10), (10, 20), (20, 100)) == 0
    assert ceiling_of((0, 10), (2, 24), (20, 100)) == 1
    assert ceiling_of() == 0


@settings(max_examples=80, deadline=None)
@given(
    st.tuples(st.integers(1, 4), st.integers(0, 12)).flatmap(lambda shape: arrays(np.bool_, shape))
)
def test_recall_is_bounded_by_evidence_recall_and_by_the_ceiling_and_grows_with_k(
    slots: Held,
) -> None:
    recalls = [recall(slots, k) for k in RECALL_CUTOFFS]
    assert recalls == sorted(recalls)
    for k, value in zip(RECALL_CUTOFFS, recalls, strict=True):
        assert value <= evidence_recall(slots, k)
        assert value <= ceiling(slots)


def test_a_question_without_evidence_has_no_recall() -> None:
    with pytest.raises(ValueError, match="without evidence"):
        recall(np.zeros((0, 5), dtype=bool), 5)
