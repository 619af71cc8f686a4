"""A box whose mark says by itself whether it is on."""

from __future__ import annotations

from textual.widgets import Checkbox


class MarkBox(Checkbox):
    """Textual's has the same cross on and off, in another colour."""

    BUTTON_LEFT = "["
    BUTTON_RIGHT = "]"
    BUTTON_INNER = " "

    def watch_value(self) -> None:
        super().watch_value()
        # The class's constant is what the label is drawn with; here each box has its own.
        self.BUTTON_INNER = "x" if self.value else " "
        self.refresh()
