"""What a reader of nDCG@k must know of the leader's context: more text can be a lead by itself.

nDCG@k, as published, counts passages and not what is in them. A passage that is long holds more
evidence, whatever it costs to read; and passages that overlap give the same evidence again, each
for a gain of its own, also where the pool counts equal passages once. Neither is a fault of the
strategy or of the measure, and neither shows in the score.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_engine.measures.verdict import Candidate

MUCH_REPEATED = 0.25
"""So large a share of the context that was given before is worth a sentence."""
MUCH_CONTEXT = 2.0
"""So many times the context of the others is worth one."""


def context_notes(leader: Candidate, others: Sequence[Candidate]) -> list[str]:
    """Sentences on the context that the leader hands on, if it is more, or the same again."""
    notes = []
    usual = median(other.costs[0] for other in others) if others else 0.0
    tokens = leader.costs[0]
    if usual and tokens >= MUCH_CONTEXT * usual:
        notes.append(
            f"{leader.label} hands on {tokens:,.0f} tokens for a question, {tokens / usual:,.1f} "
            "times what is usual among the others, and a longer passage holds more: a run with "
            "--budget compares at equal context."
        )
    if leader.repeated >= MUCH_REPEATED:
        notes.append(
            f"{leader.repeated * 100:.0f} % of what {leader.label} hands on repeats text that it "
            "has handed on already, and nDCG@k gains by the same evidence each time: a run with "
            "--budget counts it once."
        )
    return notes
