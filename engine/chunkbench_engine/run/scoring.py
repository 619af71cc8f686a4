"""From stored hits and grades to the measures of a configuration."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkbench_engine.judges.judge import RetrievedChunk
from chunkbench_engine.judges.spans import Spans
from chunkbench_engine.measures import budget, evidence, ranking
from chunkbench_engine.measures.chunks import Cuts, sizes
from chunkbench_engine.measures.context import ContextCost, context_cost
from chunkbench_engine.measures.robustness import standard_deviation, worst_decile
from chunkbench_engine.measures.statistics import bootstrap_interval
from chunkbench_engine.measures.token_level import precision_omega, token_level
from chunkbench_engine.measures.unanswerable import auc
from chunkbench_engine.run.splits import is_in, reported_split
from chunkbench_store.results import MeasureRow, latencies_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chunkbench_engine.questions.question import Passage
    from chunkbench_engine.run.context import RunContext
    from chunkbench_engine.run.index_stage import Configuration
    from chunkbench_engine.run.judging import Judging
    from chunkbench_engine.run.settings import Settings
    from chunkbench_store.results import HitRow


_JUDGED_SPANS = """
SELECT document, coalesce(context_start, start), coalesce(context_end, "end"), context_tokens
FROM chunk WHERE chunk_set = ? ORDER BY ordinal"""


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
    k = _depth(context.settings, hits)
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
            spans[row, hit.rank - 1] = _place(hit)
    split = reported_split(judging.questions.values(), judging.kind)
    reported = _reported(judging, questions, split)
    fresh = budget.fresh_gains(gains, spans) if context.settings.budget else gains.astype(float)
    return Scored(questions, gains, passages, fresh, tokens, spans, reported, {}, ())


def score_configuration(
    context: RunContext,
    configuration: Configuration,
    judging: Judging,
    hits: dict[int, list[HitRow]],
    grades: dict[tuple[int, int], int],
) -> Scored:
    """Every measure that does not depend on other configurations."""
    k, cutoff = _depth(context.settings, hits), context.settings.cutoff
    part = pool_part(context, judging, hits, grades)
    questions, gains = part.questions, part.gains
    split = reported_split(judging.questions.values(), judging.kind)
    by_question: dict[str, dict[int, float]] = {}
    rows = []
    graded = {
        f"Hit@{cutoff}": ranking.hit(gains, k),
        f"MRR@{cutoff}": ranking.reciprocal_rank(gains, k),
        f"ZeroHit@{cutoff}": ranking.zero_hit(gains, k),
    }
    if context.settings.budget:
        graded[f"P@{cutoff}"] = budget.precision_in_budget(gains, part.tokens)
    else:
        graded |= {"P@1": ranking.precision_at_1(gains)}
        graded |= {f"P@{cutoff}": ranking.precision_at_k(gains, k)}
    graded |= _context_values(judging, questions, hits, cutoff)
    located = tuple(key for key, question in judging.questions.items() if question.evidence)
    shown = _evidence_values(context, configuration, judging, located, hits) if located else {}
    for keys, values in ((questions, graded), (located, shown)):
        for name, column in values.items():
            by_question[name] = dict(zip(keys, map(float, column), strict=True))
        over = _reported(judging, keys, split)
        if over.any():
            table = np.stack(list(values.values()))[:, over]
            interval = bootstrap_interval(table, seed=context.settings.seed)
            rows += [
                MeasureRow(name, float(mean), float(low), float(high))
                for name, mean, low, high in zip(values, *interval, strict=True)
            ]
    rows += _configuration_rows(context, configuration, judging, hits)
    return replace(part, by_question=by_question, measures=tuple(rows))


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
        table = budget.ndcg_pooled_budget(fresh, gains, tokens, spans, settings.budget)
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


def _depth(settings: Settings, hits: dict[int, list[HitRow]]) -> int:
    """Width of the tables by rank."""
    if not settings.budget:
        return settings.k
    return max((len(ranked) for ranked in hits.values()), default=1)


def _place(hit: HitRow) -> tuple[int, int, int]:
    return hit.document, hit.judged_start, hit.judged_end


def _passage_number(hit: HitRow) -> int:
    """A number that is equal for the same judged span of the same document."""
    return hash(_place(hit)) & 0x7FFF_FFFF_FFFF


def _reported(judging: Judging, questions: Sequence[int], split: str) -> NDArray[np.bool_]:
    """Whether the means are over each of the questions."""
    return np.array([is_in(judging.questions[key], split) for key in questions], dtype=bool)


def _retrieved(judging: Judging, hits: Sequence[HitRow]) -> list[RetrievedChunk]:
    return [
        RetrievedChunk(judging.names[hit.document], hit.judged_start, hit.judged_end)
        for hit in hits
    ]


def _cost(
    judging: Judging, retrieved: Sequence[RetrievedChunk], evidence: Sequence[Passage]
) -> ContextCost:
    starts = {chunk.document: judging.token_starts(chunk.document) for chunk in retrieved}
    return context_cost(retrieved, evidence, starts)


def _context_values(
    judging: Judging, questions: Sequence[int], hits: dict[int, list[HitRow]], cutoff: str
) -> dict[str, NDArray[np.float64]]:
    """What the context costs, whatever is in it."""
    costs = [_cost(judging, _retrieved(judging, hits.get(key, [])), []) for key in questions]
    return {
        f"Tokens@{cutoff}": np.array([cost.tokens for cost in costs], dtype=np.float64),
        f"RepeatShare@{cutoff}": np.array([cost.repeated_share for cost in costs]),
    }


def _evidence_values(
    context: RunContext,
    configuration: Configuration,
    judging: Judging,
    questions: Sequence[int],
    hits: dict[int, list[HitRow]],
) -> dict[str, NDArray[np.float64]]:
    """What the evidence spans tell: recalls, ceiling, index nDCG, what of the context is evidence.

    By the evidence judge, whichever judge the run has: it alone can grade a whole index.
    """
    limit, cutoff = context.settings.budget, context.settings.cutoff
    k = _depth(context.settings, hits)
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
    ideal: list[Any] = []
    for column, key in enumerate(questions):
        question = judging.questions[key]
        retrieved = _retrieved(judging, hits.get(key, []))
        for hit in hits.get(key, []):
            retrieved_places[column, hit.rank - 1] = _place(hit)
        spans = Spans((r.document, r.start, r.end) for r in retrieved)
        held = judge.slots_held(question, spans)
        gains[column, : len(spans)] = judge.grade_all(question, spans)
        grades = judge.grade_all(question, index)
        ideal.append(
            budget.ideal_dcg(grades, lengths, places, limit)
            if limit
            else ranking.best_grades(grades, k)
        )
        cost = _cost(
            judging, retrieved, [passage for slot in question.evidence for passage in slot]
        )
        table[:, column] = [
            *(evidence.recall(held, rank) for rank in cutoffs.values()),
            evidence.evidence_recall(held, k),
            evidence.ceiling(judge.slots_held(question, index)),
            0.0,  # filled below, for all questions at once
            cost.evidence_share,
            *token_level(retrieved, question.evidence),
            precision_omega(index, question.evidence),
        ]
    table[names.index(f"nDCG-index@{cutoff}")] = (
        budget.ndcg_index_budget(budget.fresh_gains(gains, retrieved_places), ideal)
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


def chunk_rows(context: RunContext, configuration: Configuration) -> list[MeasureRow]:
    """What is measured of a configuration's chunks: sizes and cuts."""
    store = context.store
    tokens = [
        row[0]
        for row in store.rows(
            "SELECT tokens FROM chunk WHERE chunk_set = ?", (configuration.chunk_set,)
        )
    ]
    over = store.value("SELECT over_window FROM config WHERE id = ?", (configuration.id,))
    size = sizes(tokens, [], None)
    cuts = Cuts()
    for row in store.rows(
        "SELECT diagnostics FROM chunk_unit WHERE chunk_set = ?", (configuration.chunk_set,)
    ):
        diagnostics = json.loads(row[0])
        cuts += Cuts(**{name: diagnostics[name] for name in Cuts.__slots__})
    return [
        MeasureRow("ChunkTokens-mean", size.mean),
        MeasureRow("ChunkTokens-median", size.median),
        MeasureRow("ChunkTokens-min", size.shortest),
        MeasureRow("ChunkTokens-max", size.longest),
        MeasureRow("OverWindow", over / size.count),
        MeasureRow("BeginInside", cuts.begin_inside_share),
        MeasureRow("EndInside", cuts.end_inside_share),
        MeasureRow("TablesCut", cuts.tables_cut),
        MeasureRow("FencesCut", cuts.fences_cut),
        MeasureRow("HeadingsLeft", cuts.headings_left),
    ]


