"""A table that repaints only the lines that changed, and whose cursor follows its row.

Textual's DataTable repaints all of itself for one changed cell, and its cursor keeps an index,
not a row; a leaderboard that is reordered several times a second needs the opposite.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from chunkbench_tui.copying import Copied
from chunkbench_tui.widgets.changes import changed_region
from chunkbench_tui.widgets.column_layout import pages_of, widths_of
from chunkbench_tui.widgets.find_bar import Sought
from chunkbench_tui.widgets.line import fit, shortened_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from textual import events
    from textual.binding import BindingType

    from chunkbench_tui.widgets.column_layout import Heading
    from chunkbench_tui.widgets.line import Line


class LineTable(ScrollView, can_focus=True):
    """Rows under one fixed line of headings."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "line-table--header",
        "line-table--cursor",
        "line-table--strong",
        "line-table--muted",
        "line-table--good",
        "line-table--bad",
    }
    DEFAULT_CSS = """
    LineTable {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        & > .line-table--header { text-style: bold; color: $foreground-muted; }
        & > .line-table--cursor { background: $surface-lighten-2; }
        & > .line-table--strong { text-style: bold; }
        & > .line-table--muted { color: $foreground-muted; }
        & > .line-table--good { color: $text-success; }
        & > .line-table--bad { color: $text-error; }
        &:focus > .line-table--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
            text-style: bold;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", "Next row", show=False, id="table.down"),
        Binding("k,up", "move(-1)", "Previous row", show=False, id="table.up"),
        Binding("g,home", "first", "First row", show=False, id="table.first"),
        Binding("G,end", "last", "Last row", show=False, id="table.last"),
        Binding("ctrl+d,pagedown", "page(1)", "Half a page down", show=False, id="table.page_down"),
        Binding("ctrl+u,pageup", "page(-1)", "Half a page up", show=False, id="table.page_up"),
        Binding("l,right", "columns(1)", "More columns", show=False, id="table.columns_next"),
        Binding("h,left", "columns(-1)", "Earlier columns", show=False, id="table.columns_back"),
        Binding("enter", "choose", "Open", show=False, id="table.choose"),
    ]

    @dataclass
    class Highlighted(Message):
        """The cursor is on another row; `key` is None where there is none."""

        table: LineTable
        key: int | None

        @property
        def control(self) -> LineTable:
            return self.table

    @dataclass
    class Chosen(Message):
        """A row was opened, by key or by a second click."""

        table: LineTable
        key: int

        @property
        def control(self) -> LineTable:
            return self.table

    @dataclass
    class HeadingClicked(Message):
        table: LineTable
        key: str

        @property
        def control(self) -> LineTable:
            return self.table

    @dataclass
    class LayoutChanged(Message):
        """Other columns are visible than before."""

        table: LineTable

        @property
        def control(self) -> LineTable:
            return self.table

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
        paging: bool = True,
        enter: bool = True,
        search: Sequence[str] = (),
    ) -> None:
        """A table without rows.

        Args:
            search: keys of the headings under which words are sought.
            enter: whether the key opens a row; else it is left to the screen, which names what
                it does there.
        """
        super().__init__(id=id, classes=classes)
        self._enter = enter
        self._headings: tuple[Heading, ...] = ()
        self._lines: tuple[Line, ...] = ()
        self._all: tuple[Line, ...] = ()
        self._search = frozenset(search)
        self._words: tuple[str, ...] = ()
        self._places: dict[int, int] = {}
        self._cursor: int | None = None
        self._pages: tuple[tuple[int, ...], ...] = ()
        self._page = 0
        self._columns: tuple[tuple[int, int], ...] = ()
        self._visible: tuple[str, ...] = ()
        self._paging = paging
        self._painted: dict[int, Strip] = {}
        self.follow = True
        """The cursor stays on the first row, whichever it is, until it is moved."""

    @property
    def cursor_key(self) -> int | None:
        """The key of the row under the cursor."""
        return self._cursor

    @property
    def keys(self) -> tuple[int, ...]:
        """The keys of the rows, in the order shown."""
        return tuple(line.key for line in self._lines)

    @property
    def visible_columns(self) -> tuple[str, ...]:
        """Keys of the headings shown now, from left to right."""
        return self._visible

    def show(self, headings: Sequence[Heading], lines: Sequence[Line]) -> None:
        """Show these rows; only what differs from what is on the screen is painted."""
        old = self._lines
        headings = tuple(headings)
        self._all = tuple(lines)
        self._lines = self._sought(headings)
        places = {line.key: place for place, line in enumerate(self._lines)}
        cursor = self._cursor
        old_place = self._places.get(cursor, 0) if cursor is not None else 0
        self._places = places
        if self.follow or cursor not in places:
            place = 0 if self.follow else min(old_place, len(self._lines) - 1)
            self._set_cursor(self._lines[place].key if self._lines else None)
        repainted = set(self._differing(old))
        if (headings := self._with_room(headings)) != self._headings:
            if len(headings) != len(self._headings):
                self._columns = ()  # they were of another table
            self._headings = headings
            self._lay_out()
            repainted.update(range(self.size.height))
        if len(old) != len(self._lines):
            self.virtual_size = Size(0, len(self._lines) + 1)
        if cursor != self._cursor:
            repainted.update(
                self._y(places[key]) for key in (cursor, self._cursor) if key in places
            )
        self._repaint(repainted)
        if self._cursor is not None and places[self._cursor] != old_place:
            self._reveal()
        if self._words:
            self.post_message(Sought(self))

    def _with_room(self, headings: tuple[Heading, ...]) -> tuple[Heading, ...]:
        """A column of the same table that was given room keeps it: else all columns would move."""
        old = self._headings
        if [heading.key for heading in headings] != [heading.key for heading in old]:
            return headings
        return tuple(
            replace(new, wanted=max(new.wanted, before.wanted))
            for new, before in zip(headings, old, strict=True)
        )

    def _y(self, place: int) -> int:
        """The line of the screen, the headings' being 0, on which a row is shown."""
        return place + 1 - self.scroll_offset.y

    def _differing(self, old: tuple[Line, ...]) -> Iterator[int]:
        """The lines of the screen on which there was another row, or none, or there is none now."""
        first = self.scroll_offset.y
        for y in range(1, self.size.height):
            place = first + y - 1
            if old[place : place + 1] != self._lines[place : place + 1]:
                yield y

    def _repaint(self, ys: Iterable[int]) -> None:
        """Paint what is not as it was painted on these lines of the screen."""
        visible = (y for y in ys if 0 <= y < self.size.height)
        changed = (changed_region(self._painted.get(y), self._strip(y), y) for y in visible)
        regions = [region for region in changed if region is not None]
        if regions:
            self.refresh(*regions)

    def _sought(self, headings: tuple[Heading, ...]) -> tuple[Line, ...]:
        """The rows that hold all the words."""
        if not self._words:
            return self._all
        indices = [i for i, heading in enumerate(headings) if heading.key in self._search]
        return tuple(
            line
            for line in self._all
            if _holds(" ".join(line.cells[index] for index in indices), self._words)
        )

    @property
    def can_seek(self) -> bool:
        """Whether words are sought in this table, and there is a row."""
        return bool(self._search and self._all)

    @property
    def found(self) -> str:
        """How many rows are left."""
        return f"{len(self._lines):,} of {len(self._all):,}"

    def copied(self) -> Copied | None:
        """The row under the cursor, its cells parted by tabs."""
        if self._cursor is None:
            return None
        cells = self._lines[self._places[self._cursor]].cells
        return Copied("the row", "\t".join(cells).rstrip())

    def seek(self, words: str) -> None:
        """Show only the rows that hold all these words, in any case; all for ""."""
        self._words = tuple(words.casefold().split())
        self.show(self._headings, self._all)

    def seek_next(self, by: int) -> None:
        """The next or previous row; after the last comes the first."""
        if self._cursor is not None:
            place = (self._places[self._cursor] + by) % len(self._lines)
            self.move_to(self._lines[place].key)

    def move_to(self, key: int) -> None:
        """Put the cursor on a row; from then on it follows that one."""
        self.follow = False
        if key not in self._places or key == self._cursor:
            return
        places = [self._places[each] for each in (self._cursor, key) if each in self._places]
        self._set_cursor(key)
        self._repaint(map(self._y, places))
        self._reveal()

    def _set_cursor(self, key: int | None) -> None:
        if key != self._cursor:
            self._cursor = key
            self.post_message(self.Highlighted(self, key))

    def _reveal(self) -> None:
        """Scroll so that the cursor's row is on the screen."""
        if self._cursor is None:
            return
        place, height = self._places[self._cursor], max(self.size.height - 1, 1)
        first = self.scroll_offset.y
        if place < first:
            self.scroll_to(y=place, animate=False)
        elif place >= first + height:
            self.scroll_to(y=place - height + 1, animate=False)

    def _lay_out(self) -> None:
        """Choose the columns of the page and their widths; the whole table is painted anew."""
        before = self._visible
        width = self.scrollable_content_region.width - 1
        self._pages = pages_of(self._headings, width)
        self._page = min(self._page, len(self._pages) - 1)
        shown = self._pages[self._page]
        widths = widths_of([self._headings[index] for index in shown], width)
        self._columns = tuple(zip(shown, widths, strict=True))
        self._visible = tuple(self._headings[index].key for index in shown)
        if self._visible != before:
            self.post_message(self.LayoutChanged(self))

    def on_resize(self) -> None:
        if self._headings:
            self._lay_out()
            self._reveal()
            self.refresh()

    def watch_show_vertical_scrollbar(self) -> None:
        """The bar takes a cell from the columns."""
        self.on_resize()

    def on_mount(self) -> None:
        self.virtual_size = Size(0, len(self._lines) + 1)

    def render_line(self, y: int) -> Strip:
        strip = self._painted[y] = self._strip(y)
        return strip

    def _strip(self, y: int) -> Strip:
        """A line of the screen."""
        width = self.size.width
        base = self.rich_style
        if y == 0:
            return self._header_strip().adjust_cell_length(width, base)
        place = y - 1 + self.scroll_offset.y
        if not 0 <= place < len(self._lines):
            return Strip.blank(width, base)
        return self._line_strip(self._lines[place]).adjust_cell_length(width, base)

    def _header_strip(self) -> Strip:
        style = self.get_component_rich_style("line-table--header")
        parts = [Segment(" ", style)]
        for position, (index, width) in enumerate(self._columns):
            heading = self._headings[index]
            text = fit(heading.title, width, heading.right)
            if position == len(self._columns) - 1 and len(self._pages) > 1:
                mark = f"{self._page + 1}/{len(self._pages)} ›"
                text = fit(fit(heading.title, width - len(mark), heading.right) + mark, width)
            parts.append(Segment((" " if position else "") + text, style))
        return Strip(parts)

    def _line_strip(self, line: Line) -> Strip:
        on_cursor = line.key == self._cursor
        style = self.rich_style
        if line.tone:
            style = self.get_component_rich_style(f"line-table--{line.tone}")
        strong = style + self.get_component_rich_style("line-table--strong", partial=True)
        if on_cursor:
            cursor = self.get_component_rich_style("line-table--cursor")
            style, strong = style + cursor, strong + cursor
        parts = [Segment("▸" if on_cursor else " ", style)]
        for position, (index, width) in enumerate(self._columns):
            heading, gap = self._headings[index], " " if position else ""
            if index == line.spans_from:
                rest = sum(w + 1 for _, w in self._columns[position:]) - 1
                parts.append(Segment(gap + fit(line.cells[index], rest), style))
                break
            cell = line.cells[index]
            text = fit(
                shortened_label(cell, width) if heading.label else cell, width, heading.right
            )
            parts.append(Segment(gap + text, strong if heading.strong else style))
        return Strip(parts)

    def action_move(self, by: int) -> None:
        if self._cursor is not None:
            place = min(max(self._places[self._cursor] + by, 0), len(self._lines) - 1)
            self.move_to(self._lines[place].key)

    def action_page(self, direction: int) -> None:
        self.action_move(direction * max((self.size.height - 1) // 2, 1))

    def action_first(self) -> None:
        self.action_move(-len(self._lines))

    def action_last(self) -> None:
        self.action_move(len(self._lines))

    def action_columns(self, by: int) -> None:
        self._page = (self._page + by) % len(self._pages)
        self._lay_out()
        self.refresh()

    def action_choose(self) -> None:
        if self._cursor is not None:
            self.post_message(self.Chosen(self, self._cursor))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action == "columns":
            return self._paging and len(self._pages) > 1
        return action != "choose" or (self._enter and self._cursor is not None)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        if offset.y == 0:
            right = 1
            for index, width in self._columns:
                right += width + 1
                if offset.x < right:
                    self.post_message(self.HeadingClicked(self, self._headings[index].key))
                    return
            return
        place = offset.y - 1 + self.scroll_offset.y
        if place < len(self._lines):
            key = self._lines[place].key
            if key == self._cursor:
                self.post_message(self.Chosen(self, key))
            else:
                self.move_to(key)


def _holds(text: str, words: tuple[str, ...]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words)
