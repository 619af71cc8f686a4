"""From stored hits and grades to the measures of a configuration."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.measures import budget, ranking
from chunkbench_engine.measures.statistics import bootstrap_interval
from chunkbench_engine.run.configuration_rows import configuration_rows
from chunkbench_engine.run.context_values import context_values
from chunkbench_engine.run.evidence_values import evidence_values
from chunkbench_engine.run.pool import is_reported, pool_part
from chunkbench_engine.run.splits import reported_split
from chunkbench_store.results import MeasureRow

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkbench_engine.run.context import RunContext
    from chunkbench_engine.run.index_stage import Configuration
    from chunkbench_engine.run.judging import Judging
    from chunkbench_engine.run.pool import Scored
    from chunkbench_engine.run.settings import Settings
    from chunkbench_store.results import HitRow


def score_configuration(
    context: RunContext,
    configuration: Configuration,
    judging: Judging,
    hits: dict[int, list[HitRow]],
    grades: dict[tuple[int, int], int],
) -> Scored:
    """Every measure that does not depend on other configurations."""
    cutoff = context.settings.cutoff
    part = pool_part(context, judging, hits, grades)
    questions, gains = part.questions, part.gains
    split = reported_split(judging.questions.values(), judging.kind)
    by_question: dict[str, dict[int, float]] = {}
    rows = []
    graded = graded_values(gains, part.tokens, context.settings)
    graded |= context_values(judging, questions, hits, cutoff)
    located = tuple(key for key, question in judging.questions.items() if question.evidence)
    shown = evidence_values(context, configuration, judging, located, hits) if located else {}
    for keys, values in ((questions, graded), (located, shown)):
        for name, column in values.items():
            by_question[name] = dict(zip(keys, map(float, column), strict=True))
        over = is_reported(judging, keys, split)
        if over.any():
            table = np.stack(list(values.values()))[:, over]
            interval = bootstrap_interval(table, seed=context.settings.seed)
            rows += [
                MeasureRow(name, float(mean), float(low), float(high))
                for name, mean, low, high in zip(values, *interval, strict=True)
            ]
    rows += configuration_rows(context, configuration, judging, hits)
    return replace(part, by_question=by_question, measures=tuple(rows))


def graded_values(
    gains: NDArray[np.int8], tokens: NDArray[np.int64], settings: Settings
) -> dict[str, NDArray[np.float64]]:
    """What the grades of a configuration's lists tell without other configurations.

    Args:
        gains, tokens: `(questions, depth)`, as of `Scored`.
    """
    depth, cutoff = gains.shape[1], settings.cutoff
    values = {
        f"Hit@{cutoff}": ranking.hit(gains, depth),
        f"MRR@{cutoff}": ranking.reciprocal_rank(gains, depth),
        f"ZeroHit@{cutoff}": ranking.zero_hit(gains, depth),
    }
    if settings.budget:
        return values | {f"P@{cutoff}": budget.precision_in_budget(gains, tokens)}
    values |= {f"P@{cutoff}": ranking.precision_at_k(gains, depth)}
    # Last: with k = 1 the two have one name, which stands for the stricter.
    return values | {"P@1": ranking.precision_at_1(gains)}