def _configuration_rows(
    context: RunContext,
    configuration: Configuration,
    judging: Judging,
    hits: dict[int, list[HitRow]],
) -> list[MeasureRow]:
    """What belongs to the configuration as a whole: sizes, cuts, latency, the AUC."""
    seconds = np.array(latencies_of(context.store, configuration.id)).reshape(-1, 2)
    total, search = seconds.sum(axis=1), seconds[:, 1]
    rows = [
        *chunk_rows(context, configuration),
        MeasureRow("Latency-median", float(np.median(total))),
        MeasureRow("Latency-p90", float(np.quantile(total, 0.90))),
        MeasureRow("Latency-p95", float(np.quantile(total, 0.95))),
        MeasureRow("Latency-p99", float(np.quantile(total, 0.99))),
        MeasureRow("Search-median", float(np.median(search))),
        MeasureRow("Search-p95", float(np.quantile(search, 0.95))),
    ]
    split = reported_split(judging.questions.values(), judging.kind)
    # A question that shares no word with any chunk has no hit: BM25's score of that is 0.
    top = {
        key: hits[key][0].score if key in hits else 0.0
        for key, question in judging.questions.items()
        if is_in(question, split)
    }
    answerable = [s for q, s in top.items() if judging.questions[q].answerable]
    unanswerable = [s for q, s in top.items() if not judging.questions[q].answerable]
    if answerable and unanswerable:
        rows.append(MeasureRow("AUC", auc(answerable, unanswerable)))
    return rows
