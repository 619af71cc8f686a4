"""A document of any length with chunks and evidence over it, painted line by line.

Nothing is laid out but the lines on the screen: an index of line starts, made off the event loop
and swapped whole, says where they are.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from chunkbench_tui.copying import Copied
from chunkbench_tui.document.cells import cells_before, fill
from chunkbench_tui.document.coverage import merged
from chunkbench_tui.document.finding import MOST_FOUND, places_of
from chunkbench_tui.document.lines import LONGEST, content_end, index_lines, line_begin
from chunkbench_tui.document.painting import Layers
from chunkbench_tui.widgets.find_bar import Sought
from chunkbench_tui.widgets.line_painter import LinePainter

if TYPE_CHECKING:
    from rich.style import Style
    from textual import events
    from textual.binding import BindingType
    from textual.worker import Worker

    from chunkbench_tui.app import ChunkbenchApp
    from chunkbench_tui.document.coverage import Passages
    from chunkbench_tui.document.lines import LineIndex

_HEAD = 65_536
"""Characters indexed at once, for the first screen."""
_SETTLE_SECONDS = 0.05
"""A terminal whose size is being dragged sends many sizes: only the last one is indexed."""
_MARKS = 2


class DocumentView(ScrollView, can_focus=True):
    """One document under one strategy. Offsets are characters of its canonical text."""

    app: ChunkbenchApp

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "document--even",
        "document--odd",
        "document--overlap",
        "document--sought",
        "document--found",
        "document--gutter",
        "document--current",
    }
    DEFAULT_CSS = """
    DocumentView {
        width: 1fr;
        height: 1fr;
        overflow-x: auto;
        overflow-y: auto;
        scrollbar-size-horizontal: 1;
        scrollbar-size-vertical: 0;
        & > .document--even { background: $primary 35%; }
        & > .document--odd { background: $success 22%; }
        & > .document--overlap { background: $warning 45%; }
        & > .document--sought { text-style: bold reverse; }
        & > .document--found { text-style: reverse; }
        & > .document--gutter { color: $foreground-muted; }
        & > .document--current { color: $foreground; text-style: bold; }
        &:nocolor > .document--even { background: $foreground 6%; }
        &:nocolor > .document--odd { background: $foreground 20%; }
        &:nocolor > .document--overlap { background: $foreground 40%; }
        &:ansi > .document--even { background: ansi_blue; color: ansi_bright_white; }
        &:ansi > .document--odd { background: ansi_cyan; color: ansi_black; }
        &:ansi > .document--overlap { background: ansi_yellow; color: ansi_black; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "line(1)", "Next line", show=False, id="document.down"),
        Binding("k,up", "line(-1)", "Previous line", show=False, id="document.up"),
        Binding(
            "ctrl+d,pagedown,space", "page(1)", "Page down", show=False, id="document.page_down"
        ),
        Binding("ctrl+u,pageup", "page(-1)", "Page up", show=False, id="document.page_up"),
        Binding("g,home", "offset(0)", "To the beginning", show=False, id="document.first"),
        Binding("G,end", "end", "To the end", show=False, id="document.last"),
        Binding("l,right", "column(8)", "To the right", show=False, id="document.right"),
        Binding("h,left", "column(-8)", "To the left", show=False, id="document.left"),
    ]

    @dataclass
    class Moved(Message):
        """Other lines are on the screen, or another chunk is the current one."""

        view: DocumentView

        @property
        def control(self) -> DocumentView:
            return self.view

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, DocumentView.Moved) and message.view is self.view

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.text = ""
        self.overlay = Layers(None, merged(()))
        self.current = 0
        """The current chunk; meaningful where there are chunks."""
        self.wrap = True
        self.digits = 1
        """Digits that the gutter has room for."""
        self._index: LineIndex | None = None
        self._whole = False
        # What stays in place when the index is made anew: an offset, and the lines above it.
        self._anchor, self._above = 0, 0
        self._painter = LinePainter(self._part_style)
        self._words, self._places, self._place = "", merged(()), -1
        self._seeking = False
        self._painted = self.overlay

    # What is shown

    def open(self, text: str, top: int = 0) -> None:
        """Show another text, from the line on that holds an offset."""
        self.text = text
        self._anchor, self._above = top, 0
        self.current = 0
        self._places, self._place = merged(()), -1
        self._lay_found()
        self._make_index()
        if self._words:
            self._seek(self._words, text, -1)

    def show(self, layers: Layers, digits: int = 0) -> None:
        """Lay other chunks or evidence over the text; the place stays.

        Args:
            digits: of the gutter, if it is to be wider than these chunks need.
        """
        before, after = self.overlay.chunking, layers.chunking
        if before is not after and before is not None and after is not None and before.spans:
            # The current chunk is the one that stands where the current one stood.
            self.current = after.chunk_at(before.spans.starts[self.current])
        self.overlay = layers
        self._lay_found()
        if layers.chunking is not None:
            needed = len(str(max(len(layers.chunking.spans), 1)))
            self.digits = max(needed, digits)
        if self._index is not None and self._width != self._index.width:
            self._make_index()
        self.refresh()
        self.post_message(self.Moved(self))

    @property
    def top(self) -> int:
        """The offset of the first character on the screen."""
        return self.visible_span[0]

    @property
    def visible_span(self) -> tuple[int, int]:
        """The offsets of what is on the screen."""
        if self._index is None or not len(self._index):
            return 0, 0
        first = min(self.scroll_offset.y, len(self._index) - 1)
        last = min(first + max(self._rows, 1), len(self._index)) - 1
        return self._index.span(first)[0], self._index.span(last)[1]

    @property
    def indexed(self) -> bool:
        """Whether the whole document has been indexed."""
        return self._whole

    @property
    def _rows(self) -> int:
        return self.scrollable_content_region.height

    @property
    def _gutter(self) -> int:
        return self.digits + 1 + _MARKS + 1

    @property
    def _width(self) -> int:
        """Cells of a line of the index that is wanted now."""
        return max(self.size.width - self._gutter, 10) if self.wrap else LONGEST

    # The index

    def _make_index(self) -> None:
        """Index the first screen at once, the rest off the event loop."""
        if self.size.width == 0:
            return
        self._whole = False
        begin = line_begin(self.text, max(self._anchor - self._above * self._width, 0))
        self._use_index(index_lines(self.text, self._width, begin, _HEAD))
        self._index_all(self._width)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        self.app.say_failure(event)

    @work(exclusive=True, group="index", exit_on_error=False)
    async def _index_all(self, width: int) -> None:
        text = self.text
        if len(text) > _HEAD:
            await asyncio.sleep(_SETTLE_SECONDS)
        index = await asyncio.to_thread(index_lines, text, width)
        if text is self.text and width == self._width:
            self._whole = True
            self._use_index(index)

    def _use_index(self, index: LineIndex) -> None:
        self._index = index
        self._painter.forget()
        across = 0 if self.wrap else index.widest + self._gutter
        self.virtual_size = Size(across, len(index))
        self._scroll_to_anchor(index)
        self.refresh()
        self.post_message(self.Moved(self))

    def _scroll_to_anchor(self, index: LineIndex) -> None:
        anchor, above = self._anchor, self._above
        # Forced, for the scroll bar that would allow it may not have been laid out yet.
        self.scroll_to(y=max(index.line_of(anchor) - above, 0), animate=False, force=True)
        self._anchor, self._above = anchor, above

    def on_resize(self) -> None:
        if self._index is None or self._index.width != self._width:
            self._make_index()
        else:
            self.post_message(self.Moved(self))

    def toggle_wrap(self) -> None:
        """Break lines at the width of the screen, or only where the text does."""
        self.wrap = not self.wrap
        self.scroll_to(x=0, animate=False)
        self._make_index()

    # Moving

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if self._index is not None and len(self._index) and round(old_value) != round(new_value):
            line = min(round(new_value), len(self._index) - 1)
            self._anchor, self._above = self._index.span(line)[0], 0
            self.post_message(self.Moved(self))

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_x(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(self.Moved(self))

    def go_to(self, offset: int, above: int = 0) -> None:
        """Bring an offset to the screen, with some lines above it.

        Args:
            above: lines between the upper edge and the offset's.
        """
        offset = min(max(offset, 0), max(len(self.text) - 1, 0))
        self._anchor, self._above = offset, above
        index = self._index
        if index is None or (not self._whole and not index.starts[0] <= offset < index.end):
            self._make_index()
        else:
            self._scroll_to_anchor(index)

    def reveal(self, offset: int) -> None:
        """Bring an offset to the screen if it is not there."""
        first, end = self.visible_span
        if not first <= offset < end:
            self.go_to(offset, above=max(self._rows // 4, 0))

    def set_current(self, chunk: int, *, reveal: bool = True) -> None:
        """Make a chunk the current one and bring its beginning to the screen."""
        if self.overlay.chunking is None or not len(self.overlay.chunking.spans):
            return
        spans = self.overlay.chunking.spans
        self.current = min(max(chunk, 0), len(spans) - 1)
        if reveal:
            self.reveal(spans.starts[self.current])
        self.refresh()
        self.post_message(self.Moved(self))

    def copied(self) -> Copied | None:
        """The current chunk."""
        chunking = self.overlay.chunking
        if chunking is None or not len(chunking.spans):
            return None
        spans, chunk = chunking.spans, self.current
        return Copied(f"chunk {chunk + 1:,}", self.text[spans.starts[chunk] : spans.ends[chunk]])

    # Searching

    @property
    def can_seek(self) -> bool:
        """Whether there is a text."""
        return bool(self.text)

    @property
    def found(self) -> str:
        """Which of the places found is the current one."""
        if self._seeking:
            return "…"
        count = len(self._places.starts)
        if not count:
            return "not found"
        most = f"{count:,}{'+' if count == MOST_FOUND else ''}"
        return f"{self._place + 1:,} of {most}" if self._place >= 0 else most

    @property
    def found_place(self) -> int | None:
        """Offset of the current one of the places found."""
        return self._places.starts[self._place] if self._place >= 0 else None

    def seek(self, words: str) -> None:
        """Mark the places of these words, and go to the first one from here on; none for ""."""
        self._words = words
        if words:
            self._seeking = True
            self._seek(words, self.text, self.top)
        else:
            self.workers.cancel_group(self, "seek")
            self._use_places(merged(()), -1)

    @work(exclusive=True, group="seek", exit_on_error=False)
    async def _seek(self, words: str, text: str, begin: int) -> None:
        """Find the places off the event loop; go to the first after `begin` unless that is -1."""
        places = await asyncio.to_thread(places_of, text, words)
        if (words, text) == (self._words, self.text):
            after = bisect_left(places.starts, begin) if begin >= 0 else -1
            self._use_places(places, after % len(places.starts) if places.starts else -1)

    def _use_places(self, places: Passages, place: int) -> None:
        self._seeking = False
        self._places, self._place = places, place
        self._lay_found()
        if place >= 0:
            self.reveal(places.starts[place])
        self.refresh()
        self.post_message(Sought(self))

    def seek_next(self, by: int) -> None:
        """The next or previous place found; after the last comes the first."""
        if count := len(self._places.starts):
            self._use_places(self._places, (self._place + by) % count)

    def _lay_found(self) -> None:
        """The places found lie over what is shown; the current one stands out."""
        self._painted = self.overlay._replace(found=self._places)
        if self._place >= 0:
            here = self._places.starts[self._place], self._places.ends[self._place]
            self._painted = self._painted._replace(sought=here)
        self._painter.forget()

    def follow_chunk(self, other: DocumentView) -> None:
        """Make the chunk the current one that stands where another view's current one begins."""
        ours, theirs = self.overlay.chunking, other.overlay.chunking
        if ours is None or theirs is None or not theirs.spans or not ours.spans:
            return
        chunk = ours.chunk_at(theirs.spans.starts[other.current])
        if chunk != self.current:
            self.set_current(chunk, reveal=False)

    def step(self, by: int) -> None:
        """The next or previous chunk: of the current one, or of the screen if that is elsewhere."""
        chunking = self.overlay.chunking
        if chunking is None or not len(chunking.spans):
            return
        first, end = self.visible_span
        spans = chunking.spans
        on_screen = spans.starts[self.current] < end and spans.ends[self.current] > first
        if on_screen or self.current + by == chunking.chunk_at(first):
            self.set_current(self.current + by)
        else:
            here = chunking.chunk_at(first)
            self.set_current(here + (by > 0 and spans.starts[here] < first))

    def action_line(self, by: int) -> None:
        self.scroll_to(y=self.scroll_offset.y + by, animate=False)

    def action_page(self, direction: int) -> None:
        self.action_line(direction * max(self._rows - 2, 1))

    def action_offset(self, offset: int) -> None:
        self.go_to(offset)

    def action_end(self) -> None:
        if self._whole:
            self.scroll_to(y=self.max_scroll_y, animate=False)
        else:
            self.go_to(len(self.text) - 1)

    def action_column(self, by: int) -> None:
        self.scroll_to(x=self.scroll_offset.x + by, animate=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        return action != "column" or not self.wrap

    def on_click(self, event: events.Click) -> None:
        chunking = self.overlay.chunking
        offset = self.offset_under(event)
        if offset is not None and chunking is not None:
            top, _ = chunking.coverage.at(offset)
            if top >= 0:
                self.set_current(top, reveal=False)

    # Places on the screen

    def offset_under(self, event: events.MouseEvent) -> int | None:
        """The offset of the character under the mouse; None where there is none."""
        place = event.get_content_offset(self)
        if place is None or self._index is None:
            return None
        line = place.y + self.scroll_offset.y
        if line >= len(self._index):
            return None
        start, end = self._index.span(line)
        return self._offset_at(start, end, max(place.x - self._gutter + self.scroll_offset.x, 0))

    def cell_of(self, offset: int) -> int:
        """The cell, on its line, at which the character of an offset is shown."""
        if self._index is None:
            return 0
        start, end = self._index.span(self._index.line_of(offset))
        stop = content_end(self.text, start, end)
        return cells_before(self.text, start, stop, offset)

    def lines_away(self, offset: int, by: int, cell: int) -> int:
        """The offset at a cell, or before it, so many lines on the screen away from an offset's."""
        if self._index is None or not len(self._index):
            return offset
        line = min(max(self._index.line_of(offset) + by, 0), len(self._index) - 1)
        return self._offset_at(*self._index.span(line), cell)

    def _offset_at(self, start: int, end: int, cell: int) -> int:
        """The offset of the character at a cell of a line, roughly where cells are not even."""
        stop = content_end(self.text, start, end)
        return max(min(fill(self.text, start, stop, cell)[0], end - 1), start) if cell else start

    # Painting

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._painter.forget()

    def render_line(self, y: int) -> Strip:
        width, gutter, index = self.size.width, self._gutter, self._index
        line = y + self.scroll_offset.y
        if index is None or not 0 <= line < len(index):
            return Strip.blank(width, self._painter.style(""))
        strip = self._painter.strip(
            self.text, index, line, self._painted, self.digits, self.current
        )
        if not self.wrap:
            first = gutter + self.scroll_offset.x
            until = first + max(width - gutter, 0)
            text = strip.crop_extend(first, until, self._painter.style(""))
            strip = Strip.join([strip.crop(0, gutter), text])
        # A terminal narrower than the least width of a line shows the beginning of it.
        return strip if strip.cell_length == width else strip.adjust_cell_length(width)

    def _part_style(self, name: str) -> Style:
        if not name:
            return self.rich_style
        over = name in ("sought", "found")
        style = self.get_component_rich_style(f"document--{name}", partial=over)
        return style if over else self.rich_style + style
