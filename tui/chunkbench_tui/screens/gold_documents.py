"""The documents of a corpus with the questions each has, to choose one from."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen

from chunkbench_tui.safe_text import shown
from chunkbench_tui.widgets.column_layout import Heading
from chunkbench_tui.widgets.line import Line
from chunkbench_tui.widgets.line_table import LineTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from chunkbench_engine.questions.gold import GoldDocument, GoldRow


class GoldDocumentsScreen(ModalScreen[str | None]):
    """Gives the id of the chosen document, None if none was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,d", "leave", "Close", id="gold_documents.close"),
    ]

    def __init__(
        self, documents: Sequence[GoldDocument], rows: Sequence[GoldRow], chosen: str
    ) -> None:
        super().__init__()
        self._documents = documents
        self._asked = Counter(
            document
            for row in rows
            for document in {place[0] for slot in row.evidence for place in slot}
        )
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        with Vertical():
            yield LineTable()

    def on_mount(self) -> None:
        widest = max(len(shown(document.id)) for document in self._documents)
        headings = [
            Heading("name", "document", 20, wanted=widest),
            Heading("characters", "characters", 10, right=True),
            Heading("questions", "questions", 9, right=True),
        ]
        lines = [
            Line(
                place,
                (
                    shown(document.id),
                    f"{document.characters:,}",
                    str(self._asked[document.id] or ""),
                ),
            )
            for place, document in enumerate(self._documents)
        ]
        table = self.query_one(LineTable)
        table.show(headings, lines)
        ids = [document.id for document in self._documents]
        table.move_to(ids.index(self._chosen) if self._chosen in ids else 0)
        table.focus()

    @on(LineTable.Chosen)
    def _chosen_one(self, event: LineTable.Chosen) -> None:
        self.dismiss(self._documents[event.key].id)

    def action_leave(self) -> None:
        self.dismiss(None)
