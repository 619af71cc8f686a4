"""Stage four: grades, then measures.

The ideal of pooled nDCG is taken over all strategies of a run under the same model and retrieval:
it grows as they finish, so every measure is provisional until the last of them has been judged.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chunkbench_engine.annotate.tokens import tokenize
from chunkbench_engine.judges.evidence import EvidenceJudge
from chunkbench_engine.judges.judge import RetrievedChunk
from chunkbench_engine.questions.question import Passage, Question
from chunkbench_engine.run.scoring import Scored, pooled, score_configuration
from chunkbench_store.results import (
    JudgementRow,
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
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from chunkbench_engine.run.context import RunContext
    from chunkbench_engine.run.index_stage import Configuration


@dataclass
class Judging:
    """The judge, the questions it can judge, and what has been scored so far, by model
    and retrieval."""

    judge: EvidenceJudge
    questions: dict[int, Question]
    names: dict[int, str]
    text: Callable[[str], str]
    scored: dict[tuple[str, str], dict[int, Scored]] = field(default_factory=dict)
    _token_starts: dict[str, NDArray[np.int64]] = field(default_factory=dict)

    def token_starts(self, document: str) -> NDArray[np.int64]:
        """First character of each token of a document that was retrieved from."""
        if document not in self._token_starts:
            self._token_starts[document] = tokenize(self.text(document)).edges[:-1]
        return self._token_starts[document]


def prepare_judging(context: RunContext) -> Judging:
    """A judge over the run's questions with evidence."""
    questions = {}
    for row in context.questions:
        slots: dict[int, list[Passage]] = {}
        for passage in row.evidence:
            slots.setdefault(passage.slot, []).append(
                Passage(passage.document, passage.start, passage.end)
            )
        questions[row.id] = Question(
            row.key,
            row.text,
            tuple(tuple(slot) for slot in slots.values()),
            row.answers,
            row.category,
            row.split,
        )
    needed = {p.document for q in questions.values() for slot in q.evidence for p in slot}
    texts = {row.name: context.text(row.id) for row in context.documents if row.name in needed}
    ids = {row.name: row.id for row in context.documents}
    return Judging(
        EvidenceJudge(texts),
        questions,
        {row.id: row.name for row in context.documents},
        lambda name: context.text(ids[name]),
    )


async def judge_configuration(
    context: RunContext, configuration: Configuration, judging: Judging
) -> None:
    """Grade the hits that no earlier configuration shares, one question a transaction."""
    store = context.store
    waiting: dict[int, list[tuple[int, int, int]]] = {}
    for hit in unjudged_hits(store, configuration.id, judging.judge.id):
        if judging.questions[hit.question].evidence:
            waiting.setdefault(hit.question, []).append(
                (hit.document, hit.judged_start, hit.judged_end)
            )
    async with context.unit("judge"):
        for question, spans in waiting.items():
            rows = []
            for document, start, end in spans:
                grade = await judging.judge.grade(
                    judging.questions[question],
                    RetrievedChunk(judging.names[document], start, end),
                )
                rows.append(JudgementRow(question, document, start, end, grade.value, grade.reason))
            with store.write():
                put_judgements(store, judging.judge.id, rows)
    with store.write():
        set_config_state(store, configuration.id, "judged")
        context.count_stages()


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
            grades_of(store, configuration.id, judging.judge.id),
        )
        experiment = configuration.model, configuration.retrieval
        group = judging.scored.setdefault(experiment, {})
        group[configuration.id] = scored
        updated = await asyncio.to_thread(
            pooled,
            list(group.values()),
            context.settings.pool,
            context.settings.seed,
            context.settings.k,
        )
        with store.write():
            forget_verdicts(store, context.run)
            put_measures(store, configuration.id, scored.measures, provisional=True)
            for measure, values in scored.by_question.items():
                put_scores(store, configuration.id, measure, values)
            for config, (row, values) in zip(group, updated, strict=True):
                put_measures(store, config, [row], provisional=True)
                put_scores(store, config, row.name, values)
            set_config_state(store, configuration.id, "finished")
            context.count_stages()
