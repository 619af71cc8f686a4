"""FCC, FC, OFC and SWC: windows, as in the paper's Table 2."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings

from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.errors import BadInput

from .any_text import annotated, pieces, texts

TEN_TOKENS = " a b c d e f g h i j"[1:]


def test_character_windows_are_of_equal_length_and_share_the_overlap() -> None:
    assert pieces("FCC(char_size=4, overlap=1)", "0123456789") == ["0123", "3456", "6789"]


def test_token_windows_follow_one_another() -> None:
    assert pieces("FC(token_size=4)", TEN_TOKENS) == ["a b c d", " e f g h", " i j"]


def test_overlapping_token_windows_share_tokens() -> None:
    assert pieces("OFC(token_size=4, overlap=1)", TEN_TOKENS) == [
        "a b c d",
        " d e f g",
        " g h i j",
    ]


def test_sliding_windows_begin_one_step_apart() -> None:
    assert pieces("SWC(window=4, step=2)", TEN_TOKENS) == [
        "a b c d",
        " c d e f",
        " e f g h",
        " g h i j",
    ]


def test_the_last_window_is_the_first_that_reaches_the_end() -> None:
    # by the stride alone another would begin at 8, wholly inside this one
    assert pieces("SWC(window=6, step=4)", TEN_TOKENS) == ["a b c d e f", " e f g h i j"]


@pytest.mark.parametrize("spec", ["FC(token_size=2)", "FC(token_size=1)", "FCC(overlap=0)"])
@given(text=texts)
@settings(max_examples=60, deadline=None)
def test_windows_without_overlap_tile_the_text(spec: str, text: str) -> None:
    assume(text.strip())
    assert "".join(pieces(spec, text)) == text


def test_an_edge_inside_a_character_is_moved_back_to_its_start() -> None:
    text = "a\U0001f600b"  # the emoji is two tokens
    assert pieces("FC(token_size=2)", text) == ["a", "\U0001f600b"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("FC(token_size=50, overlap=60)", "overlap=60 must be below token_size=50"),
        ("FC(overlap=50)", "overlap=50 must be below token_size=50"),
        ("FC(token_size=0)", "token_size=0 must be at least 1"),
        ("OFC(overlap=-1)", "overlap=-1 must be at least 0"),
        ("FCC(char_size=5)", "overlap=10 must be below char_size=5"),
        ("SWC(step=51)", "step=51 must not be above window=50"),
    ],
)
def test_a_wrong_value_is_refused_with_its_range(spec: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_spec(spec)


def test_a_window_is_a_chunk_of_its_document() -> None:
    (chunk,) = parse_spec("FC").strategy.chunk(annotated("word"))
    assert (chunk.document, chunk.span, chunk.context, chunk.prefix) == ("a.md", (0, 4), None, "")
