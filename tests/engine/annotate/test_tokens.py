"""Tokens: `cl100k_base` over ordinary text, with edges between characters."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chunkbench_engine.annotate.tokens import load_tokenizer, tokenize

anything = st.text(st.characters(codec=None), max_size=200)


@given(anything)
@example("")
@example("<|endoftext|>")
@example("a\x00b\r\nc")
@example("\U0001f469\u200d\U0001f469\u200d\U0001f467 漢字")
@example("\ud83d\ude00 \ud800")
@settings(max_examples=200, deadline=None)
def test_edges_rise_from_the_start_to_the_end_of_any_text(text: str) -> None:
    edges = tokenize(text).edges.tolist()
    assert edges[0] == 0
    assert edges[-1] == len(text)
    assert edges == sorted(edges)


@given(st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_tokens_are_those_of_the_encoding_and_edges_are_at_or_before_their_bytes(text: str) -> None:
    encoding, _ = load_tokenizer()
    ids = encoding.encode_ordinary(text)
    tokens = tokenize(text)
    assert len(tokens) == len(ids)
    bytes_before = 0
    for index, value in enumerate(encoding.decode_tokens_bytes(ids)):
        before = len(text[: tokens.edge(index)].encode())
        assert before <= bytes_before < before + len(text[tokens.edge(index)].encode())
        bytes_before += len(value)


def test_special_tokens_are_ordinary_text() -> None:
    assert len(tokenize("<|endoftext|>")) == 7


def test_a_lone_surrogate_takes_the_place_of_one_character() -> None:
    assert tokenize("\ud800x").edges.tolist() == tokenize("\ufffdx").edges.tolist()


def test_a_character_of_several_tokens_is_held_by_all_of_them() -> None:
    text = "a\U0001f600b"
    tokens = tokenize(text)
    assert tokens.edges.tolist() == [0, 1, 1, 2, 3]
    assert tokens.count(0, 1) == 1
    assert tokens.count(1, 2) == 2
    assert tokens.count(0, 3) == 4


def test_a_token_that_a_span_cuts_counts_whole() -> None:
    text = "One extraordinary word"
    tokens = tokenize(text)
    assert tokens.count(5, 9) == 1
    assert tokens.count(2, 4) == 2
    assert tokens.count(4, 4) == 0


@given(anything, st.data())
@settings(max_examples=100, deadline=None)
def test_back_is_the_earliest_start_within_a_limit(text: str, data: st.DataObject) -> None:
    tokens = tokenize(text)
    end = data.draw(st.integers(0, len(text)))
    limit = data.draw(st.integers(0, 9))
    start = tokens.back(end, limit)
    assert tokens.count(start, end) <= limit
    assert start == 0 or tokens.count(start - 1, end) > limit


@pytest.mark.parametrize("text", ["x" * 300_000, " " * 1_200_000 + "x", "漢" * 300_000])
def test_a_very_long_run_is_tokenized(text: str) -> None:
    assert tokenize(text).edges[-1] == len(text)


def test_long_white_space_does_not_change_the_tokens_after_it() -> None:
    short, long = tokenize("x\n" + "word " * 9), tokenize(" " * 60_000 + "\n" + "word " * 9)
    assert (short.edges[-9:] + 59_999).tolist() == long.edges[-9:].tolist()
