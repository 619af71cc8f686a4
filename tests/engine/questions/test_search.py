"""Evidence is found by the question's distinctive words in the raw text."""

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.documents.document import Document
from chunkbench_engine.questions.search import SentenceSearch

TERMS = Document(
    "terms.md",
    "# How long is the term of a Senator?\n\n"
    "The House is chosen every second Year. Its Members sit in the Capitol.\n\n"
    "The Senate has two Senators from each State. They serve for six Years.\n\n"
    "The Capitol stands on a hill. The hill has trees, and the trees have leaves.\n",
)
CELLS = Document("cells.txt", "細胞は膜を持つ。核は細胞の中にある。\n\nMitochondria make ATP.\n")


def test_the_sentence_with_the_rarest_of_the_questions_words_comes_first() -> None:
    found = SentenceSearch([TERMS, CELLS]).search("Which State sends Senators?")
    first = found[0]
    assert first.document == "terms.md"
    assert TERMS.text[first.start : first.end] == "The Senate has two Senators from each State."
    assert first.line == 5
    assert TERMS.text[slice(*first.paragraph)].endswith("six Years.")
    assert set(first.words) == {"State", "Senators"}
    assert 0 < first.score <= 1


def test_words_of_its_paragraph_count_for_a_sentence_that_has_one_itself() -> None:
    found = SentenceSearch([TERMS]).search("How many Years does a Senator serve?")
    best = TERMS.text[found[0].start : found[0].end]
    assert best == "They serve for six Years."


def test_a_heading_is_not_offered() -> None:
    offered = SentenceSearch([TERMS]).search("How long is the term of a Senator?", 50)
    assert offered
    assert all(candidate.start > 0 for candidate in offered)


def test_text_without_spaces_is_searched_too() -> None:
    found = SentenceSearch([TERMS, CELLS]).search("核はどこにあるか")
    assert CELLS.text[found[0].start : found[0].end] == "核は細胞の中にある。"


def test_a_question_that_shares_no_word_has_no_candidate() -> None:
    assert SentenceSearch([TERMS]).search("Quantum chromodynamics?") == []
    assert SentenceSearch([TERMS]).search("") == []
    assert SentenceSearch([Document("a", "...")]).search("Anything?") == []


_WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta", "。", ".", "\n\n", "核", "\x1b[1m"])


@settings(max_examples=40, deadline=None)
@given(st.lists(_WORDS, max_size=60).map(" ".join), st.lists(_WORDS, max_size=5).map(" ".join))
def test_every_candidate_is_verbatim_and_shares_a_word_with_the_question(
    text: str, question: str
) -> None:
    found = SentenceSearch([Document("a", text)]).search(question, 5)
    assert len(found) <= 5
    assert [candidate.score for candidate in found] == sorted(
        (candidate.score for candidate in found), reverse=True
    )
    for candidate in found:
        passage = text[candidate.start : candidate.end]
        assert passage == passage.strip() != ""
        assert candidate.words
        assert all(word in passage for word in candidate.words)
        assert candidate.paragraph[0] <= candidate.start < candidate.end <= candidate.paragraph[1]
