"""A finding: one chunk, or one place, that something ails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkbench_engine.chunkers.chunk import Span

MOST_OF_A_DOCUMENT = 20
"""Findings of one kind that are kept of one document; all are counted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A place in one document.

    Attributes:
        kind: of `KINDS`.
        span: the chunk's span, or that of the table, code block or lost text.
        chunk: number of the chunk in its document, from 1: for a table or code block the first
            that has part of it; None where no chunk has any.
        value: as the kind says; 0 where it says nothing.
    """

    kind: str
    span: Span
    chunk: int | None
    value: float = 0.0
