"""What every judge is: it grades what was retrieved for a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chunkbench_engine.questions.question import Question

GRADES = (0, 1, 2)
"""No help, part of the answer, the answer."""
FULL = 2
PARTIAL = 1


@dataclass(frozen=True, slots=True)
class Grade:
    """A judgement: 0, 1 or 2, and one short phrase that says why."""

    value: int
    reason: str

    def __post_init__(self) -> None:
        if self.value not in GRADES:
            raise ValueError(f"a grade is 0, 1 or 2, not {self.value!r}")


@dataclass(frozen=True, slots=True)
class RetrievedChunk:
    """The span of a document that a reader is given: a chunk's context where it has one.

    Half-open, in characters of the document's canonical text.
    """

    document: str
    start: int
    end: int


class Judge(Protocol):
    """Grades one retrieved chunk for one question.

    Attributes:
        id: name of the judge with all that decides its grades (model, prompt's hash), so that two
            judges with the same id grade alike.
    """

    @property
    def id(self) -> str: ...

    async def grade(self, question: Question, retrieved: RetrievedChunk) -> Grade:
        """The grade. A judge that cannot tell raises; it never answers 0 instead."""
        ...
