"""What to try next follows from what the run has shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from chunkbench_engine.measures.advice import Outcome, next_steps
from chunkbench_engine.measures.verdict import Candidate, Verdict, reach_verdict


def outcome(label: str, **known: object) -> Outcome:
    plain = Outcome(label, label.split("(")[0], 0.9, 0.95, 500.0, 0.0)
    return replace(plain, **known)  # type: ignore[arg-type]


def verdict(*labels: str, lead: float = 0.0) -> Verdict:
    """The first label leads, by so much; the others are alike."""
    table = np.random.default_rng(0).normal(0.5, 0.1, (len(labels), 60))
    table -= table.mean(axis=1, keepdims=True)
    table[0] += 0.001 + lead
    candidates = [Candidate(label, label.split("(")[0], label, (1, 1, 1)) for label in labels]
    return reach_verdict(candidates, table)[0]


def sweep(*sizes: int) -> list[Outcome]:
    return [outcome(f"RC({n})", parameters={"chunk_size": n, "overlap": 0}) for n in sizes]


def advice(of: Verdict, outcomes: list[Outcome], tried: tuple[str, ...] = ("dense",)) -> str:
    return " ".join(next_steps(of, outcomes, "dense", tried))


def test_the_best_at_the_end_of_its_sweep_asks_for_a_longer_one() -> None:
    largest = verdict("RC(800)", "RC(400)", "RC(200)", lead=0.2)
    assert "chunk_size=800 is the largest" in advice(largest, sweep(200, 400, 800))
    smallest = verdict("RC(200)", "RC(400)", "RC(800)", lead=0.2)
    assert "chunk_size=200 is the smallest" in advice(smallest, sweep(200, 400, 800))
    middle = verdict("RC(400)", "RC(200)", "RC(800)", lead=0.2)
    assert "sweep" not in advice(middle, sweep(200, 400, 800))


def test_two_settings_are_no_sweep() -> None:
    assert "sweep" not in advice(verdict("RC(800)", "RC(400)", lead=0.2), sweep(400, 800))


def test_settings_that_differ_in_more_than_the_swept_parameter_are_not_of_the_sweep() -> None:
    others = [outcome(f"RC({n})", parameters={"chunk_size": n, "overlap": n}) for n in (200, 400)]
    best = outcome("RC(800)", parameters={"chunk_size": 800, "overlap": 0})
    leading = verdict("RC(800)", "RC(400)", "RC(200)", lead=0.2)
    assert "sweep" not in advice(leading, [*others, best])


def test_a_low_ceiling_is_said_and_who_leaves_more_whole() -> None:
    found = advice(
        verdict("FC", "PGC", lead=0.2),
        [outcome("FC", ceiling=0.7, hit=0.65), outcome("PGC", ceiling=1.0)],
    )
    assert "Only 70 % of the questions" in found
    assert "PGC leaves more whole, 100 %" in found
    assert "ceiling" not in advice(verdict("FC", lead=0.2), [outcome("FC", ceiling=None)])


def test_what_is_in_the_index_but_not_found_is_retrievals_loss() -> None:
    leading = verdict("FC", "RC", lead=0.2)
    outcomes = [outcome("FC", ceiling=1.0, hit=0.6), outcome("RC")]
    assert (
        "40 % of the questions are answered whole by a chunk of FC that is not retrieved"
        in advice(leading, outcomes)
    )
    assert "--retrieval hybrid or rerank" in advice(leading, outcomes)
    everything = advice(leading, outcomes, ("dense", "hybrid", "rerank"))
    assert "--retrieval" not in everything
    assert "another model" in everything


def test_chunks_beyond_the_window_are_said() -> None:
    found = advice(verdict("FC", "RC", lead=0.2), [outcome("FC", over_window=0.3), outcome("RC")])
    assert "30 % of the chunks of FC are longer than the model's window" in found


def test_one_that_cannot_be_told_apart_and_hands_on_less_is_named() -> None:
    level = verdict("FC", "RC")
    assert "RC" in level.tied
    found = advice(level, [outcome("FC", tokens=1000.0), outcome("RC", tokens=400.0)])
    assert "RC cannot be told apart from FC by nDCG, and hands on 60 % fewer tokens" in found
    assert "full answer" not in found
    assert "fewer tokens" not in advice(
        level, [outcome("FC", tokens=1000.0), outcome("RC", tokens=900.0)]
    )


def test_what_a_cheaper_one_loses_is_said() -> None:
    cheaper = outcome("RC", tokens=400.0, hit=0.5)
    found = advice(verdict("FC", "RC"), [outcome("FC", tokens=1000.0), cheaper])
    assert "only 50 % of the questions have a full answer in them, not 90 %" in found


def test_nothing_found_is_no_bargain() -> None:
    level = verdict("FC", "RC")
    assert "fewer tokens" not in advice(level, [outcome("FC"), outcome("RC", tokens=0.0)])


def test_a_winner_with_nothing_amiss_needs_no_advice() -> None:
    clear = verdict("FC", "RC", lead=0.3)
    assert clear.named
    assert next_steps(clear, [outcome("FC"), outcome("RC")], "dense", ["dense"]) == []
