"""Stage four: grades, then measures.

The ideal of pooled nDCG is taken over all strategies of a run under the same model and retrieval:
it grows as they finish, so every measure is provisional until the last of them has been judged.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from chunkbench_engine.errors import Unavailable
from chunkbench_engine.judges.choice import EVIDENCE
from chunkbench_engine.judges.judge import RetrievedChunk
from chunkbench_engine.run.pool import pool_part, pooled
from chunkbench_engine.run.scoring import score_configuration
from chunkbench_engine.run.text_judging import judge_texts
from chunkbench_store.analysis import forget_analysis
from chunkbench_store.results import (
    JudgementRow,
    advance_config,
    forget_verdicts,
    grades_of,
    hits_of,
    put_judgements,
    put_measures,
    put_scores,
    set_config_state,
    unjudged_hits,
)

if TYPE_CHECKING:
    from chunkbench_engine.run.context import RunContext
    from chunkbench_engine.run.index_stage import Configuration
    from chunkbench_engine.run.judging import Judging


async def judge_configuration(
    context: RunContext, configuration: Configuration, judging: Judging
) -> None:
    """Grade the hits that no earlier configuration shares; it is then judged.

    A configuration some of whose judgements failed is failed, and one whose judge cannot be asked
    unavailable: a missing grade is no 0.
    """
    store = context.store
    state, reason = "judged", ""
    await _judge_by_evidence(context, configuration, judging)
    if judging.kind != EVIDENCE:
        try:
            reason = await judge_texts(context, configuration, judging)
            state = "failed" if reason else "judged"
        except Unavailable as error:
            state, reason = "unavailable", str(error)
    with store.write():
        if context.config_state(configuration.id) != "retrieved":
            return  # cancelled meanwhile
        set_config_state(store, configuration.id, state, reason)
        if state == "failed":
            context.tell(
                f"{configuration.label} with {configuration.experiment}: {reason}", "error"
            )
        elif state == "unavailable" and reason not in judging.told:
            judging.told.add(reason)
            context.tell(f"the judge is unavailable: {reason}", "error")
        context.count_stages()


async def _judge_by_evidence(
    context: RunContext, configuration: Configuration, judging: Judging
) -> None:
    """Grade by the evidence, where there is any: it costs nothing, and any other judge can be
    held against it. One question a transaction."""
    store = context.store
    judge = judging.evidence
    waiting: dict[int, list[tuple[int, int, int]]] = {}
    for hit in unjudged_hits(store, configuration.id, judge.id):
        if judging.questions[hit.question].evidence:
            waiting.setdefault(hit.question, []).append(
                (hit.document, hit.judged_start, hit.judged_end)
            )
    async with context.unit("judge"):
        for question, spans in waiting.items():
            rows = []
            for document, start, end in spans:
                grade = await judge.grade(
                    judging.questions[question],
                    RetrievedChunk(judging.names[document], start, end),
                )
                rows.append(JudgementRow(question, document, start, end, grade.value, grade.reason))
            with store.write():
                put_judgements(store, judge.id, rows)


def take_up_measured(context: RunContext, configuration: Configuration, judging: Judging) -> None:
    """Put a configuration that an earlier worker has measured into the pool; its measures stand."""
    group = judging.scored.setdefault((configuration.model, configuration.retrieval), {})
    group[configuration.id] = pool_part(
        context,
        judging,
        hits_of(context.store, configuration.id),
        grades_of(context.store, configuration.id, judging.judge),
    )


async def measure_configuration(
    context: RunContext, configuration: Configuration, judging: Judging
) -> None:
    """Measure a judged configuration, and bring the pooled measure of the others up to date."""
    store = context.store
    async with context.unit("judge"):
        scored = score_configuration(
            context,
            configuration,
            judging,
            hits_of(store, configuration.id),
            grades_of(store, configuration.id, judging.judge),
        )
        experiment = configuration.model, configuration.retrieval
        group = judging.scored.setdefault(experiment, {})
        group[configuration.id] = scored
        updated = await asyncio.to_thread(
            pooled,
            list(group.values()),
            context.settings,
        )
        with store.write():
            if not advance_config(store, configuration.id, "finished"):
                del group[configuration.id]  # cancelled meanwhile: it has no part in the pool
                return
            forget_verdicts(store, context.run)
            forget_analysis(store, context.run)
            put_measures(store, configuration.id, scored.measures, provisional=True)
            for measure, values in scored.by_question.items():
                put_scores(store, configuration.id, measure, values)
            for config, (rows, values) in zip(group, updated, strict=True):
                put_measures(store, config, rows, provisional=True)
                put_scores(store, config, rows[0].name, values)
            context.count_stages()
