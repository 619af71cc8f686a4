"""Where the caret goes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_tui.document import motions
from chunkbench_tui.document.cells import cells_before, pieces
from chunkbench_tui.document.motions import (
    grapheme_begin,
    grapheme_end,
    next_paragraph,
    next_sentence,
    next_word,
    paragraph_before,
    sentence_at,
    sentence_before,
    word_before,
)

TEXT = 'One two. "Three?" he said!\r\n\r\nNew part, no end\n\n核が。膜も。 Last e\u0301nd.\n'


def at(text: str) -> int:
    return TEXT.index(text)


def test_words_are_gone_through_forwards_and_back() -> None:
    assert next_word(TEXT, 0) == at("two")
    assert next_word(TEXT, at("two") + 1) == at("Three")
    assert next_word(TEXT, at("核")) == at("核") + 1, "each of these is a word"
    assert word_before(TEXT, at("Three")) == at("two")
    assert word_before(TEXT, at("Three") + 2) == at("Three")
    assert word_before(TEXT, 0) == 0


def test_sentences_end_with_their_marks_quotes_and_at_blank_lines() -> None:
    sentences = []
    place = 0
    while not sentences or place > sentences[-1][0]:
        sentences.append(sentence_at(TEXT, place))
        place = next_sentence(TEXT, place)
        if place == len(TEXT) - 1:
            break
    assert [TEXT[a:b] for a, b in sentences] == [
        "One two.",
        '"Three?"',
        "he said!",
        "New part, no end",
        "核が。",
        "膜も。",
        "Last e\u0301nd.",
    ]
    assert sentence_before(TEXT, at("he said")) == at('"Three')
    assert sentence_before(TEXT, at("said")) == at("he said")
    assert sentence_before(TEXT, 0) == 0


def test_paragraphs_are_gone_through() -> None:
    assert next_paragraph(TEXT, 0) == at("New")
    assert next_paragraph(TEXT, at("New")) == at("核")
    assert paragraph_before(TEXT, at("核")) == at("New")
    assert paragraph_before(TEXT, at("part")) == at("New")


def test_a_letter_with_its_mark_and_a_line_end_are_one_step() -> None:
    marked = at("e\u0301")
    assert grapheme_end(TEXT, marked) == marked + 2
    assert grapheme_begin(TEXT, marked + 2) == marked
    assert TEXT[at("\r\n") : grapheme_end(TEXT, at("\r\n"))] == "\r\n"


def test_cells_before_a_place_count_wide_characters_as_two() -> None:
    start, stop = at("核"), at(" Last")
    assert cells_before(TEXT, start, stop, start) == 0
    assert cells_before(TEXT, start, stop, start + 2) == 4


_TEXT = st.text(st.sampled_from("ab .!\n\r\t核。é\u0301\u200d😀\x1b"), min_size=1, max_size=40)


@settings(max_examples=60, deadline=None)
@given(_TEXT, st.data())
def test_every_motion_stays_in_the_text_and_goes_its_way(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text) - 1))
    assert grapheme_begin(text, offset) <= offset < grapheme_end(text, offset) <= len(text)
    for name in ("next_word", "next_sentence", "next_paragraph"):
        assert offset <= getattr(motions, name)(text, offset) < len(text), name
    for name in ("word_before", "sentence_before", "paragraph_before"):
        assert 0 <= getattr(motions, name)(text, offset) <= offset, name
    start, end = sentence_at(text, offset)
    assert 0 <= start <= end <= len(text)
    line = text.split("\n")[0]
    for piece in pieces(line, 0, len(line), 1_000):
        before = cells_before(line, 0, len(line), piece.start)
        assert cells_before(line, 0, len(line), piece.end) == before + piece.cells
