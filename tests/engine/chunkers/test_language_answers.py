"""What a language model's answers are read as, and which of them are refused."""

from __future__ import annotations

import json
import math
import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.chunkers.answers import (
    read_beginnings,
    read_likelihoods,
    read_line,
    unanswered,
)
from chunkbench_engine.language.answer import Answer, AnswerToken, Unusable


def said(text: str) -> Answer:
    return Answer(text, (), 0.0)


def weighed(text: str, chances: dict[str, dict[str, float]], split: str = r"\d|\D+") -> Answer:
    """With log-probabilities: of the tokens named the chances given, of the others certainty."""
    tokens = tuple(
        AnswerToken(
            token, {other: math.log(p) for other, p in chances.get(token, {token: 1.0}).items()}
        )
        for token in re.findall(split, text)
    )
    return Answer(text, tokens, 0.0)


def test_without_log_probabilities_the_digits_said_are_ninths() -> None:
    answer = said('{"1-2": 0, "2-3": 9, "3-4": 3}')
    assert read_likelihoods(answer, 4) == [0, 1, pytest.approx(1 / 3)]


def test_the_order_of_the_pairs_does_not_matter() -> None:
    assert read_likelihoods(said('{"2-3": 9, "1-2": 0}'), 3) == [0, 1]


def test_with_log_probabilities_it_is_the_mean_of_the_digits_that_might_be_said() -> None:
    answer = weighed('{"1-2": 7}', {"7": {"7": 0.6, "8": 0.2, "0": 0.2}})
    assert read_likelihoods(answer, 2) == [pytest.approx((7 * 0.6 + 8 * 0.2) / 9)]


def test_alternatives_that_are_no_digits_do_not_weigh() -> None:
    answer = weighed('{"1-2": 7}', {"7": {"7": 0.3, " 1": 0.1, "null": 0.5, "70": 0.1}})
    assert read_likelihoods(answer, 2) == [pytest.approx((7 * 0.3 + 1 * 0.1) / 0.4 / 9)]


def test_a_digit_that_shares_its_token_counts_as_it_was_said() -> None:
    chances = {"7}": {"7}": 0.5, "9": 0.5}}
    answer = weighed('{"1-2": 7}', chances, r"7}|\d|[^\d7]+")
    assert read_likelihoods(answer, 2) == [pytest.approx(7 / 9)]


def test_log_probabilities_of_another_text_are_left_aside() -> None:
    other = weighed('{"1-2": 0}', {"0": {"0": 0.5, "9": 0.5}})
    answer = Answer('{"1-2": 7}', other.tokens, 0.0)
    assert read_likelihoods(answer, 2) == [pytest.approx(7 / 9)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I would say 7.", "it is not valid JSON, or was not finished"),
        ('{"1-2": 3, "2-', "it is not valid JSON, or was not finished"),
        ("", "it is not valid JSON, or was not finished"),
        ("[" * 100_000, "it is not valid JSON, or was not finished"),
        ("[1, 2]", "it is not a JSON object"),
        ('{"1-2": 1, "2-3": 1, "3-4": 1}', "it names pairs that there are not: 3-4"),
        ('{"1-2": 1}', "it leaves out pairs: 2-3"),
        ('{"1-2": 1, "1-2": 2, "2-3": 1}', "it has a name twice"),
        ('{"1-2": 10, "2-3": 1}', "the number of 1-2 is not a digit from 0 to 9"),
        ('{"1-2": -1, "2-3": 1}', "the number of 1-2 is not a digit from 0 to 9"),
        ('{"1-2": 0.5, "2-3": 1}', "the number of 1-2 is not a digit from 0 to 9"),
        ('{"1-2": true, "2-3": 1}', "the number of 1-2 is not a digit from 0 to 9"),
        ('{"1-2": 1, "2-3": "1"}', "the number of 2-3 is not a digit from 0 to 9"),
    ],
)
def test_likelihoods_that_cannot_be_meant_are_refused(text: str, reason: str) -> None:
    with pytest.raises(Unusable, match=reason):
        read_likelihoods(said(text), 3)


def test_beginnings_are_ordered_and_named_once_and_the_first_is_none() -> None:
    assert read_beginnings(said('{"begins": [5, 3, 3, 1]}'), 5) == [3, 5]
    assert read_beginnings(said('{"begins": []}'), 5) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"begins": [2, 6]}', "it names sentences that there are not: 6"),
        ('{"begins": [0]}', "it names sentences that there are not: 0"),
        ('{"begins": [2.5]}', "it is not of the form"),
        ('{"begins": [true]}', "it is not of the form"),
        ('{"begins": 2}', "it is not of the form"),
        ('{"starts": [2]}', "it is not of the form"),
        ("2, 3", "it is not valid JSON"),
    ],
)
def test_beginnings_that_cannot_be_meant_are_refused(text: str, reason: str) -> None:
    with pytest.raises(Unusable, match=reason):
        read_beginnings(said(text), 5)


def test_a_line_is_one_line() -> None:
    assert read_line(said('{"context": " From the\\nmenu.  "}'), 20) == "From the menu."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"context": " \\n"}', "it is not of the form"),
        ('{"context": 3}', "it is not of the form"),
        ('{"line": "x"}', "it is not of the form"),
        ('{"context": "' + "x" * 21 + '"}', "it is too long"),
    ],
)
def test_a_line_that_is_none_or_too_long_is_refused(text: str, reason: str) -> None:
    with pytest.raises(Unusable, match=reason):
        read_line(said(text), 20)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["1-2", "2-3", "begins", "context", "x"]), inner)
    ),
    max_leaves=8,
)


@given(st.text(max_size=40) | _json.map(json.dumps))
@settings(max_examples=100, deadline=None)
def test_any_answer_is_read_within_its_range_or_refused(text: str) -> None:
    with suppress(Unusable):
        assert all(0 <= likelihood <= 1 for likelihood in read_likelihoods(said(text), 3))
    with suppress(Unusable):
        assert set(read_beginnings(said(text), 3)) <= {2, 3}
    with suppress(Unusable):
        line = read_line(said(text), 20)
        assert 0 < len(line) <= 20
        assert line.splitlines() == [line]


def test_what_got_no_answer_is_said_in_a_sentence_and_nothing_otherwise() -> None:
    counts = {"LBDC windows": 120, "LBDC windows_unanswered": 3, "CTX contexts": 7}
    assert unanswered(counts, "LBDC windows", "no boundary there") == [
        "3 of 120 windows got no usable answer: no boundary there"
    ]
    assert unanswered(counts, "CTX contexts", "none") == []
    assert unanswered({}, "LSTC windows", "none") == []
