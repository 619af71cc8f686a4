"""Which judge a run has, and which questions it can judge. Light: the command line reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from chunkbench_engine.errors import BadInput
from chunkbench_engine.language.address import DEFAULT_JUDGE_MODEL
from chunkbench_store.questions import PERSON

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EVIDENCE = "evidence"
OLLAMA = "ollama"
PANEL = "panel"
SUPPORT = "support"
JUDGES = (EVIDENCE, OLLAMA, PANEL, SUPPORT)

YOU = PERSON
"""Judge of the spot check, and of the grades given in the app: the person before the terminal."""

PROXY = "by a proxy: the words and the meaning that a passage shares with the answer"
"""What is to be known of the numbers of the support judge."""

_NEEDS = {EVIDENCE: "evidence", OLLAMA: "an answer", PANEL: "an answer", SUPPORT: "an answer"}


class Judgeable(Protocol):
    """A question, as read or as stored."""

    @property
    def evidence(self) -> Sequence[object]: ...
    @property
    def answers(self) -> Sequence[str]: ...
    @property
    def category(self) -> str: ...


def can_judge(judge: str, question: Judgeable) -> bool:
    """Whether a judge has what it needs to grade what was retrieved for a question."""
    if question.category == "unanswerable":
        return False
    return bool(question.evidence if judge == EVIDENCE else question.answers)


def choose_judge(judge: str, questions: Sequence[Judgeable]) -> str:
    """The judge of a run: the one named, or by default evidence, else support.

    Raises:
        BadInput: no question has what the judge needs.
    """
    if not judge:
        judge = next((j for j in (EVIDENCE, SUPPORT) if _judged(j, questions)), "")
        if not judge:
            raise BadInput(
                "no question has evidence or an answer: without either there is no judge to grade "
                "the hits"
            )
    if judge not in JUDGES:
        raise BadInput(f"there is no judge {judge!r}: name one of {', '.join(JUDGES)}")
    if not _judged(judge, questions):
        raise BadInput(f"no question has {_NEEDS[judge]}, which the judge {judge} needs")
    return judge


def judge_models(judge: str, models: Sequence[str]) -> tuple[str, ...]:
    """The language models that a judge asks; raises `BadInput` where they do not go with it."""
    named = tuple(dict.fromkeys(models))
    if judge == OLLAMA:
        if len(named) > 1:
            raise BadInput("the judge ollama asks one model: for several take --judge panel")
        return named or (DEFAULT_JUDGE_MODEL,)
    if judge == PANEL:
        if len(named) < 2:
            raise BadInput("a panel needs two models or more: name each with --judge-model")
        return named
    if named:
        raise BadInput("--judge-model goes with --judge ollama or --judge panel only")
    return ()


def left_out(judge: str, questions: Iterable[Judgeable]) -> str:
    """A remark on the answerable questions that the judge cannot judge; "" if there are none."""
    answerable = [question for question in questions if question.category != "unanswerable"]
    missing = sum(1 for question in answerable if not can_judge(judge, question))
    if not missing:
        return ""
    have = "has" if missing == 1 else "have"
    needed = _NEEDS[judge].removeprefix("an ")
    return (
        f"{missing} of {len(answerable)} answerable questions {have} no {needed}: "
        f"left out of the averages, as the judge {judge} needs it"
    )


def _judged(judge: str, questions: Iterable[Judgeable]) -> bool:
    return any(can_judge(judge, question) for question in questions)
