"""The verdict on tables whose truth is known, and what it says."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.measures.saying import say
from chunkbench_engine.measures.statistics import (
    against_leader,
    permutation_test,
    selection_probability,
)
from chunkbench_engine.measures.verdict import (
    Candidate,
    Cheapest,
    Standing,
    questions_needed,
    reach_verdict,
    verdict_from,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


def candidates(*labels: str, digests: str = "", costs: object = ()) -> list[Candidate]:
    """Candidates by label; `A(1)` is a setting of A; each with its own chunks if not said."""
    return [
        Candidate(
            label,
            label.split("(")[0],
            digests[row] if digests else f"digest {row}",
            dict(costs).get(label, (100.0, 1e6, 1.0)),  # type: ignore[call-overload]
        )
        for row, label in enumerate(labels)
    ]


def noise(seed: int, rows: int, questions: int, spread: float = 0.1) -> NDArray[np.float64]:
    """Scores around 0.5 that differ by chance only."""
    return np.random.default_rng(seed).normal(0.5, spread, (rows, questions))


def text(*arguments: object, **named: object) -> str:
    return "\n".join(say(reach_verdict(*arguments, **named)[0]))  # type: ignore[arg-type]


def test_a_clear_winner_is_named_and_the_others_are_ruled_out() -> None:
    table = noise(1, 3, 60)
    table[1] += 0.2
    verdict, standings = reach_verdict(candidates("A", "B", "C"), table)
    assert (verdict.leader, verdict.named, verdict.in_play) == ("B", True, ("B",))
    assert set(verdict.ruled_out) == {"A", "C"}
    assert verdict.mean == pytest.approx(table[1].mean())
    assert verdict.questions_needed == 0
    assert standings[1] == Standing(verdict.selection, None, False)
    assert all(s.p_leader is not None and s.p_leader < 0.05 for s in (standings[0], standings[2]))
    assert verdict.cheapest == (), "there is nothing to choose between"
    said = say(verdict)
    assert (
        said[0] == "B wins: it comes first in 100.0 % of the bootstrap resamples of 60 questions."
    )
    assert said[1].startswith("All others are ruled out")
    assert len(said) == 2


def test_the_numbers_are_those_of_the_bootstrap_and_of_the_permutation_test() -> None:
    table = noise(2, 4, 50) + np.array([[0.0], [0.02], [0.03], [-0.1]])
    verdict, standings = reach_verdict(candidates(*"ABCD"), table, seed=7)
    expected = against_leader(table, seed=7)
    shares = selection_probability(table, seed=7)
    assert verdict.leader == "ABCD"[expected.leader]
    assert [s.selection for s in standings] == pytest.approx(shares)
    for row, standing in enumerate(standings):
        if row != expected.leader:
            assert standing.p_leader == pytest.approx(expected.p[row])
            assert standing.tied == (expected.p[row] >= 0.05)


def test_strategies_that_differ_by_chance_only_are_tied_and_none_is_named() -> None:
    table = noise(3, 4, 80)
    verdict, standings = reach_verdict(candidates(*"ABCD"), table)
    assert not verdict.named
    assert len(verdict.in_play) == 4
    assert verdict.ruled_out == ()
    order = np.argsort(-table.mean(axis=1))
    assert verdict.in_play == tuple("ABCD"[row] for row in order), "best first"
    assert [s.tied for s in standings] == ["ABCD"[row] != verdict.leader for row in range(4)]
    said = say(verdict)
    assert said[0].startswith(f"No winner: {verdict.leader} leads, but comes first in only ")
    assert "wins" not in " ".join(said)


def test_of_two_equals_one_is_named_in_a_fifth_of_the_cases_and_seldom_beyond_doubt() -> None:
    verdicts = [
        reach_verdict(candidates("A", "B"), noise(seed, 2, 40), resamples=1000)[0]
        for seed in range(200)
    ]
    # By the normal approximation a share of 0.9 either way has one chance in five.
    assert 0.12 <= np.mean([verdict.named for verdict in verdicts]) <= 0.28
    assert np.mean([bool(verdict.ruled_out) for verdict in verdicts]) <= 0.1
    for verdict in verdicts:
        if verdict.named and verdict.tied:
            assert "wins, though not beyond doubt:" in say(verdict)[0]


def test_equal_scores_of_different_chunks_are_tied_and_no_number_of_questions_is_given() -> None:
    row = noise(4, 1, 40)
    verdict, standings = reach_verdict(candidates("A", "B"), np.concatenate([row, row]))
    assert (verdict.leader, verdict.tied, verdict.named) == ("A", ("B",), False)
    assert verdict.selection == 0.5
    assert standings[1] == Standing(0.5, 1.0, True)
    assert verdict.questions_needed is None
    assert "tell A from B cannot be said: their means are equal" in "\n".join(say(verdict))


def test_equal_chunks_are_one_contender_and_do_not_hide_a_winner() -> None:
    table = noise(5, 2, 60)
    table[0] += 0.2
    apart = reach_verdict(candidates("A", "B"), table)[0]
    table = np.concatenate([table, table[:1], table[:1]])
    verdict, standings = reach_verdict(candidates("A", "B", "C", "D", digests="xyxx"), table)
    assert (verdict.leader, verdict.same_as_leader) == ("A", ("C", "D"))
    assert verdict.named
    assert verdict.selection == apart.selection
    assert verdict.in_play == ("A",)
    assert verdict.runner_up == "B"
    assert standings[1].p_leader == permutation_test(table[0], table[1]), "one comparison only"
    assert standings[0].p_leader is None
    assert standings[2] == standings[3] == Standing(apart.selection, 1.0, True)
    assert say(verdict)[0].startswith("A (the same chunks: C, D) wins: ")


def test_equal_chunks_that_scored_differently_are_two_contenders() -> None:
    table = noise(6, 2, 60)
    verdict, _ = reach_verdict(candidates("A", "B", digests="xx"), table)
    assert verdict.same_as_leader == ()
    assert len(verdict.in_play) == 2


def test_equal_chunks_alone_leave_nothing_to_compare() -> None:
    row = noise(7, 1, 40)
    verdict, _ = reach_verdict(candidates("A", "B", digests="xx"), np.concatenate([row, row]))
    assert not verdict.named
    assert verdict.runner_up == ""
    assert say(verdict)[0] == (
        "There is nothing to compare A (the same chunks: B) with: no other chunks were measured."
    )


def test_the_cheapest_of_those_in_play_is_named_by_each_cost() -> None:
    table = noise(8, 4, 60)
    table[3] -= 0.5  # ruled out, and cheapest in everything
    costs = {"A": (90, 5e6, 2.0), "B": (80, 6e6, 1.0), "C": (80, 4e6, 3.0), "D": (1, 1, 0.0)}
    verdict, _ = reach_verdict(candidates(*"ABCD", costs=costs), table)
    first = next(label for label in verdict.in_play if label in "BC")  # of equals the better
    assert verdict.cheapest == (
        Cheapest("context tokens", first, 80),
        Cheapest("index bytes", "C", 4e6),
        Cheapest("cold seconds", "B", 1.0),
    )
    said = "\n".join(say(verdict))
    assert f"{first} (context, 80 tokens), C (index, 4.0 MB), B (chunking alone, 1.00 s)" in said


def test_of_equal_chunks_the_cheaper_to_make_is_named() -> None:
    table = noise(9, 2, 60)[[0, 0, 1]]
    costs = {"A": (90, 5e6, 2.0), "B": (90, 5e6, 0.1), "C": (95, 6e6, 3.0)}
    verdict, _ = reach_verdict(candidates(*"ABC", digests="xxy", costs=costs), table)
    assert verdict.cheapest[2] == Cheapest("cold seconds", "B", 0.1)


def test_few_questions_are_said_to_be_few() -> None:
    table = noise(10, 2, 29)
    assert "29 questions are few: below 30" in text(candidates("A", "B"), table)
    assert "few" not in text(candidates("A", "B"), noise(10, 2, 30))


def test_a_setting_chosen_on_the_data_it_is_reported_on_is_said_to_be() -> None:
    table = noise(11, 3, 40)
    swept = text(candidates("RC(1)", "RC(2)", "FC"), table)
    assert "Several settings were run of RC, on questions without the splits" in swept
    assert "Several settings" not in text(candidates("RC(1)", "FC", "PGC"), table)


def test_with_splits_the_choice_of_dev_is_reported_on_test() -> None:
    table, dev = noise(12, 3, 40), noise(13, 3, 25)
    best = int(dev.mean(axis=1).argmax())
    labels = ("RC(1)", "RC(2)", "RC(3)")
    verdict, _ = reach_verdict(candidates(*labels), table, split="test", dev=dev)
    assert verdict.chosen is not None
    assert verdict.chosen.label == labels[best]
    said = "\n".join(say(verdict))
    assert "bootstrap resamples of 40 questions of test" in said
    assert (
        f"Chosen on the 25 questions of dev, it would be {labels[best]}: "
        f"{dev[best].mean():.3f} there, {table[best].mean():.3f} on test."
    ) in said
    assert "Several settings" not in said


@pytest.mark.parametrize(("mean", "spread"), [(0.02, 0.2), (0.05, 0.3), (0.1, 0.25)])
@pytest.mark.parametrize("comparisons", [1, 33])
def test_with_the_questions_needed_the_paired_t_test_has_the_power_promised(
    mean: float, spread: float, comparisons: int
) -> None:
    from scipy.stats import nct, t

    first = np.tile([mean + spread, mean - spread], 5)
    needed = questions_needed(first, np.zeros(10), comparisons)
    assert needed is not None
    count = 10 + needed
    effect = mean / first.std(ddof=1) * np.sqrt(count)
    critical = t.ppf(1 - 0.05 / comparisons / 2, count - 1)
    power = 1 - nct.cdf(critical, count - 1, effect) + nct.cdf(-critical, count - 1, effect)
    assert power == pytest.approx(0.8, abs=0.03)


def test_no_fewer_questions_are_needed_than_any_permutation_test_can_do_with() -> None:
    # Always 0.1 better: with n questions p is 2 / 2ⁿ, below 0.05 from 6 questions on.
    assert questions_needed([0.2, 0.3, 0.4], [0.1, 0.2, 0.3]) == 3
    assert permutation_test([0.1] * 6, [0.0] * 6) < 0.05 < permutation_test([0.1] * 5, [0.0] * 5)


def test_one_question_gives_no_number() -> None:
    assert questions_needed([0.5], [0.1]) is None
    said = text(candidates("A", "B"), [[0.5], [0.1]])
    assert "cannot be said: one question has no spread" in said


def test_the_number_of_questions_is_said_in_two_digits() -> None:
    table = noise(14, 2, 60)
    verdict, _ = reach_verdict(candidates("A", "B"), table)
    assert verdict.questions_needed is not None
    digits = len(str(verdict.questions_needed))
    rounded = -(-verdict.questions_needed // 10 ** (digits - 2)) * 10 ** (digits - 2)
    assert f"About {rounded:,} more questions like these" in "\n".join(say(verdict))


def test_long_lists_are_cut_short() -> None:
    labels = [f"S{n}" for n in range(12)]
    said = text(candidates(*labels), noise(15, 12, 40))
    assert " and 3 more." in said


SCORES = st.lists(st.integers(0, 4).map(lambda n: n / 4), min_size=6, max_size=6)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(SCORES, st.sampled_from("xyz")), min_size=1, max_size=5))
def test_every_verdict_accounts_for_every_contender_and_is_stored_without_loss(
    rows: list[tuple[list[float], str]],
) -> None:
    field = candidates(*(f"S{n}" for n in range(len(rows))), digests="".join(d for _, d in rows))
    verdict, standings = reach_verdict(field, [scores for scores, _ in rows], resamples=200)
    contenders = {(tuple(scores), digest) for scores, digest in rows}
    assert len(verdict.in_play) + len(verdict.ruled_out) == len(contenders)
    assert not set(verdict.in_play) & set(verdict.ruled_out)
    assert verdict.mean == max(np.mean(scores) for scores, _ in rows)
    assert [s.p_leader for s in standings].count(None) == 1
    distinct = {row: s.selection for row, s in zip(rows_as_keys(rows), standings, strict=True)}
    assert sum(distinct.values()) == pytest.approx(1)
    assert verdict_from(json.loads(json.dumps(verdict.as_dict()))) == verdict
    assert say(verdict)[0]


def rows_as_keys(rows: list[tuple[list[float], str]]) -> list[tuple[tuple[float, ...], str]]:
    return [(tuple(scores), digest) for scores, digest in rows]


def test_what_finds_nothing_is_not_named_as_the_cheapest_though_it_cannot_be_told_apart() -> None:
    costs = {"A": (9.0, 9.0, 9.0), "B": (8.0, 8.0, 8.0), "nothing": (0.0, 1.0, 1.0)}
    table = [[1.0, 0.0, 1.0], [0.5, 0.5, 0.5], [0.0, 0.0, 0.0]]
    verdict, _ = reach_verdict(candidates("A", "B", "nothing", costs=costs), table)
    assert "nothing" in verdict.in_play, "three questions rule nothing out"
    assert {cheapest.label for cheapest in verdict.cheapest} == {"B"}


def test_a_lead_by_more_context_or_by_the_same_text_again_is_said() -> None:
    table = noise(1, 3, 60)
    table[1] += 0.2
    costs = {"A": (400.0, 1, 1), "B": (900.0, 1, 1), "C": (500.0, 1, 1)}
    said = text(candidates("A", "B", "C", costs=costs), table)
    assert "B hands on 900 tokens for a question, 2.0 times what is usual among the others" in said
    assert "repeats" not in said
    overlapping = [replace(c, repeated=0.6) for c in candidates("A", "B", "C")]
    said = text(overlapping, table)
    assert "60 % of what B hands on repeats text that it has handed on already" in said
    assert "tokens for a question" not in said
    table[0] += 0.4
    assert "hands on" not in text(candidates("A", "B", "C", costs=costs), table), "A leads now"
