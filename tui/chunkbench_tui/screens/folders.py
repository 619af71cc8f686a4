"""Choosing the folder of documents."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from chunkbench_tui.safe_text import shown
from chunkbench_tui.widgets.column_layout import Heading
from chunkbench_tui.widgets.key_line import KeyLine
from chunkbench_tui.widgets.line import Line
from chunkbench_tui.widgets.line_table import LineTable
from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

_MOST = 5_000
"""Entries of a folder that are listed."""
_UP = -1


class FoldersScreen(ModalScreen[Path | None]):
    """Gives a folder or a file, None for none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,l,right", "enter", "Open", id="folders.enter"),
        Binding("h,left,backspace", "up", "Up", id="folders.up"),
        Binding(
            "space",
            "take",
            "Take the marked",
            tooltip="Take what the cursor is on",
            id="folders.take",
        ),
        Binding(
            "full_stop", "take_this", "Take this folder", key_display=".", id="folders.take_this"
        ),
        Binding("escape", "leave", "Leave", id="folders.leave"),
        Binding("slash", "app.find", "Find", id="folders.find"),
    ]

    def __init__(self, begin: Path) -> None:
        super().__init__()
        self._folder = begin if begin.is_dir() else begin.parent
        self._entries: list[os.DirEntry[str]] = []

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(id="folders-path", markup=False)
            yield LineTable(paging=False, enter=False, search=("name",))
            yield KeyLine()

    def on_mount(self) -> None:
        self._read(self._folder)
        self.table.focus()

    @property
    def table(self) -> LineTable:
        return self.query_one(LineTable)

    def _read(self, folder: Path) -> None:
        try:
            with os.scandir(folder) as entries:
                found = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as error:
            self.notify(shown(f"{folder}: {error.strerror}"), severity="error", markup=False)
            return
        self._folder = folder
        found.sort(key=lambda entry: (not entry.is_dir(), entry.name.casefold()))
        self._entries = found[:_MOST]
        lines = [Line(_UP, ("..", "")), *map(self._line, range(len(self._entries)))]
        self.table.follow = True
        self.table.show([Heading("name", "name", 30, wanted=200), Heading("kind", "", 8)], lines)
        more = f" · {len(found):,} entries, the first {_MOST:,} shown" if len(found) > _MOST else ""
        show_text(self.query_one("#folders-path", Static), f"{shown(str(folder))}{more}")

    def _line(self, place: int) -> Line:
        entry = self._entries[place]
        is_folder = entry.is_dir()
        name = shown(entry.name) + ("/" if is_folder else "")
        return Line(place, (name, "folder" if is_folder else "file"), "" if is_folder else "muted")

    @property
    def _selected(self) -> Path | None:
        key = self.table.cursor_key
        if key is None or key == _UP:
            return None
        return self._folder / self._entries[key].name

    @on(LineTable.Chosen)
    def action_enter(self) -> None:
        selected = self._selected
        if selected is None:
            self.action_up()
        elif selected.is_dir():
            self._read(selected)
        else:
            self.dismiss(selected)

    def action_up(self) -> None:
        """To the folder above, with the cursor on the one that was left."""
        left = self._folder.name
        self._read(self._folder.parent)
        names = [entry.name for entry in self._entries]
        if left in names:
            self.table.move_to(names.index(left))

    def action_take(self) -> None:
        self.dismiss(self._selected or self._folder)

    def action_take_this(self) -> None:
        self.dismiss(self._folder)

    def action_leave(self) -> None:
        self.dismiss(None)
