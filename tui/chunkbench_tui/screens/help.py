"""The keys of a screen, and what each does."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import ComposeResult
    from textual.binding import ActiveBinding, BindingType


class HelpScreen(ModalScreen[None]):
    """The keys that do something on the screen below."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q", "dismiss", "Close", id="help.close"),
    ]

    def __init__(self, title: str, bindings: Iterable[ActiveBinding]) -> None:
        super().__init__()
        self._title = title
        # Ours have an id; the keys of a table, known from everywhere, come last.
        self._active = sorted(bindings, key=lambda a: (a.binding.id or "").startswith("table."))

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(self._text(), markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def _text(self) -> Content:
        keys: dict[str, list[str]] = {}
        for active in self._active:
            if active.binding.id and active.enabled:
                what = active.tooltip or active.binding.description
                keys.setdefault(what, []).append(self.app.get_key_display(active.binding))
        names = {what: " ".join(dict.fromkeys(names)) for what, names in keys.items()}
        width = max(map(len, names.values()), default=0)
        rows = [Content(f"{name:<{width}}  {what}") for what, name in names.items()]
        head = Content.styled(f"Keys: {self._title}", "bold")
        foot = Content("ctrl+p finds every command by name; esc closes this")
        return Content("\n").join([head, Content(""), *rows, Content(""), foot])
