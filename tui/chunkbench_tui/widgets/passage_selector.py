"""A document in which a passage is selected, by keys or with the mouse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding
from textual.containers import Vertical
from textual.message import Message

from chunkbench_engine.questions.verbatim import trimmed
from chunkbench_tui.document import motions
from chunkbench_tui.document.coverage import merged
from chunkbench_tui.document.painting import Layers
from chunkbench_tui.widgets.document_view import DocumentView
from chunkbench_tui.widgets.find_bar import Sought

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType


def _move(keys: str, motion: str, what: str, name: str) -> Binding:
    return Binding(keys, f"move('{motion}')", what, show=False, id=f"passage.{name}")


_MOTIONS = {
    "right": motions.grapheme_end,
    "left": motions.grapheme_begin,
    "word": motions.next_word,
    "word_back": motions.word_before,
    "sentence": motions.next_sentence,
    "sentence_back": motions.sentence_before,
    "paragraph": motions.next_paragraph,
    "paragraph_back": motions.paragraph_before,
}


class PassageSelector(Vertical, can_focus=True):
    """One document with a caret and, once it is begun, a selection that follows the caret.

    Both ends belong to a selection: the character under the caret is its last, or its first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "line(1)", "Line down", show=False, id="passage.down"),
        Binding("k,up", "line(-1)", "Line up", show=False, id="passage.up"),
        _move("l,right", "right", "Character on", "right"),
        _move("h,left", "left", "Character back", "left"),
        _move("w", "word", "Next word", "word"),
        _move("b", "word_back", "Word before", "word_back"),
        _move("right_parenthesis", "sentence", "Next sentence", "sentence"),
        _move("left_parenthesis", "sentence_back", "Sentence before", "sentence_back"),
        _move("right_curly_bracket", "paragraph", "Next paragraph", "paragraph"),
        _move("left_curly_bracket", "paragraph_back", "Paragraph before", "paragraph_back"),
        Binding("ctrl+d,pagedown,space", "page(1)", "Page down", show=False, id="passage.page"),
        Binding("ctrl+u,pageup", "page(-1)", "Page up", show=False, id="passage.page_up"),
        Binding("g,home", "edge(0)", "To the beginning", show=False, id="passage.first"),
        Binding("G,end", "edge(1)", "To the end", show=False, id="passage.last"),
        Binding("v", "begin", "Select", tooltip="Begin a selection, or drop it", id="gold.select"),
        Binding(
            "s",
            "sentence",
            "Sentence",
            tooltip="Select the sentence; again: one more",
            id="gold.sentence",
        ),
    ]

    @dataclass
    class Changed(Message):
        """The caret or the selection is another one."""

        selector: PassageSelector

        @property
        def control(self) -> PassageSelector:
            return self.selector

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, PassageSelector.Changed)

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.caret = 0
        self._anchor: int | None = None
        self._cell: int | None = None
        self._evidence = merged(())
        self._dragging = False
        self.view = DocumentView()
        self.view.can_focus = False

    def compose(self) -> ComposeResult:
        yield self.view

    @property
    def text(self) -> str:
        return self.view.text

    @property
    def span(self) -> tuple[int, int]:
        """What is selected, without white space at its ends; (0, 0) if nothing is."""
        if self._anchor is None or not self.text:
            return 0, 0
        start, end = sorted((self._anchor, self.caret))
        start, end = trimmed(self.text, start, motions.grapheme_end(self.text, end))
        return (start, end) if start < end else (0, 0)

    def open(self, text: str, caret: int = 0) -> None:
        """Show another document, with the caret at an offset and nothing selected."""
        self.caret = min(max(caret, 0), max(len(text) - 1, 0))
        self._anchor = self._cell = None
        self.view.open(text, self.caret)
        self.view.go_to(self.caret, above=5)
        self._changed()

    def mark(self, evidence: Iterable[tuple[int, int]]) -> None:
        """Show which passages answer a question already; spans in order of their starts."""
        self._evidence = merged(evidence)
        self._lay()

    def select(self, start: int, end: int) -> None:
        """Select a span of the text and bring it to the screen."""
        self._anchor, self.caret = start, motions.grapheme_begin(self.text, end)
        self._cell = None
        self.view.reveal(max(end - 1, start))
        self.view.reveal(start)
        self._changed()

    def go_to(self, offset: int) -> None:
        """Put the caret somewhere, with nothing selected."""
        self._anchor = self._cell = None
        self.caret = min(max(offset, 0), max(len(self.text) - 1, 0))
        self.view.reveal(self.caret)
        self._changed()

    @property
    def can_seek(self) -> bool:
        """Whether there is a text."""
        return self.view.can_seek

    @property
    def found(self) -> str:
        """Which of the places found is the current one."""
        return self.view.found

    def seek(self, words: str) -> None:
        """Mark the places of these words; the caret goes to the first, a selection with it."""
        self.view.seek(words)

    def seek_next(self, by: int) -> None:
        """The next or previous place found."""
        self.view.seek_next(by)

    @on(Sought)
    def _follow_found(self) -> None:
        if (place := self.view.found_place) is not None:
            self._go(place)

    def drop(self) -> None:
        """Select nothing."""
        self._anchor = None
        self._changed()

    def _changed(self) -> None:
        self._lay()
        self.post_message(self.Changed(self))

    def _lay(self) -> None:
        start, end = self.span
        if start == end:
            start, end = self.caret, motions.grapheme_end(self.text, self.caret)
        layers = Layers(None, self._evidence, (start, end), caret=self.caret)
        if layers != self.view.overlay:
            self.view.show(layers)

    def _go(self, offset: int) -> None:
        self.caret = min(max(offset, 0), max(len(self.text) - 1, 0))
        self.view.reveal(self.caret)
        self._changed()

    # Keys

    def action_move(self, motion: str) -> None:
        self._cell = None
        self._go(_MOTIONS[motion](self.text, self.caret))

    def action_line(self, by: int) -> None:
        if self._cell is None:  # kept while the caret goes over shorter lines
            self._cell = self.view.cell_of(self.caret)
        self._go(self.view.lines_away(self.caret, by, self._cell))

    def action_page(self, direction: int) -> None:
        self.action_line(direction * max(self.size.height - 2, 1))

    def action_edge(self, end: int) -> None:
        self._cell = None
        self._go(len(self.text) - 1 if end else 0)

    def action_begin(self) -> None:
        self._anchor = self.caret if self._anchor is None else None
        self._changed()

    def action_sentence(self) -> None:
        start, end = self.span
        if start == end:
            self.select(*motions.sentence_at(self.text, self.caret))
        else:
            following = motions.sentence_at(self.text, end)
            self.select(start, max(following[1], end))

    # Mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        offset = self.view.offset_under(event)
        if offset is not None and event.button == 1:
            self._dragging = True
            self._anchor = self._cell = None
            self.capture_mouse()
            self._go(offset)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if not self._dragging:
            return
        offset = self.view.offset_under(event)
        if offset is None:  # beyond the edge: the text follows
            above = event.screen_y < self.view.region.y
            offset = self.view.lines_away(self.caret, -1 if above else 1, 0)
        if offset != self.caret:
            if self._anchor is None:
                self._anchor = self.caret
            self._go(offset)

    def on_mouse_up(self) -> None:
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def on_click(self, event: events.Click) -> None:
        if event.chain == 2:
            self._anchor = None
            self.action_sentence()
