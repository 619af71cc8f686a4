"""Conditions of --fail-if."""

from __future__ import annotations

import pytest

from chunkbench_engine.diagnose.gate import COSTS, failure, parse_bound
from chunkbench_engine.diagnose.kinds import KINDS, said, share
from chunkbench_engine.errors import BadInput

COUNTS = {"chunks": 200.0, "compared": 100.0, "orphans": 6.0, "fragments": 6.0, "tables": 0.0}
COUNTS |= {"hub_skewness": -1.0, "cut_tables": 0.0}


@pytest.mark.parametrize(
    ("written", "holds"),
    [
        ("orphans > 5%", True),  # of the chunks that were compared
        ("orphans > 6%", False),
        ("orphans>=6%", True),
        ("fragments > 3 %", False),  # of all chunks
        ("fragments > 5", True),
        ("FRAGMENTS < 6.5", True),
        ("orphans > 6.0%", False),
        ("hub_skewness < -0.5", True),
        ("chunks <= 200", True),
        ("chunks < 200", False),
    ],
)
def test_a_condition_holds_or_not(written: str, holds: bool) -> None:
    assert bool(failure(parse_bound(written), COUNTS)) == holds


def test_the_sentence_names_what_was_found() -> None:
    said_of = failure(parse_bound("orphans > 5%"), COUNTS)
    assert said_of == "orphans is 6%, and the check fails if orphans > 5%"


def test_what_is_not_known_fails_and_says_so() -> None:
    assert failure(parse_bound("hubs > 0"), COUNTS) == (
        "hubs is not known, so hubs > 0 cannot be told"
    )
    assert "not known" in failure(parse_bound("hubs > 1%"), {})


def test_no_share_is_more_than_that_of_nothing() -> None:
    assert share("cut_tables", {"cut_tables": 0.0, "tables": 0.0}) == 0
    assert not failure(parse_bound("cut_tables > 0%"), COUNTS)
    assert failure(parse_bound("cut_tables < 5%"), COUNTS), "0 is below 5 %, of nothing too"


def test_a_share_that_is_the_bound_but_for_rounding_is_the_bound() -> None:
    seven = {"orphans": 7.0, "compared": 1000.0}
    assert 7 / 1000 > 0.7 / 100, "as floating point has it"
    assert not failure(parse_bound("orphans > 0.7%"), seven)
    assert failure(parse_bound("orphans >= 0.7%"), seven)


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("orphan > 5%", "orphans is meant?"),
        ("near-duplicate > 1", "near_duplicates is meant?"),
        ("xyzzy > 1", "there are uncovered, "),
        ("orphans", "cannot be read"),
        ("orphans > many", "cannot be read"),
        ("orphans == 3", "cannot be read"),
        ("chunks > 5%", "no share of anything"),
        ("orphans > 5 significant", "counts are not tested"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_hint(written: str, hint: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_bound(written)
    assert hint in str(refused.value)
    assert written in str(refused.value)


def test_every_kind_says_what_its_findings_mean() -> None:
    assert not set(KINDS) & set(COSTS)
    for name, kind in KINDS.items():
        assert kind.remedy.endswith(".")
        assert bool(said(name, 1.0)) == bool(kind.values)
    assert said("cut_sentences", 2.0) == "ends inside one"
    assert said("hubs", 1234.0) == "a neighbour of 1,234 chunks"
