"""Which questions a run's numbers are over.

Where any question that the run's judge can judge belongs to the split `test`, every mean is over
those questions alone: the others were there to choose by. Scores are kept for all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from chunkbench_engine.judges.choice import Judgeable, can_judge

if TYPE_CHECKING:
    from collections.abc import Iterable

TEST = "test"
DEV = "dev"


class Splittable(Judgeable, Protocol):
    """A question, as read or as stored."""

    @property
    def split(self) -> str: ...


def reported_split(questions: Iterable[Splittable], judge: str) -> str:
    """The split that the means are over: `test`, or "" for all questions."""
    return TEST if any(q.split == TEST and can_judge(judge, q) for q in questions) else ""


def is_in(question: Splittable, split: str) -> bool:
    """Whether a question belongs to a split; all belong to ""."""
    return not split or question.split == split
