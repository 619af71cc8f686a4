"""A Pareto plot in cells of text, and the scales of its axes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from chunkbench_tui.plots.axes import Axis, cost_axes, number_text
from chunkbench_tui.plots.points import Point
from chunkbench_tui.plots.scale import scale_of, tick_texts
from chunkbench_tui.plots.scatter import OFF_FRONTIER, ON_FRONTIER, SELECTED, draw_scatter

quick = settings(max_examples=30, deadline=None)
COST, QUALITY = Axis("index_bytes", "index size", "MB", 1e-6), Axis("nDCG@5", "nDCG@5")
HOSTILE = "[/]\x1b[31m漢字\u202e👨‍👩‍👧"


def point(config: int, label: str, x: float, y: float, *, member: bool = False) -> Point:
    return Point(config, label, x, y, None, None, member)


values = st.just(0.0) | st.floats(1e-6, 1e9)
scores = st.integers(0, 1000).map(lambda n: n / 1000)
drawn = st.lists(
    st.tuples(
        values,
        st.integers(0, 1000).map(lambda n: n / 1000),
        st.booleans(),
        st.sampled_from(["RC", "FC(x=1)", HOSTILE]),
    ),
    min_size=1,
    max_size=20,
).map(
    lambda found: [
        point(n, label, x, y, member=member) for n, (x, y, member, label) in enumerate(found)
    ]
)


@quick
@given(drawn, st.integers(30, 160), st.integers(8, 48))
def test_every_line_fills_the_width_and_nothing_raw_is_in_it(
    points: list[Point], width: int, height: int
) -> None:
    picture = draw_scatter(points, COST, QUALITY, width, height, points[0].config)
    assert len(picture.lines) == height
    for line in picture.lines:
        text = "".join(part for part, _ in line)
        assert cell_len(text) == width
        assert "\x1b" not in text
        assert "\u202e" not in text
    for x, y in picture.places.values():
        assert 0 <= x < width
        assert 0 <= y < height


@quick
@given(drawn)
def test_the_selected_point_is_seen_whatever_lies_on_it(points: list[Point]) -> None:
    picture = draw_scatter(points, COST, QUALITY, 80, 20, points[-1].config)
    text = "".join(part for line in picture.lines for part, _ in line)
    assert text.count(SELECTED) == 1


def test_the_frontier_is_full_and_joined_by_steps() -> None:
    points = [
        point(1, "cheap", 1, 0.2, member=True),
        point(2, "dear", 9, 0.8, member=True),
        point(3, "bad", 9, 0.3),
    ]
    picture = draw_scatter(points, COST, QUALITY, 60, 16, None)
    lines = ["".join(part for part, _ in line) for line in picture.lines]
    text = "\n".join(lines)
    assert (text.count(ON_FRONTIER), text.count(OFF_FRONTIER)) == (2, 1)
    (cheap_x, cheap_y), (dear_x, dear_y) = picture.places[1], picture.places[2]
    assert lines[cheap_y][dear_x] == "┘"
    assert lines[cheap_y][dear_x - 1] == "─"
    assert lines[dear_y + 1][dear_x] == "│"
    assert dear_y < cheap_y
    assert cheap_x < dear_x
    assert "index size, MB (less is better)" in text
    assert "nDCG@5 (more is better)" in text


@quick
@given(st.lists(values, min_size=1, max_size=20), st.booleans(), st.integers(2, 12))
def test_a_scale_holds_its_values_and_marks_round_numbers(
    found: list[float], logarithmic: bool, most: int
) -> None:
    scale = scale_of(found, may_be_logarithmic=logarithmic)
    assert all(-1e-9 <= scale.place(value) <= 1 + 1e-9 for value in found)
    ticks = scale.ticks(most)
    assert len(ticks) <= most + 1
    assert list(ticks) == sorted(ticks)
    assert len(set(tick_texts(ticks))) == len(ticks)
    assert all(-1e-6 <= scale.place(tick) <= 1 + 1e-6 for tick in ticks)


def test_costs_of_very_different_sizes_are_on_a_logarithmic_scale() -> None:
    scale = scale_of([0.01, 1.0, 40.0], may_be_logarithmic=True)
    assert scale.logarithmic
    assert tick_texts(scale.ticks(5)) == ["0.01", "0.1", "1", "10"]
    assert not scale_of([10.0, 20.0], may_be_logarithmic=True).logarithmic
    assert not scale_of([0.0, 20.0], may_be_logarithmic=True).logarithmic


def test_marks_at_an_axis_have_the_same_decimals() -> None:
    assert tick_texts(scale_of([0.21, 0.34]).ticks(8)) == [
        "0.22", "0.24", "0.26", "0.28", "0.30", "0.32", "0.34",
    ]  # fmt: skip
    assert tick_texts(scale_of([300.0, 2300.0]).ticks(5)) == ["500", "1,000", "1,500", "2,000"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(12345.6, "12,346"), (123.4, "123"), (12.34, "12.3"), (1.234, "1.23"), (0.01234, "0.0123"),
     (0.0, "0")],
)  # fmt: skip
def test_a_number_has_three_digits_that_count(value: float, text: str) -> None:
    assert number_text(value) == text


def test_the_four_costs_of_the_protocol_are_there() -> None:
    assert [axis.name for axis in cost_axes("5")] == [
        "index_bytes", "Latency-median", "cold_seconds", "Tokens@5",
    ]  # fmt: skip
