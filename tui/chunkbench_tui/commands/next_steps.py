"""What to try next, as the reports say it of an experiment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.measures.advice import Outcome, next_steps
from chunkbench_store.strategies import parameters_of

if TYPE_CHECKING:
    from chunkbench_store.database import Store
    from chunkbench_store.live import LiveRun


def steps_of(store: Store, live: LiveRun, experiment: str) -> list[str]:
    """Sentences, the most telling first; none while there is no verdict."""
    # Imported here: it computes, and the commands are all read before one is called.
    from chunkbench_engine.measures.verdict import verdict_from

    verdict = next((v for v in live.verdicts if v.experiment == experiment), None)
    if verdict is None:
        return []
    cutoff = live.summary.cutoff
    parameters = parameters_of(store, live.summary.id)
    outcomes = [
        Outcome(
            label=row.label,
            strategy=parameters[row.chunk_set][0],
            hit=row.value(f"Hit@{cutoff}") or 0.0,
            ceiling=row.value("Ceiling"),
            tokens=row.value(f"Tokens@{cutoff}") or 0.0,
            over_window=row.value("OverWindow") or 0.0,
            parameters=parameters[row.chunk_set][1],
        )
        for row in live.board
        if row.experiment == experiment and f"nDCG@{cutoff}" in row.measures
    ]
    tried = list(dict.fromkeys(row.retrieval for row in live.board))
    return next_steps(verdict_from(verdict.content), outcomes, verdict.retrieval, tried)
