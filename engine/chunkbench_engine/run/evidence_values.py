"""What the evidence spans tell of a configuration, question by question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from chunkbench_engine.judges.spans import Spans
from chunkbench_engine.measures import budget, evidence, ranking
from chunkbench_engine.measures.token_level import precision_omega, token_level
from chunkbench_engine.run.context_values import cost_of, retrieved_of
from chunkbench_engine.run.pool import depth_of, place_of, places_of_evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chunkbench_engine.run.context import RunContext
    from chunkbench_engine.run.index_stage import Configuration
    from chunkbench_engine.run.judging import Judging
    from chunkbench_store.results import HitRow

_JUDGED_SPANS = """
SELECT document, coalesce(context_start, start), coalesce(context_end, "end"), context_tokens
FROM chunk WHERE chunk_set = ? ORDER BY ordinal"""


def evidence_values(
    context: RunContext,
    configuration: Configuration,
    judging: Judging,
    questions: Sequence[int],
    hits: dict[int, list[HitRow]],
) -> dict[str, NDArray[np.float64]]:
    """What the evidence spans tell: recalls, ceiling, index nDCG, what of the context is evidence.

    By the evidence judge, whichever judge the run has: it alone can grade a whole index. A late
    strategy hands on passages that are in no index. So what was retrieved for a question counts
    with the index in its ceiling, and is its ideal, best grades first, where that is better: with
    passages that are chunks of the index neither changes anything.
    """
    limit, cutoff = context.settings.budget, context.settings.cutoff
    k = depth_of(context.settings, hits)
    judge = judging.evidence
    cutoffs = {str(rank): rank for rank in evidence.RECALL_CUTOFFS if rank <= k and not limit}
    cutoffs[cutoff] = k
    names = [
        *(f"Recall@{cut}" for cut in cutoffs),
        f"EvidenceRecall@{cutoff}",
        "Ceiling",
        f"nDCG-index@{cutoff}",
        f"EvidenceShare@{cutoff}",
        f"TokenRecall@{cutoff}",
        f"TokenPrecision@{cutoff}",
        f"IoU@{cutoff}",
        "PrecisionOmega",
    ]
    table = np.zeros((len(names), len(questions)))
    index = Spans(_judged_spans(context, configuration, judging))
    places, lengths = _index_places(context, configuration)
    retrieved_places = np.zeros((len(questions), k, 3), dtype=np.int64)
    gains = np.zeros((len(questions), k), dtype=np.int8)
    known = places_of_evidence(judging, questions)
    ideal: list[Any] = []
    for column, key in enumerate(questions):
        question = judging.questions[key]
        retrieved = retrieved_of(judging, hits.get(key, []))
        for hit in hits.get(key, []):
            retrieved_places[column, hit.rank - 1] = place_of(hit)
        spans = Spans((r.document, r.start, r.end) for r in retrieved)
        held = judge.slots_held(question, spans)
        gains[column, : len(spans)] = judge.grade_all(question, spans)
        grades = judge.grade_all(question, index)
        ideal.append(
            budget.ideal_dcg(grades, lengths, places, limit, known[column])
            if limit
            else max(
                ranking.best_grades(grades, k),
                ranking.best_grades(gains[column], k),
                key=lambda best: float(ranking.dcg(best, k)),
            )
        )
        could = np.concatenate([judge.slots_held(question, index), held], axis=1)
        cost = cost_of(
            judging, retrieved, [passage for slot in question.evidence for passage in slot]
        )
        table[:, column] = [
            *(evidence.recall(held, rank) for rank in cutoffs.values()),
            evidence.evidence_recall(held, k),
            evidence.ceiling(could),
            0.0,  # filled below, for all questions at once
            cost.evidence_share,
            *token_level(retrieved, question.evidence),
            precision_omega(index, question.evidence),
        ]
    table[names.index(f"nDCG-index@{cutoff}")] = (
        budget.ndcg_index_budget(budget.fresh_gains(gains, retrieved_places, known), ideal)
        if limit
        else ranking.ndcg_index(gains, ideal, k)
    )
    return dict(zip(names, table, strict=True))


def _judged_spans(
    context: RunContext, configuration: Configuration, judging: Judging
) -> list[tuple[str, int, int]]:
    """The spans a reader could be given from this configuration's index."""
    return [
        (judging.names[row[0]], row[1], row[2])
        for row in context.store.rows(_JUDGED_SPANS, (configuration.chunk_set,))
    ]


def _index_places(
    context: RunContext, configuration: Configuration
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The same spans as `(chunks, 3)`, and their tokens, `(chunks,)`."""
    rows = [tuple(row) for row in context.store.rows(_JUDGED_SPANS, (configuration.chunk_set,))]
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    return table[:, :3], table[:, 3]
