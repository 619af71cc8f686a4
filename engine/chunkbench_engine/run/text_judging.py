"""Judging texts: many requests at a time, each judgement kept as soon as it is there."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from chunkbench_engine.judges.choice import OLLAMA, PANEL
from chunkbench_engine.judges.judge import Grade, Unjudged
from chunkbench_engine.judges.panel import panel_grade
from chunkbench_engine.run.judging import opened_texts, text_key
from chunkbench_store.judgements import PassageRow, failures_of, passages_of
from chunkbench_store.results import (
    JudgementRow,
    hits_of,
    put_judgements,
    set_config_progress,
    unjudged_hits,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chunkbench_engine.judges.judge import TextJudge
    from chunkbench_engine.run.context import RunContext
    from chunkbench_engine.run.index_stage import Configuration
    from chunkbench_engine.run.judging import Judged, Judging, Key, TextJudging
    from chunkbench_store.results import HitRow


async def judge_texts(context: RunContext, configuration: Configuration, judging: Judging) -> str:
    """Have what a configuration retrieved judged; why that failed, "" if it did not.

    The members of a panel take their turns, so that a server need not hold all models at once.

    Raises:
        Unavailable: a judge cannot be asked; what it has said so far is kept.
    """
    texts = await opened_texts(context, judging)
    work = _Work(context, configuration, judging, texts)
    began, asked = time.monotonic(), texts.asked
    for member in texts.members:
        await work.have_judged(member)
    texts.seconds += time.monotonic() - began
    if context.config_state(configuration.id) != "retrieved":
        return ""  # cancelled meanwhile
    failures = [
        reason
        for member in texts.members
        for reason in failures_of(context.store, configuration.id, member.id)
    ]
    if failures:
        return f"{len(failures)} of {work.total} judgements failed: {failures[0]}; retry"
    if judging.kind == PANEL:
        work.have_concluded()
    if asked < texts.asked and not texts.estimated:
        texts.estimated = True
        _tell_estimate(context, judging, texts)
    return ""


def tell_judged(context: RunContext, judging: Judging) -> None:
    """Say how much was judged, and how much of it was equal."""
    if judging.kind not in (OLLAMA, PANEL):
        return
    hits = sum(
        count
        for question, count in context.store.rows(
            "SELECT question, count(*) FROM hit"
            " WHERE config IN (SELECT id FROM config WHERE run = ?) GROUP BY question",
            (context.run,),
        )
        if question in judging.judged
    )
    passages = [p for p in passages_of(context.store, context.run) if p.question in judging.judged]
    texts = {text_key(place.question, text) for place, text in _with_texts(context, passages)}
    with context.store.write():
        context.tell(
            f"{hits:,} hits are {len(passages):,} different passages and {len(texts):,} different "
            "texts to be judged: equal ones once"
        )


class _Work:
    """What a configuration retrieved, by text.

    Attributes:
        total: judgements of passages, by all members together.
    """

    def __init__(
        self,
        context: RunContext,
        configuration: Configuration,
        judging: Judging,
        texts: TextJudging,
    ) -> None:
        self._context = context
        self._config = configuration.id
        self._judging = judging
        self._judges = texts
        places = {
            _place(hit)
            for ranked in hits_of(context.store, configuration.id).values()
            for hit in ranked
            if hit.question in judging.judged
        }
        self._texts: dict[Key, str] = {}
        self._keys: dict[PassageRow, Key] = {}
        for place, text in _with_texts(context, places):
            self._keys[place] = text_key(place.question, text)
            self._texts[self._keys[place]] = text
        self.total = len(places) * len(texts.members)
        self._done = self.total - sum(
            len(left) for member in texts.members for left in self._waiting(member.id).values()
        )

    async def have_judged(self, member: TextJudge) -> None:
        """Ask a judge about each text that it has not seen, as many at a time as it takes."""
        known = self._judges.known[member.id]
        waiting = self._waiting(member.id)
        self._keep(
            member.id, [(places, known[key]) for key, places in waiting.items() if key in known]
        )
        unseen = iter([(key, places) for key, places in waiting.items() if key not in known])
        tasks = [
            asyncio.create_task(self._judge_each(member, unseen)) for _ in range(member.concurrency)
        ]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def have_concluded(self) -> None:
        """Put the panel's grades beside its members'."""
        rows = []
        for key, places in self._waiting(self._judging.judge).items():
            said = [self._judges.known[member.id][key] for member in self._judges.members]
            grade = panel_grade([Grade(value, why) for value, why in said if value is not None])
            rows += _rows(places, (grade.value, grade.reason))
        with self._context.store.write():
            put_judgements(self._context.store, self._judging.judge, rows)

    async def _judge_each(
        self, member: TextJudge, unseen: Iterator[tuple[Key, list[PassageRow]]]
    ) -> None:
        for key, places in unseen:
            async with self._context.unit("judge"):
                if self._context.config_state(self._config) != "retrieved":
                    return  # cancelled while it waited
                answers = self._judging.questions[key[0]].answers
                judged: Judged
                try:
                    grade = await member.grade(answers, self._texts[key])
                    judged = grade.value, grade.reason
                except Unjudged as reason:
                    judged = None, str(reason)
                self._judges.known[member.id][key] = judged
                self._judges.asked += 1
                self._keep(member.id, [(places, judged)])

    def _waiting(self, judge: str) -> dict[Key, list[PassageRow]]:
        """Passages that a judge has not graded, by their text."""
        waiting: dict[Key, list[PassageRow]] = {}
        for hit in unjudged_hits(self._context.store, self._config, judge):
            if hit.question in self._judging.judged:
                place = _place(hit)
                waiting.setdefault(self._keys[place], []).append(place)
        return waiting

    def _keep(self, judge: str, judged: list[tuple[list[PassageRow], Judged]]) -> None:
        """Write judgements, and how far it has come, in one transaction."""
        context = self._context
        self._done += sum(len(places) for places, _ in judged)
        with context.store.write():
            for places, said in judged:
                put_judgements(context.store, judge, _rows(places, said))
            if context.config_state(self._config) == "retrieved":
                set_config_progress(context.store, self._config, self._done, self.total)
                context.count_stages()


def _tell_estimate(context: RunContext, judging: Judging, texts: TextJudging) -> None:
    """Say how long the rest may take, once it is known how long a judgement takes."""
    if judging.kind not in (OLLAMA, PANEL):
        return
    left = context.store.value(
        "SELECT count(*) FROM config WHERE run = ? AND state IN"
        " ('waiting', 'embedding', 'indexed', 'retrieving', 'retrieved') AND done < max(total, 1)",
        (context.run,),
    )
    # with a budget the lists are of any length: the mean of those that there are
    passages = context.store.value(
        "SELECT 1.0 * count(*) / max(1, count(DISTINCT config || ' ' || question)) FROM hit"
        " WHERE config IN (SELECT id FROM config WHERE run = ?)",
        (context.run,),
    )
    longest = passages if context.settings.budget else context.settings.k
    most = round(left * longest * len(judging.judged) * len(texts.members))
    about = "about" if context.settings.budget else "at most"
    pace = texts.seconds / texts.asked
    tokens = sum(member.prompt_tokens for member in texts.members)
    with context.store.write():
        context.tell(
            f"{texts.asked:,} texts judged, {pace:.1f} s and {tokens / texts.asked:,.0f} tokens "
            f"each; {about} {most:,} more: {most * pace / 60:,.0f} min, "
            f"{most * tokens / texts.asked:,.0f} tokens"
        )


def _with_texts(
    context: RunContext, places: Iterable[PassageRow]
) -> Iterator[tuple[PassageRow, str]]:
    """Passages with their texts, document by document."""
    document, text = -1, ""
    for place in sorted(places, key=lambda p: (p.document, p.question, p.start, p.end)):
        if place.document != document:
            document, text = place.document, context.text(place.document)
        yield place, text[place.start : place.end]


def _rows(places: Iterable[PassageRow], judged: Judged) -> list[JudgementRow]:
    return [JudgementRow(p.question, p.document, p.start, p.end, *judged) for p in places]


def _place(hit: HitRow) -> PassageRow:
    return PassageRow(hit.question, hit.document, hit.judged_start, hit.judged_end)
