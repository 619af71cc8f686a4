"""Quantities as a person reads them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_tui.quantities import (
    bar,
    duration_text,
    megabytes_text,
    remaining_seconds,
    scale_top,
    sparkline,
)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (42.4, "42 s"),
        (180, "3 min"),
        (3599, "1 h"),
        (3900, "1 h 5 min"),
        (200_000, "2 days"),
    ],
)
def test_a_duration_is_in_the_unit_that_suits_it(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_megabytes_have_a_decimal_while_it_says_something() -> None:
    assert [megabytes_text(n * 1_000_000) for n in (0, 4.25, 99.96, 2345)] == [
        "0.0",
        "4.2",
        "100",
        "2,345",
    ]


def test_the_rest_takes_as_long_as_the_pace_so_far_says() -> None:
    assert remaining_seconds(0.25, 10) == 30


@pytest.mark.parametrize(("fraction", "seconds"), [(0, 10), (1, 10), (0.5, 0)])
def test_nothing_is_said_of_what_has_not_begun_or_is_done(fraction: float, seconds: float) -> None:
    assert remaining_seconds(fraction, seconds) is None


@given(st.floats(0, 1e9))
@settings(max_examples=100, deadline=None)
def test_a_scale_ends_at_or_just_above_the_largest_value(largest: float) -> None:
    top = scale_top(largest)
    assert top >= largest
    assert top == 1 or top <= 2.5 * largest


@given(st.floats(-1, 2), st.integers(0, 60))
@settings(max_examples=100, deadline=None)
def test_a_bar_is_as_wide_as_asked(fraction: float, width: int) -> None:
    assert len(bar(fraction, width)) == width


def test_a_bar_reads_without_colour() -> None:
    assert bar(0.5, 4) == "██░░"


def test_a_curve_keeps_its_peaks_and_its_scale() -> None:
    assert sparkline([0, 0, 0, 10, 0, 0], 3, 10) == "▁█▁"
    assert sparkline([5, 5], 2, 10) == "▅▅"
    assert sparkline([], 10, 1) == ""
