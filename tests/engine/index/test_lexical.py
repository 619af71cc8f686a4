"""BM25, checked against its formula written down once more in plain Python."""

from __future__ import annotations

import math
import string
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkbench_engine.index.lexical import (
    LexicalBuilder,
    LexicalIndex,
    drop_lexical,
    open_lexical,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CATS = (
    "Cats purr. A cat that purrs sleeps; cats sleep a lot.",
    "Banks lend. Some banks fail.",
    "",
    "cats",
    "The Senate sits in the capital, and the senators sleep there.",
    "Cats!",
)


def index(folder: Path, texts: Sequence[str]) -> LexicalIndex:
    builder = LexicalBuilder()
    for first in range(0, len(texts), 2):
        builder.add(texts[first : first + 2])
    return builder.write(folder / "words")


def bm25(texts: Sequence[list[str]], question: list[str]) -> list[float]:
    mean = sum(map(len, texts)) / len(texts)
    scores = []
    for text in texts:
        score = 0.0
        for word in set(question):
            holding = sum(word in other for other in texts)
            idf = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
            tf = Counter(text)[word]
            score += idf * tf / (tf + 1.2 * (1 - 0.75 + 0.75 * len(text) / mean)) if tf else 0.0
        scores.append(score)
    return scores


@pytest.mark.parametrize(
    "question", ["cats", "Do cats sleep?", "the bank of the SENATE", "cat cat"]
)
def test_scores_are_the_formulas(question: str, tmp_path: Path) -> None:
    expected = bm25([words(text) for text in CATS], words(question))
    hits = index(tmp_path, CATS).search(question, 10)
    assert dict(hits) == pytest.approx(
        {ordinal: score for ordinal, score in enumerate(expected) if score}, abs=2e-6
    )
    assert hits == sorted(hits, key=lambda hit: (-hit[1], hit[0]))


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    texts=st.lists(st.lists(st.sampled_from("abcdef"), max_size=9), min_size=1, max_size=20),
    question=st.lists(st.sampled_from("abcdefg"), max_size=5),
    k=st.integers(1, 6),
)
def test_the_best_k_come_first_and_equal_ones_in_order(
    texts: list[list[str]], question: list[str], k: int, tmp_path: Path
) -> None:
    found = index(tmp_path, [" ".join(text) for text in texts])
    everything = found.search(" ".join(question), len(texts))
    expected = bm25(texts, question) if any(texts) else [0.0] * len(texts)
    assert len(everything) == sum(score > 0 for score in expected)
    for ordinal, score in everything:
        assert score == pytest.approx(expected[ordinal], abs=2e-6)
    assert everything == sorted(everything, key=lambda hit: (-hit[1], hit[0]))
    assert found.search(" ".join(question), k) == everything[:k]
    assert found.count() == len(texts)


def test_equal_chunks_are_in_document_order_also_at_the_cut(tmp_path: Path) -> None:
    found = index(tmp_path, ["other words", *["equal words"] * 9])
    assert [ordinal for ordinal, _ in found.search("equal", 4)] == [1, 2, 3, 4]
    assert len({score for _, score in found.search("equal", 9)}) == 1


def test_a_question_without_a_known_word_finds_nothing(tmp_path: Path) -> None:
    found = index(tmp_path, CATS)
    assert found.search("zebra", 5) == []
    assert found.search("?!", 5) == []
    assert found.search("", 5) == []


@pytest.mark.parametrize("texts", [[""], ["", "?!", " "]])
def test_chunks_without_a_word_are_an_index_that_finds_nothing(
    texts: list[str], tmp_path: Path
) -> None:
    found = index(tmp_path, texts)
    assert found.count() == len(texts)
    assert found.search("anything", 5) == []


def test_an_index_on_disk_answers_as_before(tmp_path: Path) -> None:
    found = index(tmp_path, [*CATS, "नमस्ते Straße \ud800 naïve"])
    again = open_lexical(tmp_path / "words")
    assert again is not None
    assert again.count() == found.count()
    assert again.size_bytes() == found.size_bytes()
    for question in ("Do cats sleep?", "STRASSE", "नमस्ते"):
        assert again.search(question, 10) == found.search(question, 10) != []


def test_an_index_that_was_not_written_to_the_end_is_none(tmp_path: Path) -> None:
    index(tmp_path, CATS)
    (tmp_path / "words").rename(tmp_path / "words.part")
    assert open_lexical(tmp_path / "words") is None
    assert index(tmp_path, CATS).count() == len(CATS)
    assert [path.name for path in tmp_path.iterdir()] == ["words"]
    drop_lexical(tmp_path / "words")
    drop_lexical(tmp_path / "words")
    assert open_lexical(tmp_path / "words") is None


def test_size_is_that_of_the_postings_and_the_words(tmp_path: Path) -> None:
    assert index(tmp_path, ["a bb a", "bb ccc é"]).size_bytes() == 5 * 8 + 1 + 2 + 3 + 2


def test_words_are_case_folded_and_whole() -> None:
    assert words("Don't STOP: naïve_name, 3.14!") == ["don", "t", "stop", "naïve_name", "3", "14"]
    assert words("Straße") == words("STRASSE")
    assert words("e\u0301cole ﬁn") == ["école", "fin"]
    assert words("नमस्ते दुनिया") == ["नमस्ते", "दुनिया"]
    assert words("the running runs") == ["the", "running", "runs"], "no stemming, no stop words"


@settings(max_examples=50, deadline=None)
@given(text=st.text(alphabet=string.printable + "éßﬁ\ud800\u0301日"))
def test_words_do_not_depend_on_what_stands_between_them(text: str) -> None:
    assert words(" ".join(words(text))) == words(text)
