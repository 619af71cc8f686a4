"""A footer that shows whole keys only: what does not fit is left to the help screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.widgets import Footer
from textual.widgets._footer import FooterKey, FooterLabel, KeyGroup

if TYPE_CHECKING:
    from textual.widget import Widget

HELP = "question_mark"


class WholeFooter(Footer):
    """Keys in the order of their bindings, as many as fit; the help key always."""

    async def recompose(self) -> None:
        await super().recompose()
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        items: list[list[Widget]] = []
        for child in self.children:
            if isinstance(child, FooterLabel) and items:
                items[-1].append(child)  # of the group before it
            else:
                items.append([child])
        helps = [item for item in items if isinstance(item[0], FooterKey) and item[0].key == HELP]
        others = [item for item in items if item not in helps]
        room = self.app.size.width
        for item in [*helps, *others]:
            width = sum(map(_width, item))
            fits = width <= room
            room -= width if fits else 0
            for widget in item:
                widget.display = fits


def _width(widget: Widget) -> int:
    """Cells of a part of the footer, its margins included."""
    if isinstance(widget, FooterKey):
        return cell_len(widget.key_display) + cell_len(widget.description) + 3
    if isinstance(widget, KeyGroup):
        keys = [key for key in widget.children if isinstance(key, FooterKey)]
        return sum(cell_len(key.key_display) for key in keys) + 2
    return cell_len(str(widget.content)) + 1 if isinstance(widget, FooterLabel) else 0
