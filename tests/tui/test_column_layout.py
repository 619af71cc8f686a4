"""Columns fit, and none is lost."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_tui.widgets.column_layout import Heading, pages_of, widths_of

HEADINGS = st.lists(
    st.builds(
        Heading,
        key=st.just("k"),
        title=st.just("t"),
        width=st.integers(1, 12),
        wanted=st.integers(0, 40),
        weight=st.integers(0, 4),
    ),
    min_size=1,
    max_size=10,
)


@given(HEADINGS, st.integers(0, 150))
@settings(max_examples=100, deadline=None)
def test_every_column_is_on_some_page_and_the_fixed_ones_on_all(
    headings: list[Heading], width: int
) -> None:
    pages = pages_of(headings, width)
    fixed = {index for index, heading in enumerate(headings) if heading.weight == 0}
    assert set().union(*pages) == set(range(len(headings)))
    assert all(fixed <= set(page) for page in pages)
    assert all(list(page) == sorted(page) for page in pages)


@given(HEADINGS, st.integers(0, 150))
@settings(max_examples=100, deadline=None)
def test_a_page_is_wider_than_the_table_only_where_one_more_column_must_be(
    headings: list[Heading], width: int
) -> None:
    for page in pages_of(headings, width):
        used = sum(headings[index].width for index in page) + len(page) - 1
        free = [index for index in page if headings[index].weight]
        assert used <= width or len(free) <= 1


@given(HEADINGS, st.integers(0, 150))
@settings(max_examples=100, deadline=None)
def test_columns_grow_to_what_they_want_and_no_further(headings: list[Heading], width: int) -> None:
    widths = widths_of(headings, width)
    for heading, wide in zip(headings, widths, strict=True):
        assert heading.width <= wide <= max(heading.width, heading.wanted)
    least = sum(heading.width for heading in headings) + len(headings) - 1
    assert sum(widths) + len(widths) - 1 <= max(width, least)


def test_lighter_columns_are_on_the_first_page() -> None:
    headings = [
        Heading("a", "a", 5),
        Heading("b", "b", 5, weight=2),
        Heading("c", "c", 5, weight=1),
    ]
    assert pages_of(headings, 11) == ((0, 2), (0, 1))
