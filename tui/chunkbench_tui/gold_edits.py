"""Changes to a question file: each is its lines before and after, so that it can be undone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkbench_engine.questions.question_file import changed_line, new_id, row_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chunkbench_engine.questions.gold import GoldRow, Places
    from chunkbench_engine.questions.question_file import Lines


@dataclass(frozen=True, slots=True)
class Draft:
    """A question as it is being written.

    Attributes:
        question: what is asked.
        answer: a reference answer, "" for none.
        category: one of the known ones, "" for none.
        split: one of the known ones, "" for none.
        evidence: its passages so far.
        row: the row that it changes; None for a new one.
        model: the language model that proposed it, "" for none.
    """

    question: str = ""
    answer: str = ""
    category: str = ""
    split: str = ""
    evidence: Places = ()
    row: GoldRow | None = None
    model: str = ""


class Edit(NamedTuple):
    """A change of the file, and what was done in a phrase."""

    what: str
    before: Lines
    after: Lines


def draft_of(row: GoldRow) -> Draft:
    """A row, to be changed."""
    answer = row.answers[0] if row.answers else ""
    return Draft(row.question, answer, row.category, row.split, row.evidence, row)


def kept(lines: Lines, draft: Draft, evidence: list[Any], taken: Iterable[str]) -> Edit:
    """The file with a draft in it: in the place of its row, or at the end.

    What a row has besides stays: its id, further answers, fields of other programs.

    Args:
        evidence: the draft's passages, as the file has them.
        taken: ids that are in use.
    """
    fields: dict[str, Any] = {
        "question": draft.question,
        "category": draft.category,
        "split": draft.split,
    }
    if draft.row is None:
        fields = {"id": new_id(draft.question, taken), **fields}
        made = {**fields, "answer": draft.answer, "evidence": evidence}
        if draft.model:
            made |= {"synthetic": True, "model": draft.model}
        return Edit("question added", lines, (*lines, row_line(made)))
    if draft.answer != draft_of(draft.row).answer:
        fields["answer"] = [answer for answer in (draft.answer, *draft.row.answers[1:]) if answer]
        fields["answers"] = None
    if draft.evidence != draft.row.evidence:
        fields |= {"evidence": evidence, "references": None, "gold": None}
    line = changed_line(lines[draft.row.line], fields)
    return Edit("question changed", lines, _replaced(lines, draft.row.line, (line,)))


def removed(lines: Lines, row: GoldRow) -> Edit:
    """The file without a row."""
    return Edit("question deleted", lines, _replaced(lines, row.line, ()))


def undone(edit: Edit) -> Edit:
    """The change that takes another one back."""
    return Edit(f"undone: {edit.what}", edit.after, edit.before)


def _replaced(lines: Lines, place: int, by: Lines) -> Lines:
    return (*lines[:place], *by, *lines[place + 1 :])
