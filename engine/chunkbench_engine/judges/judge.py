"""What judges give, and what a judge of texts is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

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


class Unjudged(Exception):  # noqa: N818 - it names what happened
    """A judge cannot tell; the message says why. It is never a grade of 0."""


class TextJudge(Protocol):
    """Grades a retrieved text by the reference answers alone: the question is withheld.

    Equal texts get equal grades, wherever they stand, so each is judged once.

    Attributes:
        id: name of the judge with all that decides its grades (model, prompt's hash), so that two
            judges with the same id grade alike.
        concurrency: judgements that may be under way at a time.
        prompt_tokens: tokens of the prompts so far, by cl100k_base; 0 if it needs none.
    """

    @property
    def id(self) -> str: ...
    @property
    def concurrency(self) -> int: ...
    @property
    def prompt_tokens(self) -> int: ...

    async def grade(self, answers: Sequence[str], text: str) -> Grade:
        """The best grade that the text has by any of the answers.

        Raises:
            Unjudged: it cannot tell.
            Unavailable: what it needs is no longer there; no other text could be judged either.
        """
        ...

    async def close(self) -> None: ...
