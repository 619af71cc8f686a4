"""Of a line only what changed is painted."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from chunkbench_tui.widgets.changes import changed_region

WORDS = st.lists(
    st.sampled_from(("ab", "c", "漢字", "e\u0301", "👨\u200d👩\u200d👧", "\u0301", "█░", ""))
)
STYLES = (Style(), Style(bold=True))


def strip(*parts: tuple[str, int]) -> Strip:
    return Strip([Segment(text, STYLES[style]) for text, style in parts])


def test_only_the_words_that_changed_are_painted() -> None:
    before, after = strip(("ab  12 s left", 0)), strip(("ab  13 s left", 0))
    region = changed_region(before, after, 4)
    assert region is not None
    assert (region.x, region.y, region.width, region.height) == (4, 4, 2, 1)


def test_a_line_that_is_as_it_was_is_not_painted() -> None:
    assert changed_region(strip(("a b", 0)), strip(("a ", 0), ("b", 0)), 0) is None


def test_another_style_of_the_same_text_is_painted() -> None:
    region = changed_region(strip(("a b c", 0)), strip(("a ", 0), ("b", 1), (" c", 0)), 0)
    assert region is not None
    assert (region.x, region.width) == (2, 1)


def test_a_line_of_which_nothing_is_known_or_that_has_another_width_is_painted_whole() -> None:
    for before in (None, strip(("ab", 0))):
        region = changed_region(before, strip(("abc", 0)), 0)
        assert region is not None
        assert (region.x, region.width) == (0, 3)


@settings(max_examples=60, deadline=None)
@given(words=WORDS, others=WORDS, style=st.integers(0, 1))
def test_what_is_not_painted_is_the_same_before_and_after(
    words: list[str], others: list[str], style: int
) -> None:
    before = strip((" ".join(words), 0))
    after = strip((" ".join(others), style))
    width = max(before.cell_length, after.cell_length)
    before, after = (line.adjust_cell_length(width + 1) for line in (before, after))
    region = changed_region(before, after, 0)
    left, right = (width + 1, width + 1) if region is None else (region.x, region.right)
    for first, end in ((0, left), (right, width + 1)):
        there, wanted = before.crop(first, end).simplify(), after.crop(first, end).simplify()
        assert [part for part in there if part.text] == [part for part in wanted if part.text]
