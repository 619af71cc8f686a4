"""A selected passage becomes evidence that the reader finds again."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.documents.corpus import Corpus
from chunkbench_engine.documents.document import Document
from chunkbench_engine.questions.check import check
from chunkbench_engine.questions.fields import raw_row
from chunkbench_engine.questions.question import Passage
from chunkbench_engine.questions.verbatim import evidence_fields, extended, occurrences, trimmed


def test_a_passage_that_occurs_once_is_written_by_its_text_alone() -> None:
    fields = evidence_fields("a.md", "one two three", 4, 7)
    assert fields == {"document": "a.md", "text": "two"}


def test_a_passage_that_occurs_twice_is_written_with_its_offsets_too() -> None:
    fields = evidence_fields("a.md", "two and two", 8, 11)
    assert fields == {"document": "a.md", "start": 8, "end": 11, "text": "two"}


def test_it_is_extended_by_words_until_it_occurs_once() -> None:
    text = "The term is six years.\nThe term is two years."
    start, end = extended(text, 0, 11) or (0, 0)
    assert text[start:end] == "The term is six"
    second = text.index("The", 1)
    start, end = extended(text, second, second + 8) or (0, 0)
    assert text[start:end] == "The term is two"


def test_what_is_the_same_everywhere_cannot_be_told_apart() -> None:
    text = "ha " * 5_000
    assert extended(text, 6_000, 6_002) is None


_TEXT = st.text(st.sampled_from("ab \n\t\r\x1b\x00核é\u0301\u2028\ufeff"), min_size=1, max_size=40)


@settings(max_examples=60, deadline=None)
@given(_TEXT, st.data())
def test_any_selection_is_accepted_by_the_check_and_found_where_it_was(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    start, end = trimmed(text, start, data.draw(st.integers(start + 1, len(text))))
    if start == end:
        assert not text[start:end].strip()
        return
    corpus = Corpus(Path("/"), "c", (Document("a.md", text),))
    evidence = evidence_fields("a.md", text, start, end)
    row = raw_row("q.jsonl", 1, "q", {"question": "What?", "evidence": [evidence]})
    questions, problems = check([row], corpus)
    assert problems == ()
    assert questions[0].evidence == ((Passage("a.md", start, end),),)


@settings(max_examples=60, deadline=None)
@given(st.text("ab \n", min_size=1, max_size=30), st.data())
def test_an_extension_holds_the_selection_and_occurs_once(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    found = extended(text, start, end)
    if found is not None:
        assert found[0] <= start < end <= found[1]
        assert len(occurrences(text, text[slice(*found)])) == 1
