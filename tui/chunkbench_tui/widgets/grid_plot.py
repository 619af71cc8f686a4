"""A grid of shaded numbers with a cursor; scrolls both ways under its headings."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding
from textual.color import Color
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from chunkbench_tui.safe_text import shown
from chunkbench_tui.widgets.line import fit, shortened_label

if TYPE_CHECKING:
    from textual import events
    from textual.binding import BindingType

    from chunkbench_tui.plots.grid import Cell, Grid

_LONGEST_LABEL, _WIDEST_CELL = 24, 16
_DEEPEST = 0.7
"""Share of the full colour in the deepest shade: the number stays readable on it."""
_STRONG = 0.8
"""Shades from here on are bold as well, for terminals without shades."""


class GridPlot(ScrollView, can_focus=True):
    """One column a heading; the labels at the left stay where they are."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"grid--heading", "grid--cursor", "grid--label"}
    DEFAULT_CSS = """
    GridPlot {
        width: 1fr;
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        & > .grid--heading { text-style: bold; color: $foreground-muted; }
        & > .grid--label { text-style: bold; }
        & > .grid--cursor { text-style: bold reverse; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "move(1, 0)", "Right", show=False, tooltip="The next column",
                id="grid.right"),
        Binding("left", "move(-1, 0)", "Left", show=False, tooltip="The column before",
                id="grid.left"),
        Binding("down,j", "move(0, 1)", "Down", show=False, tooltip="The next row",
                id="grid.down"),
        Binding("up,k", "move(0, -1)", "Up", show=False, tooltip="The row before", id="grid.up"),
        Binding("g,home", "ends(-1)", "First", show=False, tooltip="The first row",
                id="grid.first"),
        Binding("G,end", "ends(1)", "Last", show=False, tooltip="The last row", id="grid.last"),
        Binding("ctrl+d,pagedown", "page(1)", "Page down", show=False,
                tooltip="Half a page down", id="grid.page_down"),
        Binding("ctrl+u,pageup", "page(-1)", "Page up", show=False, tooltip="Half a page up",
                id="grid.page_up"),
    ]  # fmt: skip

    @dataclass
    class Selected(Message):
        """The cursor is on another cell."""

    @dataclass
    class Chosen(Message):
        """The cell under the cursor was clicked once more."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._grid: Grid | None = None
        self._row = self._column = 0
        self._first = 0
        self._label_width = 1
        self._widths: tuple[int, ...] = ()

    @property
    def cell(self) -> Cell | None:
        """The cell under the cursor."""
        return None if self._grid is None else self._grid.rows[self._row].cells[self._column]

    @property
    def place(self) -> tuple[str, str]:
        """Label and heading of the cell under the cursor."""
        if self._grid is None:
            return "", ""
        return self._grid.rows[self._row].label.strip(), self._grid.headings[self._column]

    def show(self, grid: Grid, config: int | None = None) -> None:
        """Show a grid.

        Args:
            config: the cursor goes to its row, if another grid was shown before.
        """
        before, self._grid = self._grid, grid
        if grid == before:
            return
        if before is None or before.headings != grid.headings:
            self._column = self._first = 0
            self._row = next(
                (n for n, row in enumerate(grid.rows) if row.cells[0].config == config), 0
            )
        self._row = min(self._row, len(grid.rows) - 1)
        labels = [cell_len(shown(row.label)) for row in grid.rows]
        self._label_width = min(max(*labels, len(grid.corner)), _LONGEST_LABEL) + 1
        self._widths = tuple(_width(grid, column) + 1 for column in range(len(grid.headings)))
        self.virtual_size = Size(0, len(grid.rows) + 1)
        self._reveal()
        self.refresh()

    @property
    def _room(self) -> int:
        """Cells for the columns; the last one of the line is for the mark that there are more."""
        return self.size.width - self._label_width - 2

    @property
    def _columns(self) -> range:
        """Those on the screen."""
        return range(self._first, self._stop(self._first))

    def _stop(self, first: int) -> int:
        """The column after the last that fits, from one on."""
        ends = itertools.accumulate(self._widths[first:])
        return first + max(sum(end <= self._room for end in ends), min(len(self._widths), 1))

    def _reveal(self) -> None:
        """Scroll so that the cursor is on the screen."""
        if self._grid is None:
            return
        self._first = min(self._first, self._column)
        while self._stop(self._first) <= self._column:
            self._first += 1
        # After a resize there may be room for columns before these.
        while self._first and self._stop(self._first - 1) == len(self._widths):
            self._first -= 1
        height = max(self.size.height - 1, 1)
        top = self.scroll_offset.y
        if self._row < top:
            self.scroll_to(y=self._row, animate=False)
        elif self._row >= top + height:
            self.scroll_to(y=self._row - height + 1, animate=False)

    def on_resize(self) -> None:
        self._reveal()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width, base = self.size.width, self.rich_style
        place = y - 1 + self.scroll_offset.y
        if self._grid is None or not (y == 0 or 0 <= place < len(self._grid.rows)):
            return Strip.blank(width, base)
        strip = self._headings(self._grid) if y == 0 else self._line(self._grid, place)
        return strip.adjust_cell_length(width, base)

    def _headings(self, grid: Grid) -> Strip:
        style = self.get_component_rich_style("grid--heading")
        hidden = len(grid.headings) - len(self._columns)
        parts = [Segment(" " + fit(grid.corner, self._label_width), style)]
        parts += [
            Segment(fit(shown(grid.headings[n]), self._widths[n] - 1, right=True) + " ", style)
            for n in self._columns
        ]
        if hidden:
            last = self._columns.stop == len(grid.headings)
            parts.append(Segment("‹" if last else "›", style))
        return Strip(parts)

    def _line(self, grid: Grid, place: int) -> Strip:
        row, on_row = grid.rows[place], place == self._row
        label = self.get_component_rich_style("grid--label") if on_row else self.rich_style
        room = self._label_width - 1
        text = fit(shortened_label(shown(row.label), room), room) + " "
        parts = [Segment(("▸" if on_row else " ") + text, label)]
        cursor = self.get_component_rich_style("grid--cursor")
        for number in self._columns:
            cell = row.cells[number]
            style = cursor if on_row and number == self._column else self._shade(cell)
            parts.append(Segment(fit(cell.text, self._widths[number] - 1, right=True) + " ", style))
        return Strip(parts)

    def _shade(self, cell: Cell) -> Style:
        """The number's own weight, and in terminals of many colours a background."""
        base = self.rich_style
        if not cell.shade:
            return base
        style = base + Style(bold=abs(cell.shade) >= _STRONG)
        if self.app.theme.startswith("ansi"):
            return style
        theme = self.app.theme_variables
        full = Color.parse(theme["primary" if cell.shade > 0 else "warning"])
        back = self.background_colors[1].blend(full, abs(cell.shade) * _DEEPEST)
        front = back.get_contrast_text(1.0)
        return style + Style(color=front.rich_color, bgcolor=back.rich_color)

    def action_move(self, across: int, down: int) -> None:
        if self._grid is not None:
            self._go(self._row + down, self._column + across)

    def action_ends(self, end: int) -> None:
        if self._grid is not None:
            self._go(0 if end < 0 else len(self._grid.rows) - 1, self._column)

    def action_page(self, by: int) -> None:
        self.action_move(0, by * max((self.size.height - 1) // 2, 1))

    def _go(self, row: int, column: int) -> None:
        assert self._grid is not None
        place = (
            min(max(row, 0), len(self._grid.rows) - 1),
            min(max(column, 0), len(self._grid.headings) - 1),
        )
        if place != (self._row, self._column):
            self._row, self._column = place
            self._reveal()
            self.refresh()
            self.post_message(self.Selected())

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or self._grid is None:
            return
        row = offset.y - 1 + self.scroll_offset.y
        ends = itertools.accumulate(self._widths[self._first :])
        column = self._first + sum(end <= offset.x - 1 - self._label_width for end in ends)
        if offset.y == 0 or row >= len(self._grid.rows):
            return
        if offset.x <= self._label_width:
            column = self._column
        if column not in self._columns:
            return
        if (row, column) == (self._row, self._column):
            self.post_message(self.Chosen())
        else:
            self._go(row, column)


def _width(grid: Grid, column: int) -> int:
    """Cells that a column needs, unless it is very wide."""
    texts = [shown(grid.headings[column]), *(row.cells[column].text for row in grid.rows)]
    return min(max(map(cell_len, texts)), _WIDEST_CELL)
