"""Hostile text is shown, never obeyed."""

from __future__ import annotations

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_tui.safe_text import shown, shown_lines


def test_an_escape_sequence_is_written_out() -> None:
    assert shown("\x1b[31mred\x07") == "\\x1b[31mred\\x07"


def test_c1_controls_and_bidirectional_overrides_are_written_out() -> None:
    assert shown("\x9b2J a\u202eb") == "\\x9b2J a\\u202eb"


def test_a_file_name_that_is_no_valid_text_can_be_shown() -> None:
    assert shown("a\udcff.md").encode() == b"a\\udcff.md"


def test_one_line_stays_one_line() -> None:
    assert shown("a\nb\tc\r") == "a\\nb\\tc\\r"


def test_lines_are_kept_where_they_are_wanted() -> None:
    assert shown_lines("a\n\x1b[2Jb") == "a\n\\x1b[2Jb"


def test_ordinary_writing_of_any_language_is_left_alone() -> None:
    text = "Grüße, 漢字, می‌خواهم, नमस्ते, [/bold], 🎉"
    assert shown(text) == text


@given(st.text())
@settings(max_examples=100, deadline=None)
def test_no_control_character_is_left_in_any_text(text: str) -> None:
    categories = {unicodedata.category(c) for c in shown(text) if c not in "\u200c\u200d"}
    assert not categories & {"Cc", "Cf", "Cs", "Zl", "Zp"}
