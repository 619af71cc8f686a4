"""Ranked lists that end with a budget of tokens: what is handed on, and how it is measured."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.measures.budget import (
    fresh_gains,
    ideal_dcg,
    ndcg_index_budget,
    ndcg_pooled_budget,
    precision_in_budget,
)
from chunkbench_engine.measures.ranking import dcg
from chunkbench_engine.run.budget import Cutter, spend

LENGTHS = st.lists(st.integers(1, 50), max_size=12)


def test_passages_are_handed_on_until_the_budget_is_spent_and_the_last_is_cut() -> None:
    assert spend([800, 800, 800, 800], 2000) == [800, 800, 400]
    assert spend([5000], 2000) == [2000]
    assert spend([1000, 1000, 1000], 2000) == [1000, 1000]
    assert spend([10, 20], 2000) == [10, 20]


@settings(max_examples=60, deadline=None)
@given(LENGTHS, st.integers(1, 300))
def test_what_is_spent_is_the_budget_or_all_there_is(lengths: list[int], budget: int) -> None:
    spent = spend(lengths, budget)
    assert sum(spent) == min(sum(lengths), budget)
    assert spent[:-1] == lengths[: max(len(spent) - 1, 0)]


def test_a_passage_is_cut_after_whole_tokens_of_its_document() -> None:
    cutter = Cutter(lambda document: {7: "one two three four five"}[document])
    assert cutter.end(7, 0, 2) == len("one two")
    assert cutter.end(7, 4, 1) == len("one two")
    assert cutter.end(7, 4, 100) == len("one two three four five")


def test_a_passage_that_is_cut_keeps_a_character_whatever_tokens_that_has() -> None:
    cutter = Cutter(lambda _: "𓀀𓀁")
    assert cutter.end(0, 0, 1) == 1


def test_text_that_comes_twice_gains_once() -> None:
    spans = [[(1, 0, 10), (1, 0, 10), (1, 5, 15), (2, 0, 10), (1, 10, 20)]]
    assert fresh_gains([[1, 1, 2, 2, 2]], spans).tolist() == [[1, 0, 1, 2, 0]]


# slot, document, start and end of the evidence
ONE = np.array([(0, 1, 0, 100)])


def test_pieces_of_one_evidence_passage_gain_as_much_as_the_best_of_them() -> None:
    pieces = [[(1, start, start + 10) for start in range(0, 100, 10)]]
    assert fresh_gains([[1] * 10], pieces, [ONE]).sum() == 1
    then_whole = [[*pieces[0][:2], (1, 0, 120)]]
    assert fresh_gains([[1, 1, 2]], then_whole, [ONE]).tolist() == [[1, 0, 1]]


def test_each_piece_of_evidence_gains_for_itself() -> None:
    two = np.array([(0, 1, 0, 100), (1, 1, 500, 600)])
    spans = [[(1, 0, 100), (1, 20, 60), (1, 500, 600), (1, 700, 710)]]
    assert fresh_gains([[1, 1, 1, 1]], spans, [two]).tolist() == [[1, 0, 1, 1]]
    either = np.array([(0, 1, 0, 100), (0, 2, 0, 100)])  # alternatives: one of them will do
    assert fresh_gains([[2, 2]], [[(1, 0, 100), (2, 0, 100)]], [either]).tolist() == [[2, 0]]


def test_crumbs_of_the_evidence_do_not_beat_the_whole_of_it() -> None:
    """Twenty pieces of five tokens, none an answer, against the passage that answers."""
    crumbs = [(1, start, start + 5) for start in range(0, 100, 5)]
    whole = [(1, 0, 100), *[(0, 0, 0)] * 19]
    spans = np.array([[crumbs], [whole]])
    grades = np.array([[[1] * 20], [[2] + [0] * 19]])
    tokens = np.array([[[5] * 20], [[100] + [0] * 19]])
    gains = np.stack([fresh_gains(g, s, [ONE]) for g, s in zip(grades, spans, strict=True)])
    values = ndcg_pooled_budget(gains, grades, tokens, spans, 100, [ONE])
    assert values.tolist() == [[0.5], [1.0]]


def test_the_ideal_list_takes_the_best_then_the_shortest_and_no_text_twice() -> None:
    grades, tokens = [1, 2, 2, 2, 0], [10, 90, 30, 60, 5]
    spans = [(1, 0, 10), (1, 100, 200), (1, 100, 130), (2, 0, 60), (3, 0, 5)]
    # 30 and 60 of grade 2 (the one of 90 overlaps that of 30), then 10 of grade 1
    assert ideal_dcg(grades, tokens, spans, 1000) == pytest.approx(float(dcg([2, 2, 1], 3)))
    assert ideal_dcg(grades, tokens, spans, 90) == pytest.approx(float(dcg([2, 2], 2)))
    assert ideal_dcg(grades, tokens, spans, 30) == pytest.approx(2.0)
    assert ideal_dcg([0, 0], [5, 5], [(1, 0, 5), (1, 5, 9)], 30) == 0.0
    # two halves of the one evidence passage: the ideal list gives one of them
    assert ideal_dcg([1, 1], [5, 5], [(1, 0, 50), (1, 50, 99)], 30, ONE) == 1.0


def _lists(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Grades, tokens and spans of three strategies' lists for four questions."""
    random = np.random.default_rng(seed)
    grades = random.integers(0, 3, (3, 4, 5))
    tokens = random.integers(1, 60, (3, 4, 5))
    starts = random.integers(0, 100, (3, 4, 5))
    spans = np.stack([random.integers(1, 3, (3, 4, 5)), starts, starts + tokens], axis=-1)
    return grades, tokens, spans


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 300))
def test_ndcg_is_between_0_and_1_and_0_where_nothing_answers(seed: int, budget: int) -> None:
    grades, tokens, spans = _lists(seed)
    grades[:, 0] = 0
    gains = np.stack([fresh_gains(*lists) for lists in zip(grades, spans, strict=True)])
    values = ndcg_pooled_budget(gains, grades, tokens, spans, budget)
    assert values.shape == (3, 4)
    assert values.min() >= 0
    assert values.max() <= 1 + 1e-12
    assert not values[:, 0].any()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_with_a_budget_for_everything_no_order_of_the_ideal_list_is_better(seed: int) -> None:
    random = np.random.default_rng(seed)
    grades, tokens = random.integers(0, 3, 5), random.integers(1, 60, 5)
    spans = [(place, 0, 10) for place in range(5)]  # none overlaps another
    best = max(float(dcg(order, 5)) for order in permutations(grades))
    assert ideal_dcg(grades, tokens, spans, 10_000) == pytest.approx(best)


def test_against_its_own_index_a_list_that_holds_the_best_first_scores_1() -> None:
    assert ndcg_index_budget([[2, 0], [0, 2], [0, 0]], [2.0, 2.0, 0.0]).tolist() == [
        1.0,
        pytest.approx(1 / np.log2(3)),
        0.0,
    ]


def test_precision_is_over_the_passages_there_are() -> None:
    assert precision_in_budget([[2, 0, 0], [0, 0, 0]], [[5, 5, 0], [0, 0, 0]]).tolist() == [0.5, 0]
