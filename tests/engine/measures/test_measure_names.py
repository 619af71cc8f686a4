"""Measures are written as people write them."""

from __future__ import annotations

import pytest

from chunkbench_engine.errors import BadInput
from chunkbench_engine.measures.measure import FAMILIES, Measure, parse_measure


@pytest.mark.parametrize(
    ("written", "measure"),
    [
        ("nDCG@5", Measure("nDCG", 5)),
        (" ndcg@10 ", Measure("nDCG", 10)),
        ("nDCG-index@5", Measure("nDCG-index", 5)),
        ("P@1", Measure("P", 1)),
        ("Ceiling", Measure("Ceiling")),
        ("ndcg@2000t", Measure("nDCG", budget=2000)),
    ],
)
def test_a_name_is_a_measure_with_its_cutoff(written: str, measure: Measure) -> None:
    assert parse_measure(written) == measure


def test_every_measure_has_one_name_that_leads_back_to_it() -> None:
    for name, family in FAMILIES.items():
        measure = Measure(name, 5 if family.has_cutoff else None)
        assert parse_measure(str(measure)) == measure
        assert "{" not in measure.title


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("ndgc@5", "There is no measure ndgc@5; nDCG is meant\\?"),
        ("zzz", "There is no measure zzz; There are nDCG, "),
        ("nDCG", "Measure nDCG needs a cutoff, as in nDCG@5"),
        ("nDCG@0", "There is no measure nDCG@0; nDCG is meant"),
        ("Ceiling@5", "Measure Ceiling@5 takes no cutoff; write Ceiling"),
    ],
)
def test_a_wrong_name_says_what_is_right(written: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_measure(written)


def test_direction_and_format() -> None:
    assert parse_measure("nDCG@5").higher_is_better is True
    assert parse_measure("ZeroHit@5").higher_is_better is False
    assert parse_measure("nDCG@5").format(0.6119) == "0.612"
    assert parse_measure("Recall@1").format(0.5) == "50.0 %"
    assert parse_measure("Tokens@5").format(1240.4) == "1,240"
    assert parse_measure("TablesCut").format(3) == "3"
    assert parse_measure("Latency-p95").format(0.00341) == "3.4 ms"
    assert parse_measure("ChunkTokens-mean").higher_is_better is None


def test_precision_at_1_says_that_it_is_stricter() -> None:
    assert parse_measure("P@1").title == "questions whose first hit is a full answer"
    assert parse_measure("P@5").title.startswith("share of the top 5")


def test_a_budget_is_told_from_a_number_of_passages() -> None:
    assert str(parse_measure("Hit@2000t")) == "Hit@2000t"
    assert parse_measure("Hit@2000t").title.endswith("in the first 2,000 tokens")
    assert parse_measure("Hit@2000t") != parse_measure("Hit@2000")
