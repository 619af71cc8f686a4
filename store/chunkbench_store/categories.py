"""Means by category of question, computed from the scores when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkbench_store.database import Store


@dataclass(frozen=True, slots=True)
class CategoryMean:
    """The mean of a measure over a configuration's questions of one category.

    Attributes:
        category: as in the question file; "" for the questions without one.
        questions: how many questions the mean is over.
    """

    config: int
    measure: str
    category: str
    questions: int
    mean: float


def category_means(store: Store, run: int, split: str = "") -> tuple[CategoryMean, ...]:
    """Every measure that has a value by question, by configuration, measure and category.

    The questions weighted by their number give the mean of the leaderboard.

    Args:
        split: only questions of this split, as the leaderboard's means are; "" for all.
    """
    return tuple(
        CategoryMean(*row)
        for row in store.rows(
            "SELECT config, measure, category, count(*), avg(value) FROM score"
            " JOIN question ON question.id = score.question"
            " WHERE config IN (SELECT id FROM config WHERE run = ? AND state = 'finished')"
            " AND ? IN ('', split)"
            " GROUP BY config, measure, category ORDER BY config, measure, category",
            (run, split),
        )
    )
