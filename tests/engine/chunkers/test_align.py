"""Strings that a chunker returned are found in the text they were made from."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.chunkers.align import Alignment

from .any_text import texts


def place(text: str, *chunks: str) -> list[tuple[int, int] | None]:
    alignment = Alignment(text, chunks)
    return [alignment.place(chunk) for chunk in chunks]


def test_chunks_that_tile_the_text_lie_one_behind_the_other() -> None:
    assert place("one two three", "one ", "two ", "three") == [(0, 4), (4, 8), (8, 13)]


def test_what_was_stripped_is_found_behind_the_white_space() -> None:
    assert place("one.\n\n  two.\n", "one.", "two.") == [(0, 4), (8, 12)]


def test_overlapping_chunks_are_found_before_the_end_of_the_previous() -> None:
    assert place("a b c d e", "a b c", "c d", "d e") == [(0, 5), (4, 7), (6, 9)]


def test_repeated_text_is_taken_in_its_order() -> None:
    assert place("Yes. No. Yes. No.", "Yes.", "No.", "Yes.", "No.") == [
        (0, 4), (5, 8), (9, 13), (14, 17)
    ]  # fmt: skip


def test_a_word_that_the_previous_chunk_holds_too_is_its_next_occurrence() -> None:
    assert place("the cat and the dog; the end", "the cat and the dog;", "the end") == [
        (0, 20), (21, 28)
    ]  # fmt: skip


def test_a_word_with_which_the_previous_chunk_ends_is_the_one_behind_it() -> None:
    chunks = ("say it once, once", "once", "once", "more")
    assert place("say it once, once once once more", *chunks) == [
        (0, 17), (18, 22), (23, 27), (28, 32)
    ]  # fmt: skip


def test_changed_white_space_does_not_matter() -> None:
    text = "A line\nand  another\tone.\r\n\r\nNext."
    assert place(text, "A line and another one.", "Next.") == [(0, 24), (28, 33)]


def test_white_space_that_was_changed_close_by_goes_before_the_exact_words_farther_on() -> None:
    text = "Article\n1 says so. Article 1 again."
    assert place(text, "Article 1", "says so.", "Article 1") == [(0, 9), (10, 18), (19, 28)]


def test_a_chunk_that_is_not_in_the_text_has_no_place_and_those_after_it_have_theirs() -> None:
    assert place("one two three", "one", "Two!", "three") == [(0, 3), None, (8, 13)]


def test_a_chunk_of_white_space_has_no_place() -> None:
    assert place("a \n b", "a", " \n ", "", "b") == [(0, 1), None, None, (4, 5)]


def test_a_chunk_may_hold_its_successors() -> None:
    assert place("ab cd ef gh", "ab cd", "ab", "cd", "ef gh", "ef", "gh") == [
        (0, 5), (0, 2), (3, 5), (6, 11), (6, 8), (9, 11)
    ]  # fmt: skip


def test_chunks_may_come_in_an_order_of_their_own() -> None:
    text = "".join(f"Sentence number {i} of many. " for i in range(1_000))
    late, early = "Sentence number 900 of many.", "Sentence number 3 of many."
    chunks = (late, early, "Sentence number 4 of many.")
    starts = [text.index(chunk) for chunk in chunks]
    assert place(text, *chunks) == [
        (start, start + len(chunk)) for start, chunk in zip(starts, chunks, strict=True)
    ]


def test_text_that_was_dropped_in_between_is_passed_over_however_long() -> None:
    text = "Start here. " + "filler words " * 5_000 + "And end at this place."
    assert place(text, "Start here.", "And end at this place.")[1] == (len(text) - 22, len(text))


def test_one_stray_match_far_off_does_not_lose_the_chunks_behind_it() -> None:
    rows = [f"Row {i} of the table has its own words." for i in range(300)]
    stray = "A heading that returns later."
    text = "\n".join([*rows, stray])
    chunks = [*rows[:10], stray, *rows[10:20]]
    placed = place(text, *chunks)
    assert placed[11:] == [(text.index(row), text.index(row) + len(row)) for row in rows[10:20]]


@given(texts, st.integers(1, 50), st.integers(0, 20))
@settings(max_examples=100, deadline=None)
def test_every_slice_of_any_text_is_found_as_it_is(text: str, size: int, overlap: int) -> None:
    step = max(1, size - overlap)
    chunks = [text[start : start + size] for start in range(0, len(text), step)]
    for chunk, span in zip(chunks, place(text, *chunks), strict=True):
        if not chunk.strip():
            assert span is None
        else:
            assert span is not None
            assert "".join(text[slice(*span)].split()) == "".join(chunk.split())


@given(texts, st.integers(1, 60))
@settings(max_examples=100, deadline=None)
def test_windows_without_overlap_are_found_where_they_were_cut(text: str, size: int) -> None:
    spans = [(at, min(at + size, len(text))) for at in range(0, len(text), size)]
    chunks = [text[slice(*span)] for span in spans]
    if all(chunk.strip() for chunk in chunks):
        assert place(text, *chunks) == spans


@given(st.lists(st.text("ab .\n", min_size=1, max_size=12), max_size=30))
@settings(max_examples=100, deadline=None)
def test_only_what_is_in_the_text_gets_a_place(chunks: list[str]) -> None:
    text = "ab a.\nb ab. " * 20
    bare = "".join(text.split())
    for chunk, span in zip(chunks, place(text, *chunks), strict=True):
        wanted = "".join(chunk.split())
        if span is None:
            assert not wanted or wanted not in bare
        else:
            assert "".join(text[slice(*span)].split()) == wanted


@pytest.mark.parametrize("overlap", [0, 10])
def test_text_that_repeats_itself_is_covered_to_its_end(overlap: int) -> None:
    text = "ab " * 3_000
    chunks = [text[at : at + 100].strip() for at in range(0, len(text) - overlap, 100 - overlap)]
    spans = [span for span in place(text, *chunks) if span]
    assert len(spans) == len(chunks)
    assert spans[-1][1] == len(text.rstrip())
