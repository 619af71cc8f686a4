"""Comparing two sides: over what, with which numbers, and what is said of it."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from chunkbench_engine.compare.baseline import baseline_text, read_baseline
from chunkbench_engine.compare.comparison import Comparison, Difference, compare
from chunkbench_engine.compare.side import Configuration
from chunkbench_engine.errors import BadInput

from .sides import EXPERIMENT, MANIFEST, side

GENERATOR = np.random.default_rng(7)
HITS = (GENERATOR.random((4, 40)) < [[0.4], [0.6], [0.45], [0.9]]).astype(float)


def one(found: Comparison, measure: str, pair: int = 0) -> Difference:
    return next(d for d in found.pairs[pair].differences if d.measure == measure)


def test_a_difference_is_of_the_means_and_is_tested_as_scipy_tests_it() -> None:
    base = side("run 1", {"RC": {"Hit@5": HITS[0]}})
    run = side("run 2", {"RC": {"Hit@5": HITS[1]}})
    found = one(compare(base, run), "Hit@5")
    paired = HITS[1] - HITS[0]
    assert found.difference == pytest.approx(paired.mean())
    assert (found.base, found.run, found.questions) == (HITS[0].mean(), HITS[1].mean(), 40)
    # of differences of one size, the exact test is the sign test; ours draws 10,000 times
    exact = stats.binomtest(int((paired > 0).sum()), int((paired != 0).sum())).pvalue
    assert found.p == pytest.approx(exact, abs=0.02)
    bootstrap = stats.bootstrap((paired,), np.mean, method="percentile", n_resamples=9999, rng=1)
    assert found.low == pytest.approx(bootstrap.confidence_interval.low, abs=0.02)
    assert found.high == pytest.approx(bootstrap.confidence_interval.high, abs=0.02)


def test_p_is_holm_corrected_over_the_strategies_that_differ_at_all() -> None:
    alone = compare(
        side("run 1", {"RC": {"Hit@5": HITS[0]}}), side("run 2", {"RC": {"Hit@5": HITS[3]}})
    )
    with_equal = compare(
        side("run 1", {"RC": {"Hit@5": HITS[0]}, "FC": {"Hit@5": HITS[2]}}),
        side("run 2", {"RC": {"Hit@5": HITS[3]}, "FC": {"Hit@5": HITS[2]}}),
    )
    with_another = compare(
        side("run 1", {"RC": {"Hit@5": HITS[0]}, "FC": {"Hit@5": HITS[2]}}),
        side("run 2", {"RC": {"Hit@5": HITS[3]}, "FC": {"Hit@5": HITS[1]}}),
    )
    p = one(alone, "Hit@5").p
    assert p is not None
    assert one(with_equal, "Hit@5").p == p
    assert one(with_equal, "Hit@5", 1).p == 1
    assert one(with_another, "Hit@5").p == pytest.approx(2 * p)


scores = st.lists(st.floats(0, 1), min_size=3, max_size=3)


@settings(max_examples=30, deadline=None)
@given(scores, scores, scores, scores)
def test_the_other_way_round_every_difference_changes_its_sign(
    a: list[float], b: list[float], ideal: list[float], other: list[float]
) -> None:
    first = side("run 1", {"RC": {"nDCG@5": a, "Hit@5": b}}, ideal=[x + 0.1 for x in ideal])
    second = side("run 2", {"RC": {"nDCG@5": b, "Hit@5": a}}, ideal=[x + 0.1 for x in other])
    there, back = compare(first, second), compare(second, first)
    for measure in ("nDCG@5", "Hit@5"):
        one_way, other_way = one(there, measure), one(back, measure)
        assert one_way.difference == pytest.approx(-other_way.difference, abs=1e-12)
        assert one_way.p == pytest.approx(other_way.p)


def test_the_same_hits_do_not_differ_in_ndcg_whatever_else_the_runs_found() -> None:
    gained = np.array([2.0, 1.0, 3.0, 0.0])
    pools = [np.array([4.0, 4.0, 3.0, 2.0]), np.array([3.0, 5.0, 3.0, 0.0])]
    sides = [
        side(
            f"run {n}",
            {"RC": {"nDCG@5": np.divide(gained, pool, out=np.zeros(4), where=pool > 0)}},
            ideal=list(pool),
        )
        for n, pool in enumerate(pools, 1)
    ]
    found = compare(*sides)
    difference = one(found, "nDCG@5")
    assert difference.difference == 0
    assert difference.base == pytest.approx(np.mean([2 / 4, 1 / 5, 3 / 3, 0]))
    assert any("nDCG@5 is taken against one ideal for both" in note for note in found.notes)


def test_only_questions_that_are_the_same_are_compared() -> None:
    base = side("run 1", {"RC": {"Hit@5": [1, 1, 0, 0]}})
    run = side("run 2", {"RC": {"Hit@5": [0, 1, 1]}}, questions={
        "q0": "another", "q1": "same", "q2": "same", "q9": "same",
    })  # fmt: skip
    found = compare(base, run)
    assert found.questions == 2
    assert one(found, "Hit@5").difference == 0.5
    assert not found.comparable
    said = found.unlike[0].said
    assert "1 only in run 1 (q3)" in said
    assert "1 only in run 2 (q9)" in said
    assert "1 with another wording, answer or evidence (q0)" in said


def test_with_another_judge_only_what_rests_on_no_grade_is_compared() -> None:
    measures = {"Hit@5": [1, 0], "nDCG@5": [1, 0], "Recall@5": [1, 0], "Tokens@5": [300, 200]}
    base = side("run 1", {"RC": measures})
    run = side("run 2", {"RC": measures}, manifest={**MANIFEST, "judge": "ollama mixtral"})
    found = compare(base, run)
    assert [d.measure for d in found.pairs[0].differences] == ["Recall@5", "Tokens@5"]
    assert "The judges differ: evidence, now ollama mixtral." in found.unlike[0].said
    with pytest.raises(BadInput, match=r"Hit@5 is made of the judge's grades"):
        compare(base, run, measures=["hit@5"])


DIFFERENCES = {
    "documents": ({"corpus": "beef"}, True, "The documents differ"),
    "model": ({"models": {"wordllama-256": "other"}}, True, "The weights of wordllama-256 differ"),
    "retrieval": ({"retrieval": {"k": 10, "kinds": []}}, True, "passages retrieved 5, now 10"),
    "chunkers": ({"chunker_model": "MiniLM"}, False, "The chunkers' own model differs"),
    "versions": ({"packages": {"numpy": "3"}}, False, "numpy 2.4.6, now 3"),
    "machine": ({"machine": {"cores": 8}}, False, "times are not comparable: cores 2, now 8"),
    "seed": ({"seed": 1}, False, "Seeds: 0, now 1"),
}


@pytest.mark.parametrize("what", DIFFERENCES)
def test_what_differs_in_the_manifests_is_said(what: str) -> None:
    changed, matters, sentence = DIFFERENCES[what]
    base = side("run 1", {"RC": {"Hit@5": [1, 0]}})
    run = side("run 2", {"RC": {"Hit@5": [1, 0]}}, manifest={**MANIFEST, **changed})
    found = compare(base, run)
    assert sentence in " ".join(entry.said for entry in found.unlike if entry.what == what)
    assert found.comparable == (not matters)


def test_changed_code_of_a_chunker_is_said() -> None:
    sides = [
        side(f"run {n}", {"m:f": {"Hit@5": [1, 0]}}, manifest={**MANIFEST, "code": {"m:f": digest}})
        for n, digest in enumerate(("aa", "bb"), 1)
    ]
    (entry,) = compare(*sides).unlike
    assert entry.said == "The code of m:f has changed: aa, now bb."


def test_the_documents_that_changed_are_named() -> None:
    run = side("run 2", {"RC": {"Hit@5": [1, 0]}}, manifest={**MANIFEST, "corpus": "beef"},
               document_hashes={"a.md": "9", "b.md": "2", "d.md": "4"})  # fmt: skip
    found = compare(side("run 1", {"RC": {"Hit@5": [1, 0]}}), run)
    assert "1 changed (a.md); 1 new (d.md); 1 gone (c.md)" in found.unlike[0].said


def test_two_strategies_of_one_run_are_compared() -> None:
    run = side("run 1", {"RC": {"Hit@5": [1, 0, 0]}, "FC": {"Hit@5": [1, 1, 0]}})
    found = compare(run, run, base_strategy="RC", with_strategies=["FC"])
    assert found.pairs[0].name == "RC → FC"
    assert one(found, "Hit@5").difference == pytest.approx(1 / 3)
    with pytest.raises(BadInput, match="compared with itself"):
        compare(run, run)


def test_a_strategy_that_has_lost_its_result_is_named() -> None:
    base = side("run 1", {"RC": {"Hit@5": [1, 0]}, "FC": {"Hit@5": [1, 0]}})
    run = side("run 2", {"RC": {"Hit@5": [1, 0]}},
               without_result={Configuration("FC", EXPERIMENT): "failed: boom"})  # fmt: skip
    found = compare(base, run)
    assert found.lost == ("FC (wordllama-256) has no result in run 2 (failed: boom)",)
    assert found.only_base == ()


def test_nothing_in_common_is_refused_with_what_there_is() -> None:
    base = side("run 1", {"RC": {"Hit@5": [1, 0]}})
    run = side("run 2", {"FC": {"Hit@5": [1, 0]}})
    with pytest.raises(BadInput, match=r"no strategy in common \(RC; FC\): name two with --base"):
        compare(base, run)
    with pytest.raises(BadInput, match="no question in common"):
        compare(base, replace(base, name="run 3", questions={"q0": "x"}))
    with pytest.raises(BadInput, match="run 2 has no strategy SBC; it has FC"):
        compare(base, run, base_strategy="RC", with_strategies=["SBC"])
    with pytest.raises(BadInput, match=r"Hit@10 was not measured in both.*Hit@5"):
        compare(base, replace(base, name="run 3"), measures=["hit@10"])


def test_runs_whose_lists_end_elsewhere_are_said_to() -> None:
    base = side("run 1", {"RC": {"Hit@5": [1, 0], "Ceiling": [1, 1]}})
    run = side("run 2", {"RC": {"Hit@3": [1, 0], "Ceiling": [1, 1]}}, cutoff="3")
    with pytest.raises(BadInput, match=r"ends at 5 in one, at 3 in the other\); there is Ceiling"):
        compare(base, run, measures=["hit@5"])


def test_a_baseline_read_again_is_as_good_as_its_run(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("baseline") / "base.json"
    base = side(
        "run 1",
        {"RC": {"Hit@5": HITS[0], "nDCG@5": HITS[2]}, "FC": {"Hit@5": HITS[1], "nDCG@5": HITS[1]}},
        values={"Latency-median": 0.002},
    )
    run = side("run 2", {"RC": {"Hit@5": HITS[1], "nDCG@5": HITS[3]}}, ideal=[1.5] * 40)
    path.write_text(baseline_text(base, ["RC"]))
    kept = read_baseline(path)
    assert replace(compare(kept, run), base="run 1") == compare(
        replace(base, finished={k: v for k, v in base.finished.items() if k.label == "RC"}), run
    )
    assert kept.finished[Configuration("RC", EXPERIMENT)].values == {"Latency-median": 0.002}


BROKEN = {
    "no JSON": ("{", "is no JSON"),
    "another file": ("[1]", "is no baseline"),
    "a later version": ({"version": 2}, "a baseline of version 2"),
    "a score too many": ({"questions": []}, "damaged baseline"),
    "no strategies": ({"strategies": None}, "damaged baseline"),
    "brackets without end": ("[" * 100_000, "nested too deep"),
    "a number of many digits": ("9" * 5000, "is no JSON"),
    "more documents than there are": (
        {"run": {"corpus": "", "documents": 1e400}},
        "damaged baseline",
    ),
    "a manifest of another kind": ({"manifest": {"retrieval": "dense"}}, "damaged baseline"),
    "a score beyond measure": (
        {
            "strategies": [
                {"label": "RC", "model": "", "retrieval": "", "values": {"x": 1e300}, "scores": {}}
            ]
        },
        "no number that was measured",
    ),
    "no ideals": ({"experiments": []}, "nDCG of RC has no ideal for"),
    "ideals of nothing": (
        {"experiments": [{"model": "wordllama-256", "retrieval": "dense", "ideal": [0, 0]}]},
        "nDCG of RC has no ideal for",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_file_that_is_no_baseline_is_refused_with_a_sentence(
    case: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    content, sentence = BROKEN[case]
    path = tmp_path_factory.mktemp("broken") / "base.json"
    good = json.loads(baseline_text(side("run 1", {"RC": {"Hit@5": [1, 0], "nDCG@5": [0.5, 0]}})))
    path.write_text(content if isinstance(content, str) else json.dumps({**good, **content}))
    with pytest.raises(BadInput, match=sentence):
        read_baseline(path)
