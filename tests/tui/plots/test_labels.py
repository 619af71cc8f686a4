"""Labels of a plot: what is written can be read."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_tui.plots.labels import Box, place_labels

quick = settings(max_examples=60, deadline=None)
AREA = Box(3, 1, 60, 18)
cells = st.tuples(st.integers(3, 62), st.integers(1, 18), st.integers(1, 26))
"""Column and row of a point, width of its label."""


@quick
@given(st.lists(cells, max_size=40))
def test_no_label_covers_another_or_a_point_or_leaves_the_plot(
    found: list[tuple[int, int, int]],
) -> None:
    marks = [Box(x, y, 1, 1) for x, y, _ in found]
    labels = place_labels(marks, [(width, 1) for _, _, width in found], AREA, 1)
    placed = [label for label in labels if label is not None]
    for one, other in itertools.combinations(placed, 2):
        assert not one.meets(other, 1)
    for label in placed:
        assert AREA.holds(label)
        assert not any(label.meets(mark) for mark in marks)


@quick
@given(st.lists(st.tuples(*[st.floats(0, 300)] * 3), max_size=25))
def test_the_same_in_pixels(found: list[tuple[float, float, float]]) -> None:
    area = Box(0, 0, 320, 320)
    marks = [Box(x, y, 10, 10) for x, y, _ in found]
    sizes = [(width + 1, 16.0) for _, _, width in found]
    placed = [label for label in place_labels(marks, sizes, area, 4) if label is not None]
    assert not any(one.meets(other, 4) for one, other in itertools.combinations(placed, 2))
    assert all(area.holds(label) for label in placed)


@quick
@given(cells)
def test_a_point_alone_is_named_beside_it_where_there_is_room(cell: tuple[int, int, int]) -> None:
    x, y, width = cell
    (label,) = place_labels([Box(x, y, 1, 1)], [(width, 1)], AREA, 1)
    assert label is not None
    if x + 2 + width <= AREA.x + AREA.width:
        assert (label.x, label.y) == (x + 2, y)


def test_the_first_points_are_named_first() -> None:
    crowd = [Box(30, 9, 1, 1)] * 30
    labels = place_labels(crowd, [(8, 1)] * 30, AREA, 1)
    named = [label is not None for label in labels]
    assert named[0]
    assert not named[-1]
    assert named == sorted(named, reverse=True)
