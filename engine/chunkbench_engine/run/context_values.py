"""What the retrieved context costs, whatever is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.judges.judge import RetrievedChunk
from chunkbench_engine.measures.context import ContextCost, context_cost

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chunkbench_engine.questions.question import Passage
    from chunkbench_engine.run.judging import Judging
    from chunkbench_store.results import HitRow


def retrieved_of(judging: Judging, hits: Sequence[HitRow]) -> list[RetrievedChunk]:
    return [
        RetrievedChunk(judging.names[hit.document], hit.judged_start, hit.judged_end)
        for hit in hits
    ]


def cost_of(
    judging: Judging, retrieved: Sequence[RetrievedChunk], evidence: Sequence[Passage]
) -> ContextCost:
    starts = {chunk.document: judging.token_starts(chunk.document) for chunk in retrieved}
    return context_cost(retrieved, evidence, starts)


def context_values(
    judging: Judging, questions: Sequence[int], hits: dict[int, list[HitRow]], cutoff: str
) -> dict[str, NDArray[np.float64]]:
    """What the context costs, whatever is in it."""
    costs = [cost_of(judging, retrieved_of(judging, hits.get(key, [])), []) for key in questions]
    return {
        f"Tokens@{cutoff}": np.array([cost.tokens for cost in costs], dtype=np.float64),
        f"RepeatShare@{cutoff}": np.array([cost.repeated_share for cost in costs]),
    }
