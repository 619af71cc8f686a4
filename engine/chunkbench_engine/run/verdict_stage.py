"""The end of a run: the measures stand, and a verdict is reached for each
model and retrieval."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.judges.choice import can_judge
from chunkbench_engine.measures.saying import say
from chunkbench_engine.measures.verdict import Candidate, reach_verdict
from chunkbench_engine.run.splits import DEV, is_in, reported_split
from chunkbench_store.experiments import experiment_name
from chunkbench_store.results import StandingRow, put_verdict, scores_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chunkbench_engine.measures.verdict import Standing, Verdict
    from chunkbench_engine.run.context import RunContext


@dataclass(frozen=True, slots=True)
class _Field:
    """An experiment's finished configurations; the tables are `(configurations, questions)`."""

    model: str
    retrieval: str
    configs: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    reported: NDArray[np.float64]
    dev: NDArray[np.float64] | None


async def close_pool(context: RunContext) -> None:
    """All strategies are judged: from here on the measures stand, and can be concluded from."""
    split = reported_split(context.questions, context.settings.judge)
    fields = [_field(context, *experiment, split) for experiment in context.settings.experiments]
    reached = await asyncio.to_thread(
        _reach, [f for f in fields if f], split, context.settings.seed
    )
    with context.store.write():
        context.store.execute(
            "UPDATE measure SET provisional = 0"
            " WHERE config IN (SELECT id FROM config WHERE run = ?)",
            (context.run,),
        )
        for field, (verdict, standings) in reached:
            rows = [
                StandingRow(config, standing.selection, standing.p_leader, standing.tied)
                for config, standing in zip(field.configs, standings, strict=True)
            ]
            content = verdict.as_dict()
            put_verdict(context.store, context.run, field.model, field.retrieval, content, rows)
            context.tell(f"{experiment_name(field.model, field.retrieval)}: {say(verdict)[0]}")


def _reach(
    fields: Sequence[_Field], split: str, seed: int
) -> list[tuple[_Field, tuple[Verdict, tuple[Standing, ...]]]]:
    return [
        (
            field,
            reach_verdict(field.candidates, field.reported, split=split, dev=field.dev, seed=seed),
        )
        for field in fields
    ]


def _field(context: RunContext, model: str, retrieval: str, split: str) -> _Field | None:
    """What the verdict over an experiment's configurations rests on; None if none is finished."""
    cutoff = context.settings.cutoff
    rows = context.store.rows(
        "SELECT config.id, label, abbreviation, digest, index_bytes,"
        " own_seconds + charged_seconds AS cold_seconds,"
        " (SELECT value FROM measure WHERE measure.config = config.id AND name = ?) AS tokens,"
        " (SELECT value FROM measure WHERE measure.config = config.id AND name = ?) AS repeated"
        " FROM config JOIN chunk_set ON chunk_set.id = config.chunk_set"
        " WHERE config.run = ? AND model = ? AND retrieval = ? AND config.state = 'finished'"
        " ORDER BY position",
        (f"Tokens@{cutoff}", f"RepeatShare@{cutoff}", context.run, model, retrieval),
    )
    if not rows:
        return None
    scores = [scores_of(context.store, row["id"], f"nDCG@{cutoff}") for row in rows]

    judged = [q for q in context.questions if can_judge(context.settings.judge, q)]

    def table(of: str) -> NDArray[np.float64]:
        keys = [q.id for q in judged if is_in(q, of)]
        return np.array([[values[key] for key in keys] for values in scores])

    chosen_apart = split and any(q.split == DEV for q in judged)
    return _Field(
        model,
        retrieval,
        tuple(row["id"] for row in rows),
        tuple(
            Candidate(
                row["label"],
                row["abbreviation"],
                row["digest"],
                (row["tokens"], row["index_bytes"], row["cold_seconds"]),
                0.0 if context.settings.budget else row["repeated"],
            )
            for row in rows
        ),
        table(split),
        table(DEV) if chosen_apart else None,
    )
