"""Read model of a report: what every question came to under two configurations, and under all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkbench_store.database import Store


@dataclass(frozen=True, slots=True)
class QuestionScore:
    """A question with its score under a first and a second configuration of an experiment.

    Attributes:
        first: None where the measure is not over this question; `second` likewise.
        found: number of configurations of the experiment whose hits hold a full answer.
        of: number of configurations of the experiment that are scored.
    """

    id: int
    key: str
    text: str
    category: str
    first: float | None
    second: float | None
    found: int
    of: int


def question_scores(
    store: Store, first: int, second: int | None, measure: str, hit: str
) -> tuple[QuestionScore, ...]:
    """The questions of a run, in their order.

    Args:
        first, second: configurations of one experiment; `second` may be None.
        measure: name of the measure whose scores are given.
        hit: name of the measure that is positive where a full answer was found.
    """
    return tuple(
        QuestionScore(*row)
        for row in store.rows(
            "SELECT question.id, key, text, category, one.value, two.value,"
            " coalesce(found, 0), coalesce(scored, 0)"
            " FROM config JOIN run ON run.id = config.run"
            " JOIN question ON question.question_set = run.question_set"
            " LEFT JOIN score AS one ON one.config = config.id"
            "  AND one.question = question.id AND one.measure = ?2"
            " LEFT JOIN score AS two ON two.config = ?4"
            "  AND two.question = question.id AND two.measure = ?2"
            " LEFT JOIN (SELECT score.question AS place, sum(score.value > 0) AS found,"
            "   count(*) AS scored FROM config AS mine JOIN config AS peer ON peer.run = mine.run"
            "   AND peer.model = mine.model AND peer.retrieval = mine.retrieval"
            "   JOIN score ON score.config = peer.id AND score.measure = ?3"
            "   WHERE mine.id = ?1 GROUP BY 1) ON place = question.id"
            " WHERE config.id = ?1 ORDER BY position",
            (first, measure, hit, second),
        )
    )
