"""Sentences, from one segmenter that all strategies share."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from chunkbench_engine.annotate.paragraphs import trim

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chunkbench_engine.chunkers.chunk import Span

# Chinese and Japanese sentence ends, with the closing quotes and brackets that follow them
_IDEOGRAPHIC_END = re.compile(r"""[。！？]+["'”’」』）〉》】)\]]*""")
# nupunkt takes quadratic time on text that is nothing but marks, so it is given this much at once
_WINDOW = 4_000


def split_sentences(text: str, paragraphs: Sequence[Span]) -> list[Span]:
    """Sentences of each paragraph: spans, trimmed, none empty, none across a blank line.

    nupunkt finds the ends of Latin-script sentences; `。！？` end one too. Every character of a
    paragraph that is no white space lies in exactly one sentence.
    """
    spans = []
    for start, end in paragraphs:
        ends = {*_punkt_ends(text, start, end), end}
        ends.update(match.end() for match in _IDEOGRAPHIC_END.finditer(text, start, end))
        left = start
        for right in sorted(ends):
            sentence = trim(text, left, right)
            if sentence[0] < sentence[1]:
                spans.append(sentence)
            left = right
    return spans


@cache
def load_segmenter() -> Callable[[str], list[Span]]:
    """nupunkt's function from a text to the spans of its sentences; loaded once."""
    from nupunkt import sent_spans

    sent_spans("Its model is read at the first call.")
    segment: Callable[[str], list[Span]] = sent_spans
    return segment


def _punkt_ends(text: str, start: int, end: int) -> list[int]:
    """Ends of nupunkt's sentences in a paragraph.

    A long paragraph is read through a window that moves on from the last sentence begun in it;
    where a window holds no end at all, it moves on from the last white space.
    """
    sent_spans = load_segmenter()
    ends: list[int] = []
    while start < end:
        stop = min(start + _WINDOW, end)
        found = [start + b for _, b in sent_spans(text[start:stop])]
        if stop == end:
            return ends + found
        if len(found) > 1:
            ends += found[:-1]
            start = found[-2]
        else:
            space = max(text.rfind(mark, start + 1, stop) for mark in " \n\t")
            start = space if space > start else stop
    return ends
