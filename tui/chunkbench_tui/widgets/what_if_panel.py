"""The lines above a document that say what another setting would change, and its parameters."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual import on, work
from textual.containers import Grid, Vertical
from textual.message import Message
from textual.widgets import Input, Label, Static

from chunkbench_engine.errors import BadInput
from chunkbench_tui.document.coverage import chunking
from chunkbench_tui.safe_text import shown
from chunkbench_tui.what_if import Wish, change_text, heading_text
from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.worker import Worker

    from chunkbench_engine.run.preview import Preview
    from chunkbench_tui.app import ChunkbenchApp
    from chunkbench_tui.boundaries_view import BoundariesView
    from chunkbench_tui.document.coverage import Chunking

_TYPING_SECONDS = 0.12
"""A document is not chunked anew for every letter of a quick typist."""
_SETTLE_SECONDS = 0.5
"""How long a document is looked at before the preview is made ready for it."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A wish that was answered."""

    wish: Wish
    preview: Preview
    chunking: Chunking


class WhatIfPanel(Vertical):
    """What if the selected strategy had another setting. Hidden while nothing is wished for."""

    app: ChunkbenchApp

    DEFAULT_CSS = """
    WhatIfPanel {
        height: auto;
        display: none;
        padding: 0 1;
        background: $warning 20%;
        & > Static { height: auto; text-wrap: nowrap; text-overflow: ellipsis; }
        & > Grid {
            height: auto;
            max-height: 8;
            display: none;
            grid-size: 4;
            grid-columns: auto 1fr auto 1fr;
            grid-rows: 1;
            grid-gutter: 0 1;
            overflow-y: auto;
        }
        & Input { height: 1; }
    }
    """

    @dataclass
    class Changed(Message):
        """Other chunks are to be shown."""

    @dataclass
    class Closed(Message):
        """The fields were put away: the keys are for the document again."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._view: BoundariesView | None = None
        self._wish: Wish | None = None
        self._tried: Tried | None = None
        self._problem = ""
        self._opening = False
        # What the fields were filled with; they count from there.
        self._opened: Preview | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="what-if-heading", markup=False)
        yield Static(id="what-if-change", markup=False)
        yield Grid(id="what-if-parameters")

    # What the screen needs to know

    @property
    def tried(self) -> Tried | None:
        """The setting that is to be shown instead of the run's; None for that."""
        return self._tried

    @property
    def has_fields(self) -> bool:
        """Whether the parameters can be written."""
        return bool(self.query_one(Grid).display)

    # What a person does

    def follow(self, view: BoundariesView) -> None:
        """The screen shows another document or strategy, or the same with more chunks."""
        before, self._view = self._view, view
        wish = self._wish
        if wish is None:
            if before is None or before.document.id != view.document.id:
                self._make_ready(view)
            return
        entry, run = view.choice.strategy, view.choice.summary.id
        if (run, entry.chunk_set) != (wish.run, wish.chunk_set):
            self.reset()
        elif view.document.id != wish.document:
            self._tried = None
            self._ask(replace(wish, document=view.document.id))

    def step(self, size: int, overlap: int) -> None:
        """Larger or smaller chunks, more or less overlap."""
        wish = self._wish or self._fresh()
        if wish is None:
            return
        wish = wish.stepped(size, overlap)
        if wish.original:
            self.reset()
        else:
            self._ask(wish)

    def open_fields(self) -> None:
        """Show every parameter, to be written."""
        self._opening = True
        if (wish := self._wish or self._fresh()) is not None:
            self._ask(wish)

    def close_fields(self) -> None:
        """Put the fields away; what they say stays."""
        self.query_one(Grid).display = False
        self._opening = False
        self.post_message(self.Closed())
        if self._tried is None or self._tried.preview.label == self._tried.wish.label:
            self.reset()
        elif self._problem:  # what was tried last stands
            self._wish, self._problem = self._tried.wish, ""
            self._show()

    def reset(self) -> None:
        """Back to the setting of the run."""
        self.workers.cancel_group(self, "preview")
        self.query_one(Grid).display = False
        self._wish = self._tried = None
        self._problem, self._opening = "", False
        self._show()
        self.post_message(self.Changed())

    # The answer

    def _fresh(self) -> Wish | None:
        if self._view is None:
            return None
        entry = self._view.choice.strategy
        return Wish(
            self._view.choice.summary.id,
            self._view.document.id,
            entry.label,
            entry.chunk_set,
            entry.label,
        )

    def _ask(self, wish: Wish, delay: float = 0.0) -> None:
        self._wish = wish
        self._show()
        self._try(wish, delay)

    @work(exclusive=True, group="ready", exit_on_error=False)
    async def _make_ready(self, view: BoundariesView) -> None:
        """So that the first key is answered at once; not while a run takes the time of things."""
        await asyncio.sleep(_SETTLE_SECONDS)
        if not view.choice.summary.alive:
            await self.app.previewer.warm(view.choice.summary.id, view.document.id)

    @work(exclusive=True, group="preview", exit_on_error=False)
    async def _try(self, wish: Wish, delay: float) -> None:
        if delay:
            await asyncio.sleep(delay)
        try:
            preview = await self.app.previewer.ask(wish.request)
        except BadInput as error:
            self._refused(wish, str(error))
            return
        made = await asyncio.to_thread(chunking, preview.label, -1, preview.spans)
        self._problem = ""
        self._tried = Tried(wish, preview, made)
        if self._opening:
            self._opening = False
            await self._fill_fields(preview)
        self._show()
        self.post_message(self.Changed())

    def _refused(self, wish: Wish, problem: str) -> None:
        """What was tried before stays; what is being written too, to be mended."""
        self._problem = problem
        if not wish.values:
            self._wish = None if self._tried is None else self._tried.wish
        if self._wish is None:
            self._opening = False
            self.app.notify(shown(problem), severity="warning", markup=False)
            self._problem = ""
        self._show()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        self.app.say_failure(event)

    # The fields

    async def _fill_fields(self, preview: Preview) -> None:
        grid = self.query_one(Grid)
        await grid.remove_children()
        self._opened = preview
        if not preview.parameters:
            label = shown(preview.label)
            self.app.notify(f"{label} has no parameters.", severity="warning", markup=False)
            self.close_fields()
            return
        several = len({parameter.strategy for parameter in preview.parameters}) > 1
        for place, parameter in enumerate(preview.parameters):
            name = f"{parameter.strategy} {parameter.name}" if several else parameter.name
            await grid.mount(
                Label(shown(name), markup=False),
                Input(parameter.value, compact=True, name=str(place)),
            )
        grid.display = True
        grid.query(Input).first().focus()

    @on(Input.Changed)
    def _written(self, event: Input.Changed) -> None:
        event.stop()
        opened, wish = self._opened, self._wish
        if opened is None or wish is None or not self.has_fields:
            return
        values = {
            place: field.value
            for place, field in enumerate(self.query(Input))
            if field.value.strip() != opened.parameters[place].value
        }
        self._ask(wish.written(opened.label, values), _TYPING_SECONDS)

    @on(Input.Submitted)
    def _done(self, event: Input.Submitted) -> None:
        event.stop()
        self.close_fields()

    # What is said

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        wish, view = self._wish, self._view
        self.display = wish is not None
        if wish is None or view is None:
            return
        preview = None if self._tried is None else self._tried.preview
        labels = {entry.label for entry in view.choice.strategies}
        known = preview is not None and preview.label in labels
        change = self.query_one("#what-if-change", Static)
        width = self.app.size.width - 2
        heading = heading_text(wish, preview, width, known=known)
        show_text(self.query_one("#what-if-heading", Static), heading)
        if self._problem:
            text = f"✗ {shown(self._problem)}"
        elif preview is None:
            text = "chunking the document…"
        else:
            text = change_text(preview.before, preview.diagnosis, width)
        show_text(change, text)
