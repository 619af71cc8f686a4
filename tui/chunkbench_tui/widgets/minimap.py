"""The column that shows a whole document, and which part of it is on the screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events

    from chunkbench_tui.document.minimap import MapRow

COLUMNS = 4


class Minimap(Widget):
    """Four cells wide: what is on the screen, chunks begun, overlap, evidence."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"minimap--seen", "minimap--row"}
    DEFAULT_CSS = """
    Minimap {
        width: 4;
        height: 1fr;
        & > .minimap--row { color: $foreground-muted; }
        & > .minimap--seen { color: $foreground; background: $surface-lighten-2; }
    }
    """

    @dataclass
    class Clicked(Message):
        """A person wants to go to this part of the document, from 0 to 1."""

        fraction: float

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._rows: tuple[MapRow, ...] = ()
        self._seen = range(0)

    def show(self, rows: Sequence[MapRow], seen: range) -> None:
        """Show these rows, of which some are on the screen."""
        new = tuple(rows)
        if new != self._rows or seen != self._seen:
            self._rows, self._seen = new, seen
            self.refresh()

    def move(self, seen: range) -> None:
        """Show that another part is on the screen."""
        self.show(self._rows, seen)

    def render_line(self, y: int) -> Strip:
        width, base = self.size.width, self.rich_style
        if not 0 <= y < len(self._rows):
            return Strip.blank(width, base)
        seen = y in self._seen
        style = self.get_component_rich_style("minimap--seen" if seen else "minimap--row")
        text = ("▌" if seen else " ") + "".join(self._rows[y])
        return Strip([Segment(text, style)], COLUMNS).adjust_cell_length(width, base)

    def on_click(self, event: events.Click) -> None:
        if self._rows:
            self.post_message(self.Clicked((event.y + 0.5) / len(self._rows)))
