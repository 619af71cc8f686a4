"""The documents of a run, to choose one from."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from chunkbench_tui.safe_text import shown
from chunkbench_tui.widgets.column_layout import Heading
from chunkbench_tui.widgets.line import Line
from chunkbench_tui.widgets.line_table import LineTable
from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from chunkbench_store.boundaries import DocumentEntry


class DocumentsScreen(ModalScreen[int | None]):
    """Gives the id of the chosen document, None if none was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,d", "leave", "Close", id="documents.close"),
        Binding("slash", "app.find", "Find", show=False, id="documents.find"),
    ]

    def __init__(self, documents: Sequence[DocumentEntry], chosen: int) -> None:
        super().__init__()
        self._documents = documents
        self._notes = {entry.id: entry.note for entry in documents}
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        with Vertical():
            yield LineTable(search=("name",))
            yield Static(id="note", classes="hint", markup=False)

    def on_mount(self) -> None:
        widest = max(len(shown(entry.name)) for entry in self._documents)
        headings = [
            Heading("name", "document", 20, wanted=widest),
            Heading("characters", "characters", 10, right=True),
            Heading("chunks", "chunks", 9, right=True),
            Heading("evidence", "evidence", 8, right=True, weight=1),
        ]
        lines = [
            Line(
                entry.id,
                (
                    shown(entry.name),
                    f"{entry.characters:,}",
                    "waiting" if entry.chunks is None else f"{entry.chunks:,}",
                    str(entry.evidence or ""),
                ),
            )
            for entry in self._documents
        ]
        table = self.query_one(LineTable)
        table.show(headings, lines)
        table.move_to(self._chosen)
        table.focus()

    @on(LineTable.Highlighted)
    def _show_note(self, event: LineTable.Highlighted) -> None:
        """What was done to get from the file to its text."""
        note = "" if event.key is None else self._notes[event.key]
        show_text(self.query_one("#note", Static), shown(note) or "The file's text, as it is.")

    @on(LineTable.Chosen)
    def _chosen_one(self, event: LineTable.Chosen) -> None:
        self.dismiss(event.key)

    def action_leave(self) -> None:
        self.dismiss(None)
