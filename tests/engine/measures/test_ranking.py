"""Ranking measures: by hand from the protocol, and against trec_eval."""

from __future__ import annotations

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from ir_measures import RR, P, Qrel, ScoredDoc, Success, nDCG
from numpy.typing import NDArray

from chunkbench_engine.measures.ranking import (
    best_grades,
    dcg,
    hit,
    ndcg_index,
    ndcg_pooled,
    precision_at_1,
    precision_at_k,
    reciprocal_rank,
    zero_hit,
)

Grades = NDArray[np.int64]
LOG3 = np.log2(3)


def test_dcg_by_hand() -> None:
    # 1/log2(2) + 0 + 2/log2(4) = 1 + 1
    assert dcg([1, 0, 2], 5) == pytest.approx(2.0)
    assert dcg([1, 0, 2], 2) == pytest.approx(1.0)
    assert dcg([0, 2, 0], 3) == pytest.approx(2 / LOG3)


def test_the_pool_of_the_paper_counts_a_passage_once_for_every_list_that_returns_it() -> None:
    # Both strategies return passage 7 (grade 2); only the first returns passage 8 (grade 1).
    gains = [[[2, 1]], [[0, 2]]]
    passages = [[[7, 8]], [[9, 7]]]
    published = ndcg_pooled(gains, 2)
    ideal = 2 + 2 / LOG3  # the two highest of 2, 1, 0, 2
    assert published[:, 0] == pytest.approx([(2 + 1 / LOG3) / ideal, (2 / LOG3) / ideal])
    distinct = ndcg_pooled(gains, 2, "distinct", passages)
    ideal = 2 + 1 / LOG3  # the two highest of 2 (once), 1, 0
    assert distinct[:, 0] == pytest.approx([1.0, (2 / LOG3) / ideal])


def test_a_question_that_nobody_answers_scores_0() -> None:
    assert ndcg_pooled(np.zeros((3, 2, 5)), 5).tolist() == [[0, 0]] * 3
    assert ndcg_index([[0, 0]], [[0, 0]], 2).tolist() == [0]


def test_scores_can_only_fall_as_the_pool_grows() -> None:
    generator = np.random.default_rng(1)
    gains = generator.integers(0, 3, (6, 40, 5))
    few, many = ndcg_pooled(gains[:3], 5), ndcg_pooled(gains, 5)[:3]
    assert (many <= few + 1e-12).all()
    assert (many < few - 1e-12).any()


def test_what_lies_below_the_cutoff_is_neither_scored_nor_pooled() -> None:
    gains = np.array([[[1, 0, 2]], [[1, 1, 2]]])
    assert ndcg_pooled(gains, 2).tolist() == ndcg_pooled(gains[..., :2], 2).tolist()


def test_hits_that_are_not_there_do_not_enter_a_distinct_pool() -> None:
    gains, passages = [[[1, 0]]], [[[3, -1]]]
    assert ndcg_pooled(gains, 2, "distinct", passages).tolist() == [[1.0]]


def test_a_distinct_pool_needs_to_know_the_passages() -> None:
    with pytest.raises(ValueError, match="needs the passages"):
        ndcg_pooled([[[1]]], 1, "distinct")


def test_the_index_ideal_is_the_best_grades_of_all_chunks() -> None:
    grades = np.array([0, 1, 0, 2, 1, 0, 2], dtype=np.int8)
    assert best_grades(grades, 3).tolist() == [2, 2, 1]
    assert best_grades(grades, 6).tolist() == [2, 2, 1, 1, 0, 0]
    assert best_grades(grades, 1).tolist() == [2]
    ideal = 2 + 2 / LOG3 + 1 / 2
    assert ndcg_index([1, 0, 2], best_grades(grades, 3), 3) == pytest.approx(2 / ideal)


def test_the_other_measures_by_hand() -> None:
    gains = [[1, 0, 2, 2, 0], [0, 1, 1, 0, 0], [2, 0, 0, 0, 0]]
    assert hit(gains, 5).tolist() == [1, 0, 1]
    assert hit(gains, 2).tolist() == [0, 0, 1]
    assert zero_hit(gains, 5).tolist() == [0, 1, 0]
    assert reciprocal_rank(gains, 5) == pytest.approx([1 / 3, 0, 1])
    assert precision_at_1(gains).tolist() == [0, 0, 1]
    assert precision_at_k(gains, 5) == pytest.approx([3 / 5, 2 / 5, 1 / 5])
    assert precision_at_k([[2]], 5) == pytest.approx([1 / 5])


def test_an_empty_list_scores_0_everywhere() -> None:
    empty = np.zeros((2, 0))
    for measure in (dcg, hit, reciprocal_rank, precision_at_k):
        assert measure(empty, 5).tolist() == [0, 0]
    assert ndcg_pooled(np.zeros((1, 2, 0)), 5).tolist() == [[0, 0]]


