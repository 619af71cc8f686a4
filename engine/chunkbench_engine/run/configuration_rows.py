"""What belongs to a configuration as a whole: no question has a share in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.measures.chunks import Cuts, sizes
from chunkbench_engine.measures.unanswerable import auc
from chunkbench_engine.run.splits import is_in, reported_split
from chunkbench_store.results import MeasureRow, latencies_of

if TYPE_CHECKING:
    from chunkbench_engine.run.context import RunContext
    from chunkbench_engine.run.index_stage import Configuration
    from chunkbench_engine.run.judging import Judging
    from chunkbench_store.results import HitRow


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


def configuration_rows(
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
