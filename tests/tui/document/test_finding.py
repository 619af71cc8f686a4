"""Finding words in a document."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_tui.document import finding
from chunkbench_tui.document.finding import places_of


def found(text: str, words: str) -> list[str]:
    places = places_of(text, words)
    return [text[a:b] for a, b in zip(places.starts, places.ends, strict=True)]


def test_words_are_found_across_the_end_of_a_line_and_in_any_case() -> None:
    assert found("The\n  Court. the court", "the court") == ["The\n  Court", "the court"]
    assert found("The court, the court", "The court") == ["The court"]
    assert found("a.b a+b", "a.b") == ["a.b"]
    assert found("anything", "  ") == []


@given(st.text("ab \n", max_size=60), st.text("ab", min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_every_place_is_one_that_counting_finds(text: str, word: str) -> None:
    assert len(found(text, word)) == text.count(word)


def test_a_place_over_the_edge_of_a_step_is_found_once() -> None:
    for shift in range(5):
        text = "x" * (finding._STEP - 3 + shift) + "word" + "x" * 50
        assert list(places_of(text, "word").starts) == [finding._STEP - 3 + shift]
