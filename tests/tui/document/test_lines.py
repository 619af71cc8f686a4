"""The index of lines: every character is on one line, and every line fits."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_tui.document.cells import fill
from chunkbench_tui.document.lines import content_end, index_lines, line_begin

NASTY = "ab \t\n\r\x00\x1b\u0301\u200d\ufe0f漢한👨👩❤שم"
TEXTS = st.text(
    st.one_of(st.sampled_from(NASTY), st.characters(exclude_categories=["Cs"])), max_size=400
)


def lines_of(text: str, width: int) -> list[str]:
    index = index_lines(text, width)
    return [text[slice(*index.span(line))] for line in range(len(index))]


def test_lines_break_after_the_last_space_that_fits() -> None:
    assert lines_of("alpha beta gamma\ndelta\n\nx", 12) == [
        "alpha beta ",
        "gamma\n",
        "delta\n",
        "\n",
        "x",
    ]


def test_a_word_that_just_fits_keeps_its_line_and_the_space_hangs_over() -> None:
    assert lines_of("alpha betas gamma", 11) == ["alpha betas ", "gamma"]


def test_a_word_longer_than_a_line_is_divided() -> None:
    assert lines_of("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]


def test_wide_characters_take_two_cells() -> None:
    assert lines_of("漢字仮名交じり文", 11) == ["漢字仮名交", "じり文"]


def test_an_empty_text_has_one_empty_line() -> None:
    assert lines_of("", 10) == [""]


def test_offsets_are_kept_in_32_bits() -> None:
    starts = index_lines("some text", 10).starts
    assert (starts.typecode, starts.itemsize) == ("i", 4)


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.integers(10, 60))
def test_every_character_is_on_a_line_and_every_line_fits(text: str, width: int) -> None:
    found = lines_of(text, width)
    assert "".join(found) == text
    index = index_lines(text, width)
    for line in range(len(index)):
        start, end = index.span(line)
        assert text[start:end].find("\n") in (-1, end - start - 1)
        stop = content_end(text, start, end)
        after, cells = fill(text, start, stop, width)
        assert cells <= min(width, index.widest)
        assert after == stop or (after == stop - 1 and text[after] == " ")


@settings(max_examples=50, deadline=None)
@given(TEXTS, st.integers(0, 400))
def test_the_line_of_an_offset_holds_it(text: str, offset: int) -> None:
    index = index_lines(text, 20)
    if offset < len(text):
        start, end = index.span(index.line_of(offset))
        assert start <= offset < end


@settings(max_examples=50, deadline=None)
@given(TEXTS, st.integers(0, 400), st.integers(0, 200))
def test_a_part_of_the_index_agrees_with_the_whole(text: str, offset: int, length: int) -> None:
    begin = line_begin(text, min(offset, len(text)))
    whole = index_lines(text, 20)
    part = index_lines(text, 20, begin, length)
    first = whole.line_of(begin)
    if begin < len(text):
        assert list(part.starts) == list(whole.starts[first : first + len(part)])
        assert part.end >= min(begin + length, len(text))
