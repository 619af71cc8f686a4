"""The form of one question: what the selected passage answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Select, Static

from chunkbench_engine.questions.question import CATEGORIES, SPLITS
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from chunkbench_tui.gold_edits import Draft

_KEYS = (
    "enter saves · ctrl+n another passage that it needs too · ctrl+x drop its passages · esc leaves"
)


@dataclass(frozen=True, slots=True)
class Filled:
    """What was typed, and whether a further passage is to be selected before it is saved."""

    draft: Draft
    more: bool = False


class QuestionForm(ModalScreen[Filled | None]):
    """Gives what was typed; None if it was left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="question.leave"),
        Binding("ctrl+s", "save", "Save", priority=True, id="question.save"),
        Binding("ctrl+n", "more", "Another passage", priority=True, id="question.more"),
        Binding("ctrl+x", "drop", "Drop passages", priority=True, id="question.drop"),
    ]

    def __init__(self, draft: Draft, passages: Sequence[str]) -> None:
        """`passages` are the texts of the draft's evidence, one a slot."""
        super().__init__()
        self._draft = draft
        self._passages = tuple(passages)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(id="passages", markup=False)
            for name, label, value in (
                ("question", "Question", self._draft.question),
                ("answer", "Answer", self._draft.answer),
            ):
                with Horizontal(classes="line"):
                    yield Label(label)
                    yield Input(value, id=name, compact=True)
            for name, label, values, value in (
                ("category", "Category", CATEGORIES, self._draft.category),
                ("split", "Split", SPLITS, self._draft.split),
            ):
                with Horizontal(classes="line"):
                    yield Label(label)
                    yield Select(
                        [(known, known) for known in values],
                        prompt="none",
                        value=value if value in values else Select.NULL,
                        id=name,
                        compact=True,
                    )
            yield Static(id="problem", markup=False)
            yield Static(_KEYS, classes="hint", markup=False)

    def on_mount(self) -> None:
        self.query_one("#problem").display = False
        self._show_passages()
        self.query_one("#question", Input).focus()

    def _show_passages(self) -> None:
        room = 240 if len(self._passages) < 3 else 90
        lines = [
            f"{number}. {_short(text, room)}" for number, text in enumerate(self._passages, 1)
        ] or ["No passage: unanswerable, or its evidence is yet to be found."]
        self.query_one("#passages", Static).update("\n".join(lines))

    @on(Input.Submitted)
    def action_save(self) -> None:
        draft = self._filled()
        problem = ""
        if not draft.question:
            problem = "Type the question first."
        elif draft.category == "unanswerable" and draft.evidence:
            problem = "Unanswerable, with a passage: ctrl+x drops it, or choose another category."
        if problem:
            self._say(problem)
        else:
            self.dismiss(Filled(draft))

    def action_more(self) -> None:
        self.dismiss(Filled(self._filled(), more=True))

    def action_drop(self) -> None:
        self._draft = replace(self._draft, evidence=())
        self._passages = ()
        self._show_passages()

    def action_leave(self) -> None:
        self.dismiss(None)

    def _filled(self) -> Draft:
        return replace(
            self._draft,
            question=self.query_one("#question", Input).value.strip(),
            answer=self.query_one("#answer", Input).value.strip(),
            category=self._chosen("category"),
            split=self._chosen("split"),
        )

    def _chosen(self, name: str) -> str:
        value = self.query_one(f"#{name}", Select).value
        return value if isinstance(value, str) else ""

    def _say(self, problem: str) -> None:
        line = self.query_one("#problem", Static)
        line.display = True
        line.update(problem)


def _short(text: str, room: int) -> str:
    line = shown(" ".join(text.split()))
    return line if len(line) <= room else f"{line[: room // 2]} … {line[-room // 2 :]}"
