"""Strategies of whole sentences and paragraphs: SBC, SGC, LAC, PBC, PGC, DFC, CDAC."""

from __future__ import annotations

import pytest

from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.errors import BadInput

from .any_text import annotated, pieces

FIVE = "One is. Two is. Three is.\n\nFour is. Five is."
PARAGRAPHS = "p1\n\np2\n\n\np3\n\np4"


def test_sbc_is_each_sentence() -> None:
    assert pieces("SBC", FIVE) == ["One is.", "Two is.", "Three is.", "Four is.", "Five is."]


def test_sgc_groups_sentences_as_written_and_shares_the_overlap() -> None:
    assert pieces("SGC", FIVE) == ["One is. Two is. Three is.", "Three is.\n\nFour is. Five is."]
    assert pieces("SGC(sentences=2, overlap=0)", FIVE)[1:] == ["Three is.\n\nFour is.", "Five is."]


def test_pbc_is_each_paragraph() -> None:
    assert pieces("PBC", PARAGRAPHS) == ["p1", "p2", "p3", "p4"]


def test_pgc_groups_paragraphs_as_written_and_shares_the_overlap() -> None:
    assert pieces("PGC", PARAGRAPHS) == ["p1\n\np2", "p2\n\n\np3", "p3\n\np4"]


def test_lac_fills_with_whole_sentences_up_to_target_and_tolerance() -> None:
    assert pieces("LAC(target=14, tolerance=1)", FIVE) == [
        "One is. Two is.",
        "Three is.",
        "Four is.",
        "Five is.",
    ]


def test_lac_leaves_a_longer_sentence_alone_and_cuts_it_only_where_it_must() -> None:
    text = "Ab. " + "c" * 20 + ". De. Fg."
    assert pieces("LAC(target=10, tolerance=5)", text) == ["Ab.", "c" * 15, "ccccc.", "De. Fg."]
    assert pieces("LAC(target=15, tolerance=6)", text) == ["Ab.", "c" * 20 + ".", "De. Fg."]


def test_lac_can_count_tokens() -> None:
    assert pieces("LAC(target=5, tolerance=1, unit=tokens)", FIVE) == [
        "One is. Two is.",
        "Three is.\n\nFour is.",
        "Five is.",
    ]


def test_dfc_ends_at_the_last_sentence_end_between_min_and_max_tokens() -> None:
    assert pieces("DFC(min=2, max=7)", FIVE) == [
        "One is. Two is.",
        "Three is.\n\nFour is.",
        "Five is.",
    ]


def test_dfc_ends_at_a_line_end_too() -> None:
    assert pieces("DFC(min=2, max=6)", "a b c\nd e f g h i") == ["a b c", "d e f g h i"]


def test_dfc_cuts_at_max_where_no_end_lies_between() -> None:
    assert pieces("DFC(min=3, max=4)", "a b c d e f g h i j.") == ["a b c d", "e f g h", "i j."]


def test_cdac_allows_half_the_base_size_where_no_word_repeats() -> None:
    # ρ = 1 in each sentence: 30 × 0.5 / 1 = 15 characters
    assert pieces("CDAC(base_size=30)", "One is. Two is. Six is.") == ["One is. Two is.", "Six is."]


def test_cdac_allows_the_base_size_where_half_of_the_words_are_new() -> None:
    # ρ = 0.5 in the sentence being added: 30 × 0.5 / 0.5 = 30 characters
    assert pieces("CDAC(base_size=30)", "One is. Two is. No NO so so.") == [
        "One is. Two is. No NO so so."
    ]


def test_cdac_cuts_a_sentence_longer_than_its_own_size() -> None:
    assert pieces("CDAC(base_size=20)", "x" * 25) == ["x" * 10, "x" * 10, "x" * 5]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("SGC(sentences=2, overlap=2)", "overlap=2 must be below sentences=2"),
        ("PGC(paragraphs=0)", "paragraphs=0 must be at least 1"),
        ("LAC(unit=words)", "unit=words must be one of chars, tokens"),
        ("DFC(min=300)", "min=300 must not be above max=200"),
        ("CDAC(base_size=1)", "base_size=1 must be at least 2"),
    ],
)
def test_a_wrong_value_is_refused_with_its_range(spec: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_spec(spec)


@pytest.mark.parametrize("spec", ["LAC(unit=tokens)", "CDAC(unit=tokens)", "RC(unit=tokens)"])
def test_a_unit_of_tokens_declares_the_tokens(spec: str) -> None:
    strategy = parse_spec(spec).strategy
    assert "tokens" in strategy.annotations
    document = annotated(FIVE)
    strategy.chunk(document)
    assert "tokens" in document.used
