"""A passage that a person selected, as evidence that is found again. Light: the app imports it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkbench_engine.chunkers.chunk import Span

MOST_OCCURRENCES = 100
"""Occurrences looked for; that many is as good as any more."""

_WORD_BEFORE = re.compile(r"\S+\s*\Z")
_WORD_AFTER = re.compile(r"\s*\S+")
_FARTHEST = 400
"""Characters looked at for the next word; where there is no space in them, one is taken."""
_LONGEST_EXTENSION = 2_000
"""Characters that an extension may add."""


def occurrences(text: str, wanted: str) -> list[int]:
    """Offsets at which `wanted` stands in the text, overlapping ones too, the first 100."""
    found: list[int] = []
    at = text.find(wanted)
    while at >= 0 and len(found) < MOST_OCCURRENCES:
        found.append(at)
        at = text.find(wanted, at + 1)
    return found


def trimmed(text: str, start: int, end: int) -> Span:
    """The span without the white space at its ends; empty, at `start`, if there is no more."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return (start, start) if left == len(piece) else (start + left, start + len(piece.rstrip()))


def evidence_fields(document: str, text: str, start: int, end: int) -> dict[str, object]:
    """A span of a document as a passage of a question file.

    By its text alone where that occurs once in the document, so that a person can read it and
    edits elsewhere do no harm. Else by its offsets, with the text, which the reader holds against
    them.
    """
    passage = text[start:end]
    fields: dict[str, object] = {"document": document}
    if len(occurrences(text, passage)) > 1:
        fields |= {"start": start, "end": end}
    return {**fields, "text": passage}


def extended(text: str, start: int, end: int) -> Span | None:
    """The span with as many words after it, else before it, as make its text occur only once.

    Words on the same line go first. None where 2,000 more characters do not tell it apart.
    """
    left, right = start, end
    while len(occurrences(text, text[left:right])) > 1:
        after = _WORD_AFTER.match(text, right, right + _FARTHEST)
        if after is not None and "\n" not in after[0]:
            right = after.end()
        elif (before := _begin_of_word_before(text, left)) is not None:
            left = before
        elif after is not None:
            right = after.end()
        else:
            return None
        if right - left - (end - start) > _LONGEST_EXTENSION:
            return None
    return left, right


def line_number(text: str, offset: int) -> int:
    """The line of the document, from 1, on which an offset lies."""
    return text.count("\n", 0, offset) + 1


def _begin_of_word_before(text: str, start: int) -> int | None:
    low = max(start - _FARTHEST, 0)
    match = _WORD_BEFORE.search(text[low:start])
    return None if match is None else low + match.start()
