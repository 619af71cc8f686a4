"""An excerpt shows the document's own text, cut where the strategy cut it."""

from __future__ import annotations

import html
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_tui.html.excerpt import excerpt, whole, window

SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 30)), max_size=8).map(
    lambda pairs: sorted((start, start + size) for start, size in pairs)
)


def text_of(page: str) -> str:
    without_marks = re.sub(r'<b class="cut">\d+</b>', "", page)
    return html.unescape(re.sub(r"<[^>]*>", "", without_marks))


@settings(max_examples=60, deadline=None)
@given(st.text("ab <&'\"\n", min_size=10, max_size=80), SPANS, SPANS)
def test_the_text_is_the_documents(
    text: str, chunks: list[tuple[int, int]], evidence: list[tuple[int, int]]
) -> None:
    page = excerpt(text, (2, len(text)), chunks, evidence)
    assert text_of(page) == text[2:]


def test_each_chunk_begins_with_its_number_and_overlap_is_marked() -> None:
    page = excerpt("abcdefgh", (0, 8), [(0, 4), (3, 6)], [(4, 5)])
    assert page == (
        '<b class="cut">1</b><span class="even">abc</span>'
        '<b class="cut">2</b><span class="shared">d</span>'
        '<span class="odd evidence">e</span><span class="odd">f</span>'
        '<span class="none">gh</span>'
    )


def test_control_characters_and_markup_are_shown_not_obeyed() -> None:
    page = excerpt("<script>\x1b[31m\u202e", (0, 14), [(0, 14)], [])
    assert "<script>" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "&lt;script&gt;\\x1b[31m\\u202e" in page


@settings(max_examples=60, deadline=None)
@given(SPANS, st.integers(0, 60), st.integers(1, 20))
def test_a_passage_is_whole_where_some_chunk_holds_all_of_it(
    chunks: list[tuple[int, int]], start: int, size: int
) -> None:
    found = whole((start, start + size), chunks)
    holding = [at for at, (a, b) in enumerate(chunks) if a <= start and b >= start + size]
    assert found == (holding[0] if holding else None)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 9_000))
def test_the_stretch_shown_lies_in_the_document_and_begins_before_the_passage(
    start: int, size: int
) -> None:
    first, last = window(start, start + size, 20_000)
    assert 0 <= first <= start < last <= 20_000
