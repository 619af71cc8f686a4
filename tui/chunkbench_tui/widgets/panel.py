"""A text of several lines of which only what changes is painted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.visual import Visual
from textual.widgets import Static

from chunkbench_tui.widgets.changes import changed_region
from chunkbench_tui.widgets.quiet import same_text

if TYPE_CHECKING:
    from textual.strip import Strip


class Panel(Static):
    """A text in a place whose size does not depend on it."""

    def __init__(self, *, id: str) -> None:  # noqa: A002
        super().__init__(id=id, markup=False)
        self._text = Content()
        self._painted: dict[int, Strip] = {}

    def show(self, text: Content) -> None:
        """Put another text there."""
        if same_text(self._text, text):
            return
        self._text = text
        if not self.size:
            return  # the text is painted once it has a place
        strips = Visual.to_strips(self, text, *self.size, self.visual_style)
        regions = [changed_region(self._painted.get(y), strip, y) for y, strip in enumerate(strips)]
        if changed := [region for region in regions if region is not None]:
            self.refresh(*changed)

    def render(self) -> Content:
        return self._text

    def render_line(self, y: int) -> Strip:
        strip = self._painted[y] = super().render_line(y)
        return strip
