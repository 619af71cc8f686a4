"""What the questions screen shows at one moment, read in one go, off the event loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from chunkbench_store.questions import question_detail, question_list
from chunkbench_tui.selection import read_choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_store.database import Store
    from chunkbench_store.questions import QuestionDetail, QuestionList
    from chunkbench_store.strategies import StrategyEntry
    from chunkbench_tui.selection import Choice, Selection


class Narrowing(NamedTuple):
    """Which questions are listed.

    Attributes:
        failures: only those without an answering passage among the first k.
        differ: only those on which the first two strategies score differently.
    """

    failures: bool = False
    differ: bool = False


ALL = Narrowing()


class Answer(NamedTuple):
    """The hits of a strategy for the selected question; None where no question is listed."""

    entry: StrategyEntry
    detail: QuestionDetail | None


@dataclass(frozen=True, slots=True)
class QuestionsView:
    """The questions of a run under one configuration, and others beside it.

    Attributes:
        answers: of the selected question: the selected configuration first.
        second: the configuration that the first is compared with, None if it is the only one.
    """

    choice: Choice
    questions: QuestionList
    answers: tuple[Answer, ...]
    second: StrategyEntry | None

    @property
    def detail(self) -> QuestionDetail | None:
        """The selected question under the selected configuration."""
        return self.answers[0].detail


def read_questions(
    store: Store,
    selection: Selection,
    narrowing: Narrowing = ALL,
    others: Sequence[int] = (),
    columns: int = 1,
) -> QuestionsView | None:
    """The present view; None if there is no such run.

    Args:
        narrowing: the selected question gives way to the first of the list where it is not in it.
        others: configurations to put beside the selected one; filled up with those that follow.
        columns: number of configurations whose hits are read.
    """
    choice = read_choice(store, selection)
    if choice is None:
        return None
    run, config = choice.summary.id, choice.strategy.config
    beside = beside_of(choice, others, max(columns - 1, 1))
    second = beside[0] if beside else None
    listed = question_list(
        store,
        run,
        config,
        choice.summary.cutoff,
        failures=narrowing.failures,
        beside=second.config if second else None,
        differ=narrowing.differ,
    )
    chosen = selection.question
    if listed.entries and chosen not in {entry.id for entry in listed.entries}:
        chosen = listed.entries[0].id
    if not listed.entries:
        chosen = None
    answers = tuple(
        Answer(entry, None if chosen is None else question_detail(store, run, entry.config, chosen))
        for entry in (choice.strategy, *beside[: columns - 1])
    )
    return QuestionsView(choice, listed, answers, second)


def beside_of(choice: Choice, wanted: Sequence[int], count: int) -> list[StrategyEntry]:
    """So many strategies to put beside the chosen one: those wanted, else those that follow it."""
    entries, place = choice.strategies, choice.place
    by_config = {entry.config: entry for entry in entries}
    following = [*entries[place + 1 :], *entries[:place]]
    candidates = [by_config[config] for config in wanted if config in by_config] + following
    unlike = {entry.config: entry for entry in candidates if entry.config != choice.strategy.config}
    return list(unlike.values())[:count]
