"""Hybrids: the secondary strategy runs on every primary chunk, `S(P(D))`."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from chunkbench_engine.chunkers.late import late_of
from chunkbench_engine.chunkers.registry import REGISTRY
from chunkbench_engine.chunkers.spec import parse_spec

from .any_text import annotated, pieces, texts

WRITTEN_OUT = {
    "HSmFC": "SEBC >> FC(token_size=200, overlap=20)",
    "HSSC": "SEBC >> SWC(window=50, step=25)",
    "HSVFC": "SVAC >> FC(token_size=200, overlap=20)",
    "HSnFC": "SBC >> FC(token_size=200, overlap=20)",
    "HSGC": "SGC >> FC(token_size=200, overlap=20)",
    "HPFC": "PBC >> FC(token_size=200, overlap=20)",
    "HPGC": "PGC >> FC(token_size=200, overlap=20)",
    "HRC": "RC >> FC(token_size=200, overlap=20)",
    "HFCF": "FCC(char_size=100, overlap=10) >> FC(token_size=200, overlap=20)",
    "HOFC": "OFC(token_size=50, overlap=10) >> FC(token_size=200, overlap=20)",
    "HDFC": "DFC(min=50, max=200) >> FC(token_size=200, overlap=20)",
    "HCDC": "CDAC >> FC(token_size=200, overlap=20)",
}


@pytest.mark.parametrize("abbr", WRITTEN_OUT)
def test_each_of_the_twelve_is_the_pipeline_of_the_papers_table_1(abbr: str) -> None:
    assert parse_spec(abbr).strategy == parse_spec(WRITTEN_OUT[abbr]).strategy


def test_the_secondary_never_crosses_a_primary_boundary() -> None:
    assert pieces("PBC >> FC(token_size=3)", "a b c d\n\ne f") == ["a b c", "d", "e f"]


def test_a_secondary_longer_than_every_primary_chunk_leaves_them_as_they_are() -> None:
    assert pieces("PBC >> FC(token_size=200)", "a b c d\n\ne f") == ["a b c d", "e f"]


def test_min_chars_leaves_shorter_primary_chunks_alone() -> None:
    text = "a b c d\n\ne f g h i j"
    assert pieces("HPFC(token_size=3, overlap=0, min_chars=8)", text) == [
        "a b c d",
        "e f g",
        "h i j",
    ]


@given(text=texts)
@settings(max_examples=40, deadline=None)
def test_fixed_windows_within_fixed_windows_equal_the_outer_but_for_white_space(text: str) -> None:
    inner = pieces("FCC >> FC(token_size=1000)", text)
    outer = [c.strip() for c in pieces("FCC", text)]
    assert inner == [c for c in outer if c]


def test_contexts_and_prefixes_are_carried_on_and_shifted() -> None:
    text = "# A\n\naaa bbb ccc\n\nddd eee fff"
    chunks = parse_spec("HAC(size=11) >> PCC(parent=11, child=7)").strategy.chunk(annotated(text))
    assert {c.prefix for c in chunks} == {"A"}
    assert [text[slice(*c.judged)] for c in chunks][-2:] == ["ddd eee fff"] * 2
    nested = parse_spec("PCC(parent=13, child=7) >> FC(token_size=1)").strategy
    last = nested.chunk(annotated(text))[-1]
    assert (text[last.start : last.end], text[slice(*last.judged)]) == ("fff", "ddd eee fff")


def test_a_pipeline_is_late_if_its_secondary_is() -> None:
    assert late_of(parse_spec("PBC >> LCSI(max=9)").strategy) == late_of(
        parse_spec("LCSI(max=9)").strategy
    )
    assert late_of(parse_spec("LCSI >> FC").strategy) is None
    alone = [abbr for abbr, entry in REGISTRY.items() if not entry.wraps]
    late = {abbr for abbr in alone if late_of(parse_spec(abbr).strategy)}
    assert late == {"LCSI", "LCPI", "LCTS"}
