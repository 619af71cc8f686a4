"""The judge of a run: opened where it can be, with what it has graded already."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from chunkbench_engine.annotate.tokens import tokenize
from chunkbench_engine.errors import Unavailable
from chunkbench_engine.judges.choice import EVIDENCE, PANEL, SUPPORT, can_judge
from chunkbench_engine.judges.evidence import EvidenceJudge
from chunkbench_engine.judges.panel import panel_id
from chunkbench_engine.questions.question import Passage, Question
from chunkbench_engine.run.context import answers_path
from chunkbench_store.judgements import graded_passages, set_judge
from chunkbench_store.results import forget_measures, set_config_state
from chunkbench_store.runs import run_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from chunkbench_engine.judges.judge import TextJudge
    from chunkbench_engine.run.context import RunContext
    from chunkbench_engine.run.pool import Scored

Key: TypeAlias = tuple[int, bytes]
"""A text that is judged for a question: the question's id and the text's hash."""

Judged: TypeAlias = tuple[int | None, str]
"""Grade and reason; a grade of None is a failure."""


@dataclass
class TextJudging:
    """The judges that are shown texts, and what each has said: equal texts are judged once.

    Attributes:
        members: one, or those of a panel.
        known: for each member's id, what it said; failures only of this life of the engine.
        asked: texts that were judged in this life, and `seconds` the time it took.
        estimated: whether it has been told how long the rest may take.
    """

    members: tuple[TextJudge, ...]
    known: dict[str, dict[Key, Judged]]
    asked: int = 0
    seconds: float = 0.0
    estimated: bool = False


@dataclass
class Judging:
    """The judge, the questions of the run, and what has been scored so far, by model
    and retrieval.

    Attributes:
        kind: as in the settings.
        judge: id of the judge whose grades are measured.
        evidence: grades by the evidence, whatever the judge, where a question has any.
        judged: ids of the questions that the judge can judge; the averages are over them.
        texts: the judges that are shown texts, once they are open; None with the evidence judge.
        told: what has been told already, so that it is told once.
    """

    kind: str
    judge: str
    evidence: EvidenceJudge
    questions: dict[int, Question]
    judged: frozenset[int]
    names: dict[int, str]
    text: Callable[[str], str]
    texts: TextJudging | None = None
    scored: dict[tuple[str, str], dict[int, Scored]] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    _token_starts: dict[str, NDArray[np.int64]] = field(default_factory=dict)

    def token_starts(self, document: str) -> NDArray[np.int64]:
        """First character of each token of a document that was retrieved from."""
        if document not in self._token_starts:
            self._token_starts[document] = tokenize(self.text(document)).edges[:-1]
        return self._token_starts[document]

    async def close(self) -> None:
        if self.texts is not None:
            for member in self.texts.members:
                await member.close()


def prepare_judging(context: RunContext) -> Judging:
    """The questions as a judge takes them, with the judge that the run has had so far."""
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
    kind = context.settings.judge
    run = run_of(context.store, context.run)
    assert run is not None
    return Judging(
        kind,
        run.manifest["judge"],
        EvidenceJudge(texts),
        questions,
        frozenset(key for key, question in questions.items() if can_judge(kind, question)),
        {row.id: row.name for row in context.documents},
        lambda name: context.text(ids[name]),
    )


async def take_up_judge(context: RunContext, judging: Judging) -> None:
    """Open the judge before anything is scored; what another judge has graded is judged again.

    A judge that cannot be opened now may be there when it is needed: until then, what it has
    graded stands.
    """
    if judging.kind == EVIDENCE:
        return
    try:
        await opened_texts(context, judging)
    except Unavailable:
        return


async def opened_texts(context: RunContext, judging: Judging) -> TextJudging:
    """The judges of texts; raises `Unavailable` where one of them cannot be asked."""
    if judging.texts is None:
        members = await asyncio.to_thread(_open_members, context, judging.kind)
        ids = [member.id for member in members]
        judge = panel_id(ids) if judging.kind == PANEL else ids[0]
        if judge != judging.judge:
            _change_judge(context, judging, judge)
        judging.texts = TextJudging(members, {name: _known(context, name) for name in ids})
    return judging.texts


def text_key(question: int, text: str) -> Key:
    return question, hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _open_members(context: RunContext, kind: str) -> tuple[TextJudge, ...]:
    if kind == SUPPORT:
        from chunkbench_engine.judges.support import open_support

        return (open_support(),)
    from chunkbench_engine.judges.ollama import open_judge

    settings = context.settings
    answers = answers_path(context.store.path)
    return tuple(open_judge(settings.ollama, name, answers) for name in settings.judge_models)


def _change_judge(context: RunContext, judging: Judging, judge: str) -> None:
    """Record the judge with its model's digest; all must be judged by the same."""
    if judging.scored:
        raise Unavailable(
            f"the judge is now {judge}, other strategies were graded by {judging.judge}: "
            f"resume the run, and all are graded by the one"
        )
    with context.store.write():
        set_judge(context.store, context.run, judge)
        graded = [
            row[0]
            for row in context.store.rows(
                "SELECT id FROM config WHERE run = ? AND state IN ('judged', 'finished')",
                (context.run,),
            )
        ]
        for config in graded:
            forget_measures(context.store, config)
            set_config_state(context.store, config, "retrieved")
        if graded:
            context.tell(
                f"the judge is now {judge}, it was {judging.judge}: all is judged again", "warning"
            )
    judging.judge = judge


def _known(context: RunContext, judge: str) -> dict[Key, Judged]:
    """What a judge has said of texts for the run's questions, in whatever place they stood."""
    known: dict[Key, Judged] = {}
    document, text = -1, ""
    for passage, grade, reason in graded_passages(context.store, context.run, judge):
        if passage.document != document:
            document, text = passage.document, context.text(passage.document)
        known[text_key(passage.question, text[passage.start : passage.end])] = (grade, reason)
    return known
