"""From the lines of printed pages back to paragraphs."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_EDGE = 2
"""Lines at the top and the bottom of a page among which a running line is looked for."""
_LEAST_PAGES = 3
_FULL = 0.75
"""Share of the page's usual line length from which a line is full, and goes on in the next."""
_SENTENCE_ENDS = ".!?:…。”\"')]"
_DIGITS = re.compile(r"\d+")
_ITEM = re.compile(r"(?:[-–•*·▪◦]|\(?(?:\d+|[a-zA-Z]|[ivxIVX]+)[.)]|§)\s")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HYPHENATED = re.compile(r"([^\W\d_]+)[-\u00ad\u2010]$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")


def drop_running_lines(pages: Sequence[Sequence[str]]) -> tuple[list[list[str]], int]:
    """Pages without their running headers and footers, and how many lines that were.

    A line is one if, apart from its digits, it stands at the top (or at the bottom) of more than
    half of the pages, and of three at least.
    """
    filled = [[line for line in page if line.strip()] for page in pages]
    tops = _repeated(page[:_EDGE] for page in filled)
    bottoms = _repeated(page[-_EDGE:] for page in filled)
    kept = []
    dropped = 0
    for page in pages:
        lines = list(page)
        for at, running in ((0, tops), (-1, bottoms)):
            for _ in range(_EDGE):
                while lines and not lines[at].strip():
                    lines.pop(at)
                if lines and _shape(lines[at]) in running:
                    lines.pop(at)
                    dropped += 1
        kept.append(lines)
    return kept, dropped


def join_pages(pages: Iterable[Sequence[str]]) -> str:
    """Paragraphs with a blank line between them, list items and short lines on lines of their own.

    A line goes on in the next if it is about as long as the page is wide and the next begins no
    list item; the end of a sentence at a paragraph's last line, or before an item, ends it. A word
    divided at a line's end is put together: with its hyphen if the text has it so elsewhere, and
    without one else.
    """
    pages = [list(page) for page in pages]
    known = Counter(
        word.lower() for page in pages for line in page for word in _WORD.findall(line.rstrip("-"))
    )
    parts: list[str] = []
    gap = ""
    for page in pages:
        width = _usual_width(page)
        for line in page:
            text = " ".join(line.split())
            if not text:
                gap = "\n\n" if parts else ""
                continue
            went_on = gap == " "
            _append(parts, gap, text, known)
            if len(line.rstrip()) >= width * _FULL:
                gap = " "
            else:
                gap = "\n\n" if went_on and text[-1] in _SENTENCE_ENDS else "\n"
        if gap == "\n" and parts:
            gap = "\n\n"
    return "".join(parts)


def _append(parts: list[str], gap: str, text: str, known: Counter[str]) -> None:
    if gap == " " and _ITEM.match(text):
        gap = "\n\n" if parts[-1][-1] in _SENTENCE_ENDS else "\n"
    if gap == " " and (first := _HYPHENATED.search(parts[-1])):
        second = _FIRST_WORD.match(text)
        if second and second[0].islower():
            whole = first[1] + second[0]
            divided = f"{first[1]}-{second[0]}"
            gap = ""
            if known[whole.lower()] or not known[divided.lower()]:
                parts[-1] = parts[-1][:-1]
    parts += [gap, text]


def _repeated(edges: Iterable[Sequence[str]]) -> set[str]:
    counts: Counter[str] = Counter()
    pages = 0
    for lines in edges:
        pages += 1
        counts.update({_shape(line) for line in lines})
    return {shape for shape, n in counts.items() if n >= _LEAST_PAGES and n * 2 > pages}


def _shape(line: str) -> str:
    return _DIGITS.sub("0", " ".join(line.split()))


def _usual_width(lines: Sequence[str]) -> int:
    """Length that one line in ten exceeds."""
    lengths = sorted(len(line.rstrip()) for line in lines if line.strip())
    return lengths[len(lengths) * 9 // 10] if lengths else 0
