"""Text that is in no chunk."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chunkbench_engine.chunkers.chunk import Span

_WORD = re.compile(r"\S+")


def uncovered(text: str, spans: Iterable[Span]) -> list[Span]:
    """Stretches between the chunks that hold more than white space, trimmed, in order."""
    gaps = []
    reached = 0
    for start, end in [*sorted(spans), (len(text), len(text))]:
        if start > reached and (gap := _trimmed(text, reached, start)):
            gaps.append(gap)
        reached = max(reached, end)
    return gaps


def characters(text: str) -> int:
    """Characters of a text that are not white space."""
    return sum(len(word) for word in _WORD.findall(text))


def _trimmed(text: str, start: int, end: int) -> Span | None:
    piece = text[start:end]
    inner = piece.strip()
    if not inner:
        return None
    first = start + len(piece) - len(piece.lstrip())
    return first, first + len(inner)
