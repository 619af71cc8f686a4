"""The names of the plots on one line, the present one marked; a click goes to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events


_BEFORE, _NEXT = "h ‹ ", " › l"
"""The keys that go from plot to plot."""


class PlotTabs(Static):
    """One line; the present name is in brackets, so that it needs no colour."""

    DEFAULT_CSS = "PlotTabs { height: 1; padding: 0 1; text-wrap: nowrap; }"

    @dataclass
    class Chosen(Message):
        """A name was clicked."""

        name: str

    def __init__(self, names: Sequence[str], *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, markup=False)
        self._names = tuple(names)
        self._ends: list[int] = []

    def show(self, present: str) -> None:
        """Mark the present plot."""
        texts = [f"[{name}]" if name == present else f" {name} " for name in self._names]
        self._ends = [len(_BEFORE) + sum(map(len, texts[: n + 1])) for n in range(len(texts))]
        styles = ["bold" if name == present else "" for name in self._names]
        names = zip(texts, styles, strict=True)
        muted = "$foreground-muted"
        show_text(self, Content.assemble((_BEFORE, muted), *names, (_NEXT, muted)))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None:
            for name, end in zip(self._names, self._ends, strict=False):
                if offset.x < end:
                    self.post_message(self.Chosen(name))
                    return
