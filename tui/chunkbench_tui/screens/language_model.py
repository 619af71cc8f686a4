"""Which language model is to propose questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from chunkbench_engine.language.address import DEFAULT_LANGUAGE_MODEL

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType


class ModelScreen(ModalScreen[str | None]):
    """Gives the name of an Ollama model; None if it was left."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Close", id="model.close")]

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(
                "A language model proposes questions about excerpts drawn from the raw text; you "
                "accept, edit or reject each. They are marked as synthetic in the file.",
                markup=False,
            )
            with Horizontal(classes="line"):
                yield Label("Model")
                yield Input(DEFAULT_LANGUAGE_MODEL, id="name", compact=True)
            yield Static("enter asks · esc leaves", classes="hint", markup=False)

    @on(Input.Submitted)
    def _chosen(self, event: Input.Submitted) -> None:
        if event.value.strip():
            self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        self.dismiss(None)
