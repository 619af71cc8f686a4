"""Where a caret goes in a document: by grapheme, word, sentence and paragraph."""

from __future__ import annotations

import re

from chunkbench_engine.questions.words import WORD
from chunkbench_tui.document.cells import WIDEST, pieces
from chunkbench_tui.document.lines import content_end, line_begin

_BACK = 4_000
"""Characters looked at before a place; in a longer sentence the caret goes this far."""

# Rough on purpose: a mark, closing quotes, white space. An abbreviation takes one more key.
_SENTENCE_END = re.compile(
    r"""[.!?…]["'”’)\]*_]*(?=\s)|[。！？]["'”’」』）〉》】)\]]*|\n[^\S\n]*(?=\r?\n)"""
)
_PARAGRAPH_END = re.compile(r"\n\s*\n")


def grapheme_end(text: str, offset: int) -> int:
    """The offset after the character, with its marks, that begins at an offset."""
    if offset >= len(text):
        return len(text)
    newline = text.find("\n", offset, offset + _BACK)
    stop = newline + 1 if newline >= 0 else min(offset + _BACK, len(text))
    stop = content_end(text, offset, stop)
    if stop == offset:  # a line end
        return newline + 1
    piece = next(pieces(text, offset, stop, WIDEST))
    return offset + 1 if piece.uniform else piece.end


def grapheme_begin(text: str, offset: int) -> int:
    """The offset at which the character before an offset begins."""
    place = line_begin(text, max(offset - 1, 0))
    while (end := grapheme_end(text, place)) < offset:
        place = end
    return place


def next_word(text: str, offset: int) -> int:
    """Where the next word begins; the last character of the text if there is none."""
    here = WORD.match(text, offset)
    match = WORD.search(text, offset if here is None else here.end())
    return match.start() if match is not None else max(len(text) - 1, 0)


def word_before(text: str, offset: int) -> int:
    """Where the word begins that an offset is in, or the one before it; 0 if there is none."""
    low = max(offset - _BACK, 0)
    starts = [match.start() for match in WORD.finditer(text, low, offset)]
    return starts[-1] if starts else low


def sentence_at(text: str, offset: int) -> tuple[int, int]:
    """The span of the sentence at an offset; of the next one if it is between two."""
    begin, end = _sentence(text, offset)
    return begin, begin + len(text[begin:end].rstrip())


def next_sentence(text: str, offset: int) -> int:
    """Where the next sentence begins; the last character of the text if there is none."""
    begin, _ = _sentence(text, _sentence(text, offset)[1])
    return begin if offset < begin < len(text) else max(len(text) - 1, 0)


def sentence_before(text: str, offset: int) -> int:
    """Where the sentence begins that an offset is in, or, at its beginning, the one before."""
    begin, _ = _sentence(text, offset)
    if begin < offset:
        return begin
    place = offset - 1
    while place > 0 and text[place].isspace():
        place -= 1
    return min(_sentence(text, max(place, 0))[0], offset)


def next_paragraph(text: str, offset: int) -> int:
    """Where the next paragraph begins; the last character of the text if there is none."""
    match = _PARAGRAPH_END.search(text, offset)
    return match.end() if match is not None and match.end() < len(text) else max(len(text) - 1, 0)


def paragraph_before(text: str, offset: int) -> int:
    """Where the paragraph begins that an offset is in, or, at its beginning, the one before."""
    low = max(offset - 10 * _BACK, 0)
    ends = [match.end() for match in _PARAGRAPH_END.finditer(text, low, offset)]
    before = [end for end in ends if end < offset]
    return before[-1] if before else low


def _sentence(text: str, offset: int) -> tuple[int, int]:
    """As `sentence_at`, with the white space that follows up to where the end was seen."""
    begin = max(offset - _BACK, 0)
    for match in _SENTENCE_END.finditer(text, begin):
        if match.end() > offset and text[begin : match.end()].strip():
            end = match.end()
            break
        begin = match.end()
    else:
        end = len(text)
    while begin < end and text[begin].isspace():
        begin += 1
    return begin, end
