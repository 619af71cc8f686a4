"""Which documents questions are built for, and which file they go to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType


class GoldOpenScreen(ModalScreen[tuple[str, str] | None]):
    """Gives a corpus and a question file ("" for the usual one); None if it was left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Close", id="opening.close")
    ]

    def __init__(self, corpus: str, file: str) -> None:
        super().__init__()
        self._corpus = corpus
        self._file = file

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static("Build questions about", markup=False)
            with Horizontal(classes="line"):
                yield Label("Documents")
                yield Input(
                    self._corpus, placeholder="a folder, or one file", id="corpus", compact=True
                )
            with Horizontal(classes="line"):
                yield Label("Questions")
                yield Input(
                    self._file,
                    placeholder="questions.jsonl in that folder",
                    id="file",
                    compact=True,
                )
            yield Static("enter opens · esc leaves", classes="hint", markup=False)

    @on(Input.Changed, "#corpus")
    def _other_corpus(self, event: Input.Changed) -> None:
        file = self.query_one("#file", Input)
        if event.value != self._corpus and file.value == self._file:
            file.value = ""  # the file of other documents is not meant

    @on(Input.Submitted)
    def _open(self) -> None:
        corpus = self.query_one("#corpus", Input).value.strip()
        file = self.query_one("#file", Input).value.strip()
        if corpus:
            self.dismiss((_absolute(corpus), _absolute(file) if file else ""))

    def action_leave(self) -> None:
        self.dismiss(None)


def _absolute(path: str) -> str:
    return str(Path(path).expanduser().absolute())
