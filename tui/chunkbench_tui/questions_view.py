"""What the questions screen shows at one moment, read in one go, off the event loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkbench_store.questions import question_detail, question_list
from chunkbench_tui.selection import read_choice

if TYPE_CHECKING:
    from chunkbench_store.database import Store
    from chunkbench_store.questions import QuestionDetail, QuestionList
    from chunkbench_tui.selection import Choice, Selection


@dataclass(frozen=True, slots=True)
class QuestionsView:
    """The questions of a run under one configuration.

    Attributes:
        detail: of the selected question; None where no question is listed.
    """

    choice: Choice
    questions: QuestionList
    detail: QuestionDetail | None


def read_questions(store: Store, selection: Selection, failures: bool) -> QuestionsView | None:
    """The present view; None if there is no such run.

    Args:
        failures: only questions without an answering passage within the cutoff. The selected
            question gives way to the first of the list where it is not in it.
    """
    choice = read_choice(store, selection)
    if choice is None:
        return None
    run, config = choice.summary.id, choice.strategy.config
    listed = question_list(store, run, config, choice.summary.cutoff, failures=failures)
    chosen = selection.question
    if listed.entries and chosen not in {entry.id for entry in listed.entries}:
        chosen = listed.entries[0].id
    if not listed.entries or chosen is None:
        return QuestionsView(choice, listed, None)
    return QuestionsView(choice, listed, question_detail(store, run, config, chosen))
