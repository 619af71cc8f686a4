"""How characters are shown: their width is the terminal's, and nothing hostile gets through."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len, get_character_cell_size

from chunkbench_tui.document.cells import NARROW, WIDE, fill, pieces

NASTY = (
    "a \t\x00\x1b\x07\x7f\x9b\u00ad\u0301\u200b\u200c\u200d\ufe0f\u202e\u2028\ufeff"
    "漢한ｆ👨👩👧❤🏽🇩שמक्\U000e0067"
)
TEXTS = st.text(st.one_of(st.sampled_from(NASTY), st.characters(exclude_categories=["Cs"])))


def display(text: str, width: int = 80) -> str:
    return "".join(piece.display for piece in pieces(text, 0, len(text), width))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[/] [b]x", "[/] [b]x"),
        ("\x1b[31m\x00", "\\x1b[31m\\x00"),
        ("a\tb\tc", "a   b   c"),
        ("\r\x0b\x85", "\\r\\x0b\\x85"),
        ("\u202eabc\u2028", "\\u202eabc\\u2028"),
        ("👨‍👩‍👧", "👨‍👩‍👧"),
        ("e\u0301", "e\u0301"),
        ("\u0301", "\u25cc\u0301"),
        ("a\u200db", "ab"),
        ("\U000e0067", "\\U000e0067"),
    ],
)
def test_text_is_shown_as_itself_and_what_is_not_text_as_its_escape(
    text: str, expected: str
) -> None:
    assert display(text) == expected


@pytest.mark.parametrize(
    ("text", "cells"),
    [("漢字", 4), ("👨‍👩‍👧", 2), ("❤️", 2), ("e\u0301", 1), ("한", 2), ("שלום", 4)],
)
def test_widths_go_by_grapheme(text: str, cells: int) -> None:
    assert sum(piece.cells for piece in pieces(text, 0, len(text), 80)) == cells


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.integers(10, 40))
def test_pieces_follow_each_other_fit_and_are_as_wide_as_they_say(text: str, width: int) -> None:
    text = text.replace("\n", " ")
    found = list(pieces(text, 0, len(text), width))
    position = 0
    for piece in found:
        assert piece.start == position
        assert piece.end > piece.start
        assert piece.cells > 0
        position = piece.end
    shown = "".join(piece.display for piece in found)
    assert cell_len(shown) == sum(piece.cells for piece in found) <= width
    assert fill(text, 0, len(text), width) == (position, cell_len(shown))
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Zl", "Zp")]
    assert not {c for c in shown if unicodedata.category(c) == "Cf"} - {"\u200c", "\u200d"}


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_a_line_of_one_piece_after_another_holds_the_whole_text(text: str) -> None:
    text = text.replace("\n", " ")
    position = 0
    while position < len(text):
        after = fill(text, position, len(text), 10)[0]
        assert after > position
        position = after


def test_a_base_with_thousands_of_marks_is_divided() -> None:
    found = list(pieces("a" + "\u0301" * 5_000, 0, 5_001, 10))
    assert max(piece.end - piece.start for piece in found) <= 32
    assert found[-1].end < 5_001


@pytest.mark.parametrize(("kind", "cells"), [(NARROW, 1), (WIDE, 2)])
def test_even_characters_have_one_width_and_are_letters_or_signs(kind: str, cells: int) -> None:
    even = re.compile(f"[{kind}]")
    found = [c for c in map(chr, range(0x10000)) if even.match(c)]
    assert len(found) > 500
    assert [c for c in found if get_character_cell_size(c) != cells] == []
    odd = [c for c in found if unicodedata.category(c) in ("Cc", "Cf", "Mn", "Me", "Zl", "Zp")]
    assert odd == []
