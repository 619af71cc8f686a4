"""The end of a run: what its measures say together, for plots and reports."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.judges.choice import can_judge
from chunkbench_engine.measures.correlation import correlation
from chunkbench_engine.measures.distribution import score_bins
from chunkbench_engine.measures.heat_map import heat_map
from chunkbench_engine.measures.pareto import frontier
from chunkbench_engine.run.splits import is_in, reported_split
from chunkbench_store.analysis import (
    Analysis,
    CorrelationRow,
    FolderScoreRow,
    FrontierRow,
    ScoreBinRow,
    put_analysis,
)
from chunkbench_store.live import board_of
from chunkbench_store.results import scores_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from chunkbench_engine.run.context import RunContext
    from chunkbench_store.corpora import QuestionRow
    from chunkbench_store.live import BoardRow

COLUMNS: dict[str, Callable[[BoardRow], float]] = {
    "index_bytes": lambda row: row.index_bytes,
    "cold_seconds": lambda row: row.cold_seconds,
    "peak_bytes": lambda row: row.peak_bytes,
    "chunks": lambda row: row.chunks,
}
"""What a configuration costs, beside its measures, by the names of the leaderboard's columns."""


def qualities(cutoff: str) -> tuple[str, ...]:
    """Measures that a frontier is drawn for."""
    return (
        f"nDCG@{cutoff}",
        f"nDCG-index@{cutoff}",
        f"Hit@{cutoff}",
        f"MRR@{cutoff}",
        "P@1",
        f"Recall@{cutoff}",
    )


def costs(cutoff: str) -> tuple[str, ...]:
    """What quality is held against: bytes, query time, chunking time, context."""
    return ("index_bytes", "Latency-median", "cold_seconds", f"Tokens@{cutoff}")


async def analyse(context: RunContext) -> None:
    """The measures stand: keep frontiers, correlations, scores by folder and their spread."""
    cutoff = context.settings.cutoff
    board = [row for row in board_of(context.store, context.run) if row.state == "finished"]
    split = reported_split(context.questions, context.settings.judge)
    questions = [
        q for q in context.questions if can_judge(context.settings.judge, q) and is_in(q, split)
    ]
    measure = f"nDCG@{cutoff}"
    board = [row for row in board if measure in row.measures]
    stored = [scores_of(context.store, row.config, measure) for row in board]
    scores = np.array([[values[q.id] for q in questions] for values in stored])
    analysis = await asyncio.to_thread(analysis_of_board, board, questions, scores, cutoff)
    with context.store.write():
        put_analysis(context.store, context.run, analysis)


def analysis_of_board(
    board: Sequence[BoardRow],
    questions: Sequence[QuestionRow],
    scores: NDArray[np.float64],
    cutoff: str,
) -> Analysis:
    """The analysis of finished configurations.

    Args:
        scores: `(configurations, questions)`, nDCG@k in the order of `board` and `questions`.
    """
    if not board:
        return Analysis()
    return Analysis(
        frontier=tuple(_frontier(board, cutoff)),
        correlations=tuple(_correlations(board)),
        folder_scores=tuple(_folder_scores(board, questions, scores, f"nDCG@{cutoff}")),
        score_bins=tuple(
            ScoreBinRow(row.config, f"nDCG@{cutoff}", number, int(count))
            for row, counts in zip(board, score_bins(scores), strict=True)
            for number, count in enumerate(counts)
        ),
    )


def value_of(row: BoardRow, name: str) -> float:
    """A measure or a cost of a configuration; NaN where it has none."""
    if name in COLUMNS:
        return COLUMNS[name](row)
    value = row.value(name)
    return float("nan") if value is None else value


def _frontier(board: Sequence[BoardRow], cutoff: str) -> list[FrontierRow]:
    """Within each experiment: its scores are against a pool of its own."""
    found = []
    for experiment in dict.fromkeys(row.experiment for row in board):
        rows = [row for row in board if row.experiment == experiment]
        for quality, cost in itertools.product(qualities(cutoff), costs(cutoff)):
            members = frontier(
                [value_of(row, quality) for row in rows], [value_of(row, cost) for row in rows]
            )
            found += [
                FrontierRow(row.config, quality, cost)
                for row, member in zip(rows, members, strict=True)
                if member
            ]
    return found


def _correlations(board: Sequence[BoardRow]) -> list[CorrelationRow]:
    names = sorted({*COLUMNS, *(name for row in board for name in row.measures)})
    found = correlation([[value_of(row, name) for row in board] for name in names])
    return [
        CorrelationRow(
            names[first],
            names[second],
            None if np.isnan(found.r[first, second]) else float(found.r[first, second]),
            int(found.shared[first, second]),
        )
        for first, second in itertools.combinations(range(len(names)), 2)
    ]


def _folder_scores(
    board: Sequence[BoardRow],
    questions: Sequence[QuestionRow],
    scores: NDArray[np.float64],
    measure: str,
) -> list[FolderScoreRow]:
    """By the folder that holds a question's evidence; nothing where there is only one."""
    found = heat_map(scores, [folder_of(question) for question in questions])
    if len(found.groups) < 2:
        return []
    return [
        FolderScoreRow(row.config, folder, measure, float(mean), int(count))
        for row, means in zip(board, found.means, strict=True)
        for folder, mean, count in zip(found.groups, means, found.questions, strict=True)
    ]


def folder_of(question: QuestionRow) -> str | None:
    """The folder directly below the corpus that holds all evidence of a question, "" for the
    corpus itself; None where it has none, or in several folders."""
    folders = {
        passage.document.split("/", 1)[0] if "/" in passage.document else ""
        for passage in question.evidence
    }
    return folders.pop() if len(folders) == 1 else None