@settings(max_examples=60, deadline=None)
@given(
    arrays(
        np.int64,
        array_shapes(min_dims=3, max_dims=3, max_side=5),
        elements=st.integers(0, 2),
    )
)
def test_ndcg_lies_between_0_and_1_and_some_list_reaches_its_pool_if_it_is_alone(
    gains: Grades,
) -> None:
    pooled = ndcg_pooled(gains, 5)
    assert ((pooled >= 0) & (pooled <= 1 + 1e-12)).all()
    best_first = -np.sort(-gains[:1], axis=-1)
    assert ndcg_pooled(best_first, 5) == pytest.approx(best_first.any(axis=-1).astype(float))


def trec(measures: list[object], qrels: list[Qrel], run: list[ScoredDoc]) -> dict[str, list[float]]:
    """Values of one run by measure, in the order of the questions."""
    found: dict[str, dict[int, float]] = {}
    for metric in ir_measures.pytrec_eval.iter_calc(measures, qrels, run):
        found.setdefault(str(metric.measure), {})[int(metric.query_id)] = metric.value
    return {name: [values[q] for q in sorted(values)] for name, values in found.items()}


def run_of(documents: list[list[str]]) -> list[ScoredDoc]:
    return [
        ScoredDoc(str(question), document, 100.0 - rank)
        for question, ranking in enumerate(documents)
        for rank, document in enumerate(ranking)
    ]


def random_run(seed: int) -> tuple[Grades, Grades]:
    """Grades of 6 strategies, 30 questions, 5 ranks; and passages, equal ones graded alike."""
    generator = np.random.default_rng(seed)
    grade_of = generator.choice([0, 0, 1, 2], (30, 25))
    passages = np.array(
        [[generator.permutation(25)[:5] for _ in range(30)] for _ in range(6)], dtype=np.int64
    )
    return np.take_along_axis(grade_of[None], passages, axis=2), passages


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_trec_eval_on_the_published_pool(seed: int) -> None:
    gains, _ = random_run(seed)
    strategies, questions, depth = gains.shape
    # A document of its own for every place in every list: that is what the paper's pool counts.
    qrels = [
        Qrel(str(q), f"{s}-{rank}", int(gains[s, q, rank]))
        for s in range(strategies)
        for q in range(questions)
        for rank in range(depth)
    ]
    for s in range(strategies):
        run = run_of([[f"{s}-{rank}" for rank in range(depth)] for _ in range(questions)])
        theirs = trec(
            [nDCG @ 5, nDCG @ 3, RR(rel=2), Success(rel=2) @ 5, P(rel=2) @ 1, P(rel=1) @ 5],
            qrels,
            run,
        )
        ours = {
            "nDCG@5": ndcg_pooled(gains, 5)[s],
            "RR(rel=2)": reciprocal_rank(gains[s], 5),
            "Success(rel=2)@5": hit(gains[s], 5),
            "P(rel=2)@1": precision_at_1(gains[s]),
            "P@5": precision_at_k(gains[s], 5),
        }
        for name, values in ours.items():
            assert values == pytest.approx(theirs[name], abs=1e-9), name


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("k", [1, 3, 5])
def test_agrees_with_trec_eval_on_the_distinct_pool(seed: int, k: int) -> None:
    gains, passages = random_run(seed)
    strategies, questions, _ = gains.shape
    seen = {
        (q, int(passages[s, q, rank])): int(gains[s, q, rank])
        for s in range(strategies)
        for q in range(questions)
        for rank in range(k)
    }
    qrels = [Qrel(str(q), str(passage), grade) for (q, passage), grade in seen.items()]
    ours = ndcg_pooled(gains, k, "distinct", passages)
    for s in range(strategies):
        run = run_of([[str(p) for p in passages[s, q, :k]] for q in range(questions)])
        assert ours[s] == pytest.approx(trec([nDCG @ k], qrels, run)[f"nDCG@{k}"], abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_trec_eval_when_the_whole_index_is_judged(seed: int) -> None:
    generator = np.random.default_rng(seed)
    index = generator.choice([0, 0, 0, 1, 2], (30, 40)).astype(np.int8)
    ranking = np.array([generator.permutation(40)[:5] for _ in range(30)])
    qrels = [Qrel(str(q), str(c), int(index[q, c])) for q in range(30) for c in range(40)]
    theirs = trec([nDCG @ 5], qrels, run_of([[str(c) for c in row] for row in ranking]))
    ours = ndcg_index(
        np.take_along_axis(index, ranking, axis=1),
        np.array([best_grades(row, 5) for row in index]),
        5,
    )
    assert ours == pytest.approx(theirs["nDCG@5"], abs=1e-9)
