"""A question with its gold answers and evidence."""

from __future__ import annotations

from dataclasses import dataclass

CATEGORIES = (
    "direct",
    "semantic",
    "multi-part",
    "cross-section",
    "structured",
    "identifier",
    "unanswerable",
)
SPLITS = ("dev", "validation", "test")


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of a document's canonical text that holds (a part of) the answer."""

    document: str
    start: int
    end: int


Slot = tuple[Passage, ...]
"""Passages any one of which will do."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    Attributes:
        id: unique in its file.
        text: what the user asks; the only part that retrieval ever sees.
        evidence: slots, all of which are needed for a complete answer; each slot is a tuple of
            passages any of which will do. Empty for an unanswerable question, or when unknown.
        answers: reference answers, any of which is right.
        category: one of `CATEGORIES`, "" if not given.
        split: one of `SPLITS`, "" if not given.
        synthetic: a language model proposed it.
    """

    id: str
    text: str
    evidence: tuple[Slot, ...] = ()
    answers: tuple[str, ...] = ()
    category: str = ""
    split: str = ""
    synthetic: bool = False

    @property
    def answerable(self) -> bool:
        return self.category != "unanswerable"
