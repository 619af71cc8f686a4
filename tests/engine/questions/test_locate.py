"""Finding a passage: verbatim, white space apart, or nearly."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from chunkbench_engine.questions.locate import Located

TEXT = (
    "The President shall be Commander in Chief of the Army and Navy of the\r\n"
    "United States, and of the Militia of the several States, when called into the\r\n"
    "actual Service of the United States; he may require the Opinion, in writing, of\r\n"
    "the principal Officer in each of the executive Departments (Sundays excepted).\r\n"
)


@settings(max_examples=100, deadline=None)
@given(st.text("ab \n\t", min_size=1), st.data())
def test_a_passage_is_found_whatever_its_white_space(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    passage = text[start:end]
    assume(passage.strip())
    rewritten = "  ".join(passage.split())
    spans = Located(text).find(rewritten)
    assert spans
    for found_start, found_end in spans:
        assert text[found_start:found_end].split() == passage.split()
        assert text[found_start:found_end].strip() == text[found_start:found_end]


def test_verbatim_occurrences_go_before_those_with_other_white_space() -> None:
    located = Located("one two\none\ntwo")
    assert located.find("one two") == [(0, 7)]
    assert located.find("one  two") == [(0, 7), (8, 15)]
    assert located.find("three") == []
    assert located.find(" \n") == []


def test_overlapping_occurrences_all_count() -> None:
    assert Located("aaaa").find("aaa") == [(0, 3), (1, 4)]


@pytest.mark.parametrize(
    ("wanted", "nearest"),
    [
        (
            "the president shall be commander-in-chief of the army",
            "The President shall be Commander in Chief of the Army",
        ),
        (
            "and of the Militias of the several States when called",
            "and of the Militia of the several States, when called",
        ),
        (
            "he may require the written Opinion of the principal Officer in each Department",
            "he may require the Opinion, in writing, of\r\n"
            "the principal Officer in each of the executive Departments",
        ),
        ("executive Department (Sundays exempted)", "executive Departments (Sundays excepted)"),
        ("The weather in Lisbon is mild all the year round", ""),
        ("", ""),
        ("...", ""),
    ],
)
def test_what_is_nearly_there_is_offered_verbatim(wanted: str, nearest: str) -> None:
    located = Located(TEXT)
    assert located.nearest(wanted) == nearest
    assert nearest in TEXT


def test_text_without_spaces_between_words_is_aligned_too() -> None:
    located = Located(
        "第一条为了保护公民的权利。第二条任何组织不得侵犯公民的人身自由。第三条附则。"
    )
    assert located.nearest("任何组织都不得侵犯公民人身自由") == "任何组织不得侵犯公民的人身自由"


def test_a_long_passage_is_found_by_its_two_ends() -> None:
    words = [f"{number}th" for number in range(3000)]
    located = Located(" ".join(words))
    wanted = words[500:1200]
    wanted[10] = "typo"
    wanted[350] = "another"
    wanted[-2] = "slip"
    assert located.nearest(" ".join(wanted)) == " ".join(words[500:1200])


@settings(max_examples=60, deadline=None)
@given(st.text("abc .,(\n", max_size=80), st.text("abc .,(\n", max_size=30))
def test_whatever_is_offered_is_verbatim(text: str, wanted: str) -> None:
    assert Located(text).nearest(wanted) in text
