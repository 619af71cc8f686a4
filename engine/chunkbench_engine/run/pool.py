"""What all configurations of an experiment found together, and nDCG against it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkbench_engine.measures import budget, ranking
from chunkbench_engine.measures.robustness import standard_deviation, worst_decile
from chunkbench_engine.measures.statistics import bootstrap_interval
from chunkbench_engine.run.splits import is_in, reported_split
from chunkbench_store.results import MeasureRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chunkbench_engine.run.context import RunContext
    from chunkbench_engine.run.judging import Judging
    from chunkbench_engine.run.settings import Settings
    from chunkbench_store.results import HitRow


@dataclass(frozen=True, slots=True)
class Scored:
    """What is known of a configuration once it is judged.

    Attributes:
        questions: ids of the questions that the judge can judge, in the order of the columns.
        gains: `(questions, depth)`, grades in rank order, 0 where fewer were retrieved; `depth` is
            k, or with a budget the length of the longest list.
        passages: like `gains`, a number for each (document, span), -1 where there is none.
        fresh: with a budget, what each passage gains (`budget.fresh_gains`); else the same.
        tokens: like `gains`, of each passage, 0 where there is none.
        spans: `(questions, depth, 3)`, document, start and end of each passage.
        evidence: of each question `(n, 4)`, slot, document, start and end of its evidence.
        reported: `(questions,)`, whether the means are over the question.
        by_question: each measure's value for each question.
        measures: means over the questions reported, and what belongs to the configuration as a
            whole.
    """

    questions: tuple[int, ...]
    gains: NDArray[np.int8]
    passages: NDArray[np.int64]
    fresh: NDArray[np.float64]
    tokens: NDArray[np.int64]
    spans: NDArray[np.int64]
    evidence: tuple[NDArray[np.int64], ...]
    reported: NDArray[np.bool_]
    by_question: dict[str, dict[int, float]]
    measures: tuple[MeasureRow, ...]


def pool_part(
    context: RunContext,
    judging: Judging,
    hits: dict[int, list[HitRow]],
    grades: dict[tuple[int, int], int],
) -> Scored:
    """What the pool needs of a configuration whose own measures are known already."""
    k = depth_of(context.settings, hits)
    questions = tuple(key for key in judging.questions if key in judging.judged)
    gains = np.zeros((len(questions), k), dtype=np.int8)
    passages = np.full((len(questions), k), -1, dtype=np.int64)
    tokens = np.zeros((len(questions), k), dtype=np.int64)
    spans = np.zeros((len(questions), k, 3), dtype=np.int64)
    for row, question in enumerate(questions):
        for hit in hits.get(question, []):
            gains[row, hit.rank - 1] = grades[question, hit.rank]
            passages[row, hit.rank - 1] = _passage_number(hit)
            tokens[row, hit.rank - 1] = hit.tokens
            spans[row, hit.rank - 1] = place_of(hit)
    split = reported_split(judging.questions.values(), judging.kind)
    reported = is_reported(judging, questions, split)
    evidence = places_of_evidence(judging, questions)
    fresh = gains.astype(float)
    if context.settings.budget:
        fresh = budget.fresh_gains(gains, spans, evidence)
    return Scored(questions, gains, passages, fresh, tokens, spans, evidence, reported, {}, ())


def pooled(
    scored: Sequence[Scored], settings: Settings
) -> list[tuple[list[MeasureRow], dict[int, float]]]:
    """Pooled nDCG of an experiment's configurations: mean with its interval, how even it is over
    the questions, and its value for each."""
    gains = _stacked([entry.gains for entry in scored])
    if settings.budget:
        fresh = _stacked([entry.fresh for entry in scored])
        tokens = _stacked([entry.tokens for entry in scored])
        spans = _stacked([entry.spans for entry in scored])
        table = budget.ndcg_pooled_budget(
            fresh, gains, tokens, spans, settings.budget, scored[0].evidence
        )
    else:
        passages = _stacked([entry.passages for entry in scored])
        table = ranking.ndcg_pooled(gains, settings.k, settings.pool, passages)
    reported, cutoff = table[:, scored[0].reported], settings.cutoff
    interval = bootstrap_interval(reported, seed=settings.seed)
    spread, worst = standard_deviation(reported), worst_decile(reported)
    return [
        (
            [
                MeasureRow(
                    f"nDCG@{cutoff}",
                    float(interval.mean[row]),
                    float(interval.low[row]),
                    float(interval.high[row]),
                ),
                *(
                    [MeasureRow(f"nDCG-sd@{cutoff}", float(spread[row]))]
                    if reported.shape[1] > 1
                    else []
                ),
                MeasureRow(f"nDCG-worst@{cutoff}", float(worst[row])),
            ],
            dict(zip(entry.questions, map(float, table[row]), strict=True)),
        )
        for row, entry in enumerate(scored)
    ]


def _stacked(tables: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Tables by question and rank as one, the shorter ones filled up with 0."""
    depth = max(table.shape[1] for table in tables)
    stacked = np.zeros((len(tables), len(tables[0]), depth, *tables[0].shape[2:]), tables[0].dtype)
    for row, table in zip(stacked, tables, strict=True):
        row[:, : table.shape[1]] = table
    return stacked


def depth_of(settings: Settings, hits: dict[int, list[HitRow]]) -> int:
    """Width of the tables by rank."""
    if not settings.budget:
        return settings.k
    return max((len(ranked) for ranked in hits.values()), default=1)


def place_of(hit: HitRow) -> tuple[int, int, int]:
    return hit.document, hit.judged_start, hit.judged_end


def places_of_evidence(judging: Judging, questions: Sequence[int]) -> tuple[NDArray[np.int64], ...]:
    """Slot, document, start and end of each passage of evidence, `(n, 4)` for each question."""
    ids = {name: document for document, name in judging.names.items()}
    return tuple(
        np.array(
            [
                (number, ids[passage.document], passage.start, passage.end)
                for number, slot in enumerate(judging.questions[key].evidence)
                for passage in slot
            ],
            dtype=np.int64,
        ).reshape(-1, 4)
        for key in questions
    )


def _passage_number(hit: HitRow) -> int:
    """A number that is equal for the same judged span of the same document."""
    return hash(place_of(hit)) & 0x7FFF_FFFF_FFFF


def is_reported(judging: Judging, questions: Sequence[int], split: str) -> NDArray[np.bool_]:
    """Whether the means are over each of the questions."""
    return np.array([is_in(judging.questions[key], split) for key in questions], dtype=bool)
