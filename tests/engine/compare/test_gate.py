"""Gates: what an expression means, and what is said when one fails."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.compare.comparison import compare
from chunkbench_engine.compare.gate import failures, parse_gate
from chunkbench_engine.errors import BadInput
from chunkbench_engine.measures.measure import Measure

from .sides import side

EXPRESSIONS = {
    "ndcg@5 < -0.02": (Measure("nDCG", 5), "<", -0.02, False),
    "NDCG@5<-.02": (Measure("nDCG", 5), "<", -0.02, False),
    " recall@1 <= 0 significant ": (Measure("Recall", 1), "<=", 0.0, True),
    "Latency-median > 2e-3": (Measure("Latency-median"), ">", 0.002, False),
    "ceiling>=+1 SIGNIFICANT": (Measure("Ceiling"), ">=", 1.0, True),
}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_an_expression_is_a_measure_a_comparison_and_a_number(text: str) -> None:
    gate = parse_gate(text)
    condition = gate.condition
    found = (gate.measure, condition.comparison, condition.bound, gate.significant)
    assert found == EXPRESSIONS[text]
    assert parse_gate(str(parse_gate(text))) == parse_gate(text)


REFUSED = {
    "": "cannot be read",
    "ndcg@5": "cannot be read",
    "ndcg@5 = 1": "cannot be read",
    "ndcg@5 < nan": "cannot be read",
    "ndcg@5 < 1 and hit@5 < 1": "cannot be read",
    "ndcg@5 < __import__('os')": "cannot be read",
    "hit@5 < -5%": "where 5 % is 0.05; leave the % out",
    "ndgc@5 < 1": "no measure ndgc@5; nDCG is meant",
    "recall < 1": "needs a cutoff, as in Recall@5",
}


@pytest.mark.parametrize("text", REFUSED)
def test_anything_else_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(BadInput, match=REFUSED[text]):
        parse_gate(text)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=30))
def test_a_text_that_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"--fail-if .* cannot be read|There is no measure"):
        parse_gate(f"({text})")


def said(*gates: str, now: list[float]) -> list[str]:
    base = side("run 1", {"RC": {"Hit@5": [1.0] * 10}}, values={"Latency-median": 0.001})
    run = side("run 2", {"RC": {"Hit@5": now}}, values={"Latency-median": 0.004})
    parsed = [parse_gate(gate) for gate in gates]
    found = compare(base, run, also=[str(gate.measure) for gate in parsed])
    return [failure.said for failure in failures(parsed, found)]


def test_a_failed_gate_says_what_fell_and_by_how_much() -> None:
    (sentence,) = said("hit@5 < -0.25", now=[1.0] * 6 + [0.0] * 4)
    assert sentence.startswith(
        "Hit@5 < -0.25: Hit@5 of RC (wordllama-256) fell by 0.4, from 1 to 0.6, 0.15 beyond the "
        "limit (95 % -0.7 to -0.1, p 0.12, not told from chance at 5 %)"
    )


def test_a_gate_is_over_the_difference_and_its_limit_is_exact() -> None:
    half = [1.0] * 5 + [0.0] * 5
    assert said("hit@5 < -0.5", now=half) == []
    assert len(said("hit@5 <= -0.5", now=half)) == 1
    assert said("hit@5 > 0", "hit@5 >= 0", now=half) == []


def test_what_is_beyond_the_limit_by_rounding_alone_does_not_fail() -> None:
    tenth = [1.0] * 9 + [0.7]
    assert 1 - sum(tenth) / 10 > 0.03, "as floating point has it"
    assert said("hit@5 < -0.03", now=tenth) == []
    assert len(said("hit@5 <= -0.03", now=tenth)) == 1


def test_a_significant_gate_fails_only_on_what_is_told_from_chance() -> None:
    assert said("hit@5 < 0 significant", now=[1.0] * 6 + [0.0] * 4) == []
    assert len(said("hit@5 < 0 significant", now=[0.0] * 10)) == 1


def test_what_questions_have_no_share_in_can_be_gated_but_not_tested() -> None:
    (sentence,) = said("latency-median > 0.002", now=[1.0] * 10)
    assert "rose by 0.003, from 0.001 to 0.004, 0.001 beyond the limit." in sentence
    with pytest.raises(BadInput, match="leave the word significant out"):
        said("latency-median > 0 significant", now=[1.0] * 10)


def test_a_strategy_that_has_lost_its_result_fails_every_gate() -> None:
    from chunkbench_engine.compare.side import Configuration

    from .sides import EXPERIMENT

    base = side("run 1", {"RC": {"Hit@5": [1, 0]}, "FC": {"Hit@5": [1, 0]}})
    run = side("run 2", {"RC": {"Hit@5": [1, 0]}},
               without_result={Configuration("FC", EXPERIMENT): "failed: boom"})  # fmt: skip
    found = compare(base, run)
    assert failures([], found) == []
    (failure,) = failures([parse_gate("hit@5 < 0")], found)
    assert failure.said == "FC (wordllama-256) has no result in run 2 (failed: boom)."
