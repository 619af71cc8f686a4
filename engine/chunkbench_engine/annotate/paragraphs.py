"""Paragraphs: runs of lines between blank lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkbench_engine.chunkers.chunk import Span

_BLANK_LINE = re.compile(r"\n\s*\n")


def trim(text: str, start: int, end: int) -> Span:
    """The span without the white space at its ends; empty if there is nothing else."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return start + left, start + max(left, len(piece.rstrip()))


def split_paragraphs(text: str) -> list[Span]:
    """Spans between blank lines (`\\n\\s*\\n`, so CRLF too), trimmed, none empty."""
    spans = []
    start = 0
    for gap in _BLANK_LINE.finditer(text):
        spans.append(trim(text, start, gap.start()))
        start = gap.end()
    spans.append(trim(text, start, len(text)))
    return [(a, b) for a, b in spans if a < b]
