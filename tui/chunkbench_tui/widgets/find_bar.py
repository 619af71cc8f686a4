"""The line on which one types what is sought, in a table or in a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from textual import on
from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Footer, Input, Label, Static

from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.screen import Screen


@runtime_checkable
class Searchable(Protocol):
    """A widget in which something can be sought."""

    @property
    def can_seek(self) -> bool:
        """Whether there is anything to seek in."""

    @property
    def found(self) -> str:
        """How much was found, for a person."""

    def seek(self, words: str) -> None:
        """Seek from now on; nothing for ""."""

    def seek_next(self, by: int) -> None:
        """Go to the next or previous place."""


@dataclass
class Sought(Message):
    """A search has found what there is, or has gone to another place."""

    widget: Widget

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, Sought) and message.widget is self.widget


class FindBar(Horizontal):
    """Is on the screen as long as something is sought."""

    DEFAULT_CSS = """
    FindBar { height: 1; padding: 0 1; background: $panel; }
    FindBar Label { width: 2; text-style: bold; }
    FindBar Input { width: 1fr; background: $panel; }
    FindBar Static { width: auto; padding-left: 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,up", "leave", "To what was found", show=False, id="find.leave"),
    ]

    def __init__(self, target: Searchable) -> None:
        super().__init__()
        self.target = target
        # Made here, not in compose: what is typed while the bar is mounted is asked for too.
        self._words = Input(compact=True, placeholder="words", select_on_focus=False)
        self._told = Static(id="found", markup=False)

    def compose(self) -> ComposeResult:
        yield Label("/")
        yield self._words
        yield self._told

    def ask(self) -> None:
        """Let the person type."""
        self.screen.set_focus(self._words)
        self.say()

    def say(self) -> None:
        """Say how much was found, and which keys go on from there."""
        words = self._words.value.strip()
        keys = "n N next, previous · esc ends it" if not self.has_focus_within else "enter"
        show_text(
            self.query_one("#found", Static), f"{self.target.found} · {keys}" if words else ""
        )

    def on_descendant_focus(self) -> None:
        self.say()

    def on_descendant_blur(self) -> None:
        self.call_after_refresh(self.say)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.target.seek(event.value.strip())
        self.say()

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.action_leave()
        else:
            end_search(self.screen)

    def action_leave(self) -> None:
        """Back to the table or document, which keeps what was found."""
        if isinstance(self.target, Widget):
            self.screen.set_focus(self.target)


async def begin_search(screen: Screen[Any]) -> None:
    """Ask what is sought on a screen: in what has the focus, else in what comes first."""
    target = target_of(screen)
    if target is None:
        return
    bar = active_bar(screen)
    if bar is not None and bar.target is target:
        bar.ask()
        return
    end_search(screen)
    footers = screen.query(Footer)
    bar = FindBar(target)
    await screen.mount(bar, before=footers.first() if footers else None)
    bar.ask()  # before the next key is read, which is to be typed into it


def end_search(screen: Screen[Any]) -> None:
    """Seek nothing any more."""
    bar = active_bar(screen)
    if bar is not None:
        bar.target.seek("")
        bar.action_leave()
        bar.remove()


def active_bar(screen: Screen[Any]) -> FindBar | None:
    """The bar of a screen; None where nothing is sought."""
    bars = screen.query(FindBar)
    return bars.first() if bars else None


def target_of(screen: Screen[Any]) -> Searchable | None:
    """What would be searched on a screen; None if nothing there can be."""
    found = [
        widget
        for widget in (screen.focused, *screen.query("*"))
        if isinstance(widget, Searchable) and widget.can_seek and _is_shown(widget)
    ]
    return found[0] if found else None


def _is_shown(widget: Searchable) -> bool:
    return isinstance(widget, Widget) and all(
        node.display for node in widget.ancestors_with_self if isinstance(node, Widget)
    )
