"""Grading a passage oneself."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.content import Content

SCALE = "0 not relevant · 1 partially · 2 fully · esc leaves it"


class GradeScreen(ModalScreen[int | None]):
    """Gives the grade, None for none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(grade), f"answer({grade})", what, id=f"grade.{grade}")
            for grade, what in enumerate(("Not relevant", "Partially", "Fully"))
        ),
        Binding("escape", "leave", "Leave", id="grade.leave"),
        Binding("j,down", "scroll(1)", "Down", show=False, id="grade.down"),
        Binding("k,up", "scroll(-1)", "Up", show=False, id="grade.up"),
    ]

    def __init__(self, wanted: Content, passage: Content) -> None:
        """A question about a passage.

        Args:
            wanted: what the passage is to be held against.
        """
        super().__init__()
        self._wanted = wanted
        self._passage = passage

    def compose(self) -> ComposeResult:
        with Vertical():
            with VerticalScroll(id="grade-scroll"):
                yield Static(self._wanted, markup=False)
                yield Static(self._passage, id="grade-passage", markup=False)
            yield Static(SCALE, id="grade-scale", markup=False)

    def on_mount(self) -> None:
        self.query_one("#grade-scroll").focus()

    def action_answer(self, grade: int) -> None:
        self.dismiss(grade)

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_scroll(self, by: int) -> None:
        self.query_one("#grade-scroll").scroll_relative(y=by, animate=False)
