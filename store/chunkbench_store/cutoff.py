"""Where a question's ranked list ends: after k passages, or with a budget of context tokens."""

from __future__ import annotations


def cutoff_name(k: int, budget: int = 0) -> str:
    """What stands behind the `@` of a run's measures: `5`, or `2000t` with a budget.

    The `t` is part of the name, so that a measure over 2,000 tokens is never taken for one over
    2,000 passages.
    """
    return f"{budget}t" if budget else str(k)


CUTOFF = (
    "CASE WHEN coalesce(json_extract(run.settings, '$.budget'), 0) > 0"
    " THEN json_extract(run.settings, '$.budget') || 't'"
    " ELSE json_extract(run.settings, '$.k') END"
)
"""The same in SQL, where the table `run` is joined."""
