"""RC, RTF and PCC: ever finer separators, then merging."""

from __future__ import annotations

import pytest

from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.errors import BadInput

from .any_text import annotated, pieces


def test_rc_splits_at_blank_lines_first_and_merges_up_to_the_size() -> None:
    text = "aaa\n\nbbb\n\nccc\n\nddd"
    assert pieces("RC(chunk_size=8, overlap=0)", text) == ["aaa\n\nbbb", "ccc", "ddd"]


def test_rc_goes_finer_only_where_a_piece_is_still_too_long() -> None:
    text = "short\n\none two\nthree four"
    assert pieces("RC(chunk_size=9, overlap=0)", text) == ["short", "one two", "three", "four"]


def test_rc_cuts_a_word_too_long_in_windows() -> None:
    assert pieces("RC(chunk_size=4, overlap=1)", "ab 0123456789") == ["ab", "012", "2345", "5678",
                                                                      "89"]  # fmt: skip


def test_rc_keeps_whole_pieces_as_overlap() -> None:
    assert pieces("RC(chunk_size=11, overlap=6)", "aa bbb cc ddd ee") == [
        "aa bbb cc",
        "cc ddd ee",
    ]


def test_rc_takes_a_windows_line_end_for_a_line_end() -> None:
    assert pieces("RC(chunk_size=8, overlap=0)", "aaa\r\n\r\nbbb b\r\nccc") == [
        "aaa",
        "bbb b",
        "ccc",
    ]


TEXT = (
    "The first paragraph has some words.\n\nA second one, in\ntwo lines. "
    "And a_word_that_is_far_too_long here.\n\n\nThe  end"
)
# What LangChain's RecursiveCharacterTextSplitter makes of it (langchain-text-splitters 1.1.3).
LANGCHAIN = {
    (20, 8): ["The first paragraph", "has some words.", "A second one, in", "two lines. And",
              "a_word_that_is_far_", "_is_far_too_long", "here.", "The  end"],
    (12, 0): ["The first", "paragraph", "has some", "words.", "A second", "one, in", "two lines.",
              "And", "a_word_that", "_is_far_too_", "long", "here.", "The  end"],
    (40, 15): ["The first paragraph has some words.", "A second one, in", "two lines. And",
               "lines. And a_word_that_is_far_too_long", "here.", "The  end"],
}  # fmt: skip


@pytest.mark.parametrize(("size", "overlap"), LANGCHAIN)
def test_rc_gives_the_spans_that_langchain_gives(size: int, overlap: int) -> None:
    assert pieces(f"RC(chunk_size={size}, overlap={overlap})", TEXT) == LANGCHAIN[size, overlap]


def test_rtf_measures_in_tokens_and_cuts_windows_of_tokens_at_last() -> None:
    assert pieces("RTF(token_size=4, overlap=0)", "a b c\n\nd e f g h") == ["a b c", "d e f", "g h"]
    assert pieces("RTF(token_size=3, overlap=1)", "1112223334445556667") == [
        "111222333",
        "333444555",
        "5556667",
    ]


def test_pcc_children_are_indexed_and_their_parent_is_handed_on() -> None:
    text = "aaa bbb ccc\n\nddd eee fff"
    chunks = parse_spec("PCC(parent=13, child=7)").strategy.chunk(annotated(text))
    assert [(text[c.start : c.end], text[slice(*c.judged)]) for c in chunks] == [
        ("aaa bbb", "aaa bbb ccc"),
        ("ccc", "aaa bbb ccc"),
        ("ddd eee", "ddd eee fff"),
        ("fff", "ddd eee fff"),
    ]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("RC(overlap=500)", "overlap=500 must be below chunk_size=500"),
        ("RC(separators=space)", "separators='space' must be names out of blank line, newline"),
        ('RC(separators="tab, character")', "and then character"),
        ("PCC(child=500)", "child=500 must be below parent=500"),
        ("RTF(token_size=5)", "overlap=10 must be below token_size=5"),
    ],
)
def test_a_wrong_value_is_refused_with_its_range(spec: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_spec(spec)
