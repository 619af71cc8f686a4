"""The boundaries screen: a document with its chunks, their overlap and the evidence."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import on, work
from textual.containers import Horizontal, Vertical
from textual.events import DescendantFocus
from textual.widgets import Input, Static

from chunkbench_engine.errors import BadInput
from chunkbench_tui import boundaries_text
from chunkbench_tui.boundaries_view import other_chunks, read_boundaries, shown_of
from chunkbench_tui.document.coverage import merged
from chunkbench_tui.document.minimap import minimap, rows_seen
from chunkbench_tui.document.painting import Layers
from chunkbench_tui.document.places import offset_of
from chunkbench_tui.safe_text import shown, shown_lines
from chunkbench_tui.screen_exports import chunks_exports
from chunkbench_tui.screens.boundaries_keys import KEYS, is_possible, possible
from chunkbench_tui.screens.documents import DocumentsScreen
from chunkbench_tui.screens.watching import WatchingScreen
from chunkbench_tui.selection import no_run_text
from chunkbench_tui.widgets.document_view import DocumentView
from chunkbench_tui.widgets.find_bar import active_bar
from chunkbench_tui.widgets.key_line import KeyLine
from chunkbench_tui.widgets.minimap import Minimap
from chunkbench_tui.widgets.quiet import show_text
from chunkbench_tui.widgets.what_if_panel import WhatIfPanel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from chunkbench_tui.boundaries_view import BoundariesView
    from chunkbench_tui.document.coverage import Chunking
    from chunkbench_tui.exporting import Export
    from chunkbench_tui.selection import Selection


class BoundariesScreen(WatchingScreen):
    """A document under the selected strategy, or under two side by side."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = KEYS

    def __init__(self) -> None:
        super().__init__()
        self._view: BoundariesView | None = None
        self._second: int | None = None
        self._evidence = True
        self._overlaps = True
        self._sought = (0, 0)
        self._visited = -1
        self._keys: tuple[bool, ...] = ()

    def compose(self) -> ComposeResult:
        yield Static("Boundaries", id="status", classes="status", markup=False)
        yield WhatIfPanel(id="what-if")
        yield Static(id="message", classes="message", markup=False)
        with Horizontal(classes="body"):
            for side in ("a", "b"):
                with Vertical(id=f"pane-{side}", classes="pane"):
                    yield Static(id=f"title-{side}", classes="title", markup=False)
                    with Horizontal():
                        yield DocumentView(id=f"document-{side}")
                        yield Minimap(id=f"map-{side}")
        yield Static(id="chunk", markup=False)
        yield Input(id="place", placeholder="offset 1234, share 50% or chunk #14", compact=True)
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#pane-b").display = False
        self.query_one("#place").display = False
        self.first.focus()

    @property
    def first(self) -> DocumentView:
        return self.query_one("#document-a", DocumentView)

    @property
    def second(self) -> DocumentView:
        return self.query_one("#document-b", DocumentView)

    @property
    def what_if(self) -> WhatIfPanel:
        return self.query_one("#what-if", WhatIfPanel)

    @property
    def _chunking(self) -> Chunking | None:
        """The chunks of the first side: the run's, or those of a setting that is tried."""
        if (tried := self.what_if.tried) is not None:
            return tried.chunking
        return None if self._view is None else self._view.chunking

    @property
    def leading(self) -> DocumentView:
        """The document that the keys act on; the other one follows it."""
        return self.second if self.second.has_focus else self.first

    async def _read(self) -> None:
        selection = self.app.selection
        read = partial(read_boundaries, selection=selection, second=self._second, last=self._view)
        self._show(await self.app.feed.read(read), selection)

    @work(exclusive=True, group="read", exit_on_error=False)
    async def _read_again(self) -> None:
        await self._read()

    def _say(self, text: str) -> None:
        self._view = None
        self.add_class("-empty")
        show_text(self.query_one("#status", Static), "Boundaries")
        show_text(self.query_one("#message", Static), shown_lines(text))
        self._update_keys()

    def _show(self, view: BoundariesView | None, selection: Selection) -> None:
        if selection != self.app.selection:
            return  # something else was chosen meanwhile, and is being read
        if view is None:
            self._say(no_run_text(selection))
            return
        before, self._view = self._view, view
        self.remove_class("-empty")
        another = before is None or before.text is not view.text
        sought = selection.span if selection.span != self._sought or another else (0, 0)
        self._sought = selection.span
        if another:
            for pane in (self.first, self.second):
                pane.open(view.text, sought[0])
        self.app.selection = replace(
            selection.in_run(view.choice.summary.id),
            config=view.choice.strategy.config,
            document=view.document.id,
        )
        self.what_if.follow(view)
        if shown_of(before) != shown_of(view) or sought[1]:
            self._lay()
            self._update_keys()
        if sought[1]:
            self.first.go_to(sought[0], above=3)
            if view.chunking is not None:
                self.first.set_current(view.chunking.chunk_at(sought[0]), reveal=False)
        self._show_lines()

    def _update_keys(self) -> None:
        """The footer is made anew only where other keys do something."""
        keys = possible(self._view, what_if=self.what_if.tried is not None)
        if keys != self._keys:
            self._keys = keys
            self.refresh_bindings()

    def _lay(self) -> None:
        """Lay the chunks over both sides."""
        view = self._view
        if view is None:
            return
        self.query_one("#pane-b").display = view.second is not None
        self.set_class(view.second is not None, "-beside")
        first = self._chunking
        counts = [len(made.spans) for made in (first, view.second_chunking) if made]
        digits = len(str(max(counts, default=1)))
        passages = ((e.start, e.end) for e in view.evidence) if self._evidence else ()
        layers = Layers(first, merged(passages), self.app.selection.span, self._overlaps)
        self.first.show(layers, digits)
        self.second.show(layers._replace(chunking=view.second_chunking), digits)
        sides = (
            ("a", view.choice.strategy.label if first is None else first.label, first),
            ("b", "" if view.second is None else view.second.label, view.second_chunking),
        )
        for side, label, made in sides:
            title = self.query_one(f"#title-{side}", Static)
            title.display = view.second is not None
            cut = boundaries_text.cut_text(made, view.document.characters)
            show_text(title, f"{side.upper()} {shown(label)} · {cut}")
        self.call_after_refresh(self._draw_maps)

    @work(exclusive=True, group="maps", exit_on_error=False)
    async def _draw_maps(self) -> None:
        """Make the minimaps that can be seen, for their height."""
        for view, place in self._sides():
            rows = place.size.height
            if view.is_on_screen and rows:
                made = await asyncio.to_thread(minimap, len(view.text), rows, view.overlay)
                place.show(made, rows_seen(view.visible_span, len(view.text), rows))

    def _sides(self) -> list[tuple[DocumentView, Minimap]]:
        maps = [self.query_one(f"#map-{side}", Minimap) for side in "ab"]
        return list(zip((self.first, self.second), maps, strict=True))

    def on_resize(self) -> None:
        self._show_lines()
        self.call_after_refresh(self._draw_maps)

    @on(DocumentView.Moved)
    def _moved(self, event: DocumentView.Moved) -> None:
        for view, place in self._sides():
            if view is event.view:
                seen = rows_seen(view.visible_span, len(view.text), place.size.height)
                place.move(seen)
        if event.view is self.leading:
            follower = self.first if event.view is self.second else self.second
            if self._view is not None and self._view.second is not None:
                follower.go_to(event.view.top)
                follower.scroll_to(x=event.view.scroll_offset.x, animate=False)
                follower.follow_chunk(event.view)
            self._show_lines()

    @on(Minimap.Clicked)
    def _map_clicked(self, event: Minimap.Clicked) -> None:
        self.leading.go_to(int(event.fraction * len(self.leading.text)))

    @on(DescendantFocus)
    def _focus_moved(self) -> None:
        self._show_lines()

    def _show_lines(self) -> None:
        """The status above, and the current chunk below."""
        view = self._view
        if view is None:
            return
        show_text(
            self.query_one("#status", Static),
            boundaries_text.status_text(
                view,
                self._chunking,
                self.app.size.width - 2,
                evidence=self._evidence,
                overlaps=self._overlaps,
            ),
        )
        chunking = self.leading.overlay.chunking
        if chunking is not None:
            text = boundaries_text.chunk_text(chunking, self.leading.current, view.evidence)
        else:
            on_second = self.leading is self.second and view.second is not None
            entry = view.second if on_second else view.choice.strategy
            text = boundaries_text.missing_text(entry or view.choice.strategy)
        line = self.query_one("#chunk", Static)
        room = line.content_size.width - cell_len(text)
        if room > cell_len(boundaries_text.LEGEND) + 1:
            text += f"{boundaries_text.LEGEND:>{room}}"
        show_text(line, text)

    # Keys

    def action_step(self, by: int) -> None:
        self.leading.step(by)

    def action_strategy(self, by: int) -> None:
        view = self._view
        if view is None:
            return
        if self.leading is self.second and view.second is not None:
            self._second = other_chunks(view, view.second, by).config
        else:
            entry = other_chunks(view, view.choice.strategy, by)
            self.app.selection = replace(self.app.selection, config=entry.config)
        self._read_again()

    def action_beside(self) -> None:
        view = self._view
        if view is None:
            return
        if view.second is None:
            self._second = other_chunks(view, view.choice.strategy, 1).config
        else:
            self._second = None
            self.first.focus()
        self._read_again()

    @work(group="documents", exit_on_error=False)
    async def action_documents(self) -> None:
        if (view := self._view) is not None:
            chosen = await self.app.push_screen_wait(
                DocumentsScreen(view.documents, view.document.id)
            )
            if chosen is not None:
                self._open_document(chosen)

    def action_document(self, by: int) -> None:
        if (view := self._view) is not None:
            self._open_document(view.documents[(view.place + by) % len(view.documents)].id)

    def _open_document(self, document: int) -> None:
        self.app.selection = replace(self.app.selection, document=document, span=(0, 0))
        self._read_again()

    def action_overlaps(self) -> None:
        self._overlaps = not self._overlaps
        self._lay()

    def action_evidence(self) -> None:
        self._evidence = not self._evidence
        self._lay()

    def action_next_overlap(self) -> None:
        chunking = self.leading.overlay.chunking
        if chunking is not None:
            edges, depths = chunking.coverage.edges, chunking.coverage.depths
            self._go_on([edges[place] for place, depth in enumerate(depths) if depth > 1])

    def action_next_evidence(self) -> None:
        if self._view is not None:
            self._go_on([passage.start for passage in self._view.evidence])

    def _go_on(self, places: Sequence[int]) -> None:
        """To the first of some ascending places below the current chunk's beginning."""
        view = self.leading
        chunking = view.overlay.chunking
        if not places:
            return
        here = self._visited if view.visible_span[0] <= self._visited < view.visible_span[1] else -1
        after = bisect_right(places, max(here, view.top - 1))
        self._visited = places[after % len(places)]
        view.reveal(self._visited)
        if chunking is not None:
            view.set_current(chunking.chunk_at(self._visited), reveal=False)

    def action_wrap(self) -> None:
        for view in (self.first, self.second):
            view.toggle_wrap()

    def action_ask_place(self) -> None:
        place = self.query_one("#place", Input)
        place.value = ""
        place.display = True
        place.focus()

    @on(Input.Submitted, "#place")
    def _go_to_place(self, event: Input.Submitted) -> None:
        view = self.leading
        chunking = view.overlay.chunking
        try:
            starts = chunking.spans.starts if chunking is not None else ()
            offset = offset_of(event.value, len(view.text), starts)
        except BadInput as error:
            self.notify(shown(str(error)), severity="error", markup=False)
            return
        self._close_place()
        view.go_to(offset, above=3)
        if chunking is not None:
            view.set_current(chunking.chunk_at(offset), reveal=False)

    def _close_place(self) -> None:
        self.query_one("#place").display = False
        self.first.focus()

    # What if

    @on(WhatIfPanel.Changed)
    def _setting_changed(self) -> None:
        if self._view is not None:
            self._lay()
            self._show_lines()
            self._update_keys()

    @on(WhatIfPanel.Closed)
    def _fields_closed(self) -> None:
        self.first.focus()

    def action_vary(self, size: int, overlap: int) -> None:
        self.what_if.step(size, overlap)

    def action_parameters(self) -> None:
        self.what_if.open_fields()

    def action_reset(self) -> None:
        self.what_if.reset()

    @work(group="add", exit_on_error=False)
    async def action_add(self) -> None:
        """Ask for the setting to join the run, and watch it come into the leaderboard."""
        view, tried = self._view, self.what_if.tried
        if view is None or tried is None:
            return
        run, label = view.choice.summary.id, tried.preview.label
        try:
            await self.app.add_strategy(run, label)
        except BadInput as error:
            self.notify(shown(str(error)), severity="warning", markup=False)
            return
        self.what_if.reset()
        added = label, view.choice.strategy.config
        await self.app.open("live", replace(self.app.selection, added=added))

    async def action_back(self) -> None:
        if self.query_one("#place").display:
            self._close_place()
        elif self.what_if.has_fields:
            self.what_if.close_fields()
        else:
            await self.app.back()

    def exports(self) -> list[Export]:
        return [] if self._view is None else chunks_exports(self._view)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action in ("vary", "parameters") and isinstance(self.focused, Input):
            return False
        if action == "step" and active_bar(self) is not None:
            return False
        return is_possible(action, self._view, what_if=self.what_if.tried is not None)
