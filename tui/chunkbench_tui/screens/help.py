"""The keys of a screen, and what each does."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from chunkbench_tui.safe_text import shown
from chunkbench_tui.user_settings import settings_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import ComposeResult
    from textual.binding import ActiveBinding, BindingType


_HERE, _MOVING = (), ("table", "document", "passage", "grid", "scatter")
_ELSEWHERE = ("app", *_MOVING)
_KEYS_WIDTH = 9
_NAME_WIDTH = 24


class HelpScreen(ModalScreen[None]):
    """The keys that do something on the screen below."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q", "dismiss", "Close", id="help.close"),
        Binding(
            "n", "name", "Names", tooltip="The actions' names, or what they do", id="help.names"
        ),
        *(
            Binding(keys, f"scroll('{way}')", show=False, id=f"help.{way}")
            for keys, way in (("j", "down"), ("k", "up"), ("ctrl+d", "page_down"))
        ),
    ]

    def __init__(self, title: str, bindings: Iterable[ActiveBinding]) -> None:
        super().__init__()
        self._title = title
        self._named = False
        self._active = [a for a in bindings if a.binding.id and a.enabled]

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(Content.styled(f"Keys: {self._title}", "bold"), markup=False)
            with Container(id="keys"):
                with Vertical():
                    yield Static(id="here", markup=False)
                    yield Static(id="moving", markup=False)
                yield Static(id="everywhere", markup=False)
            yield Static("ctrl+p finds every command by name; esc closes this", markup=False)
            yield Static(
                shown(f"n shows the actions' names, for keys of your own in {settings_path()}"),
                markup=False,
            )

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
        self._show()

    def _show(self) -> None:
        for name, title, groups in (
            ("here", "This screen", _HERE),
            ("moving", "Moving", _MOVING),
            ("everywhere", "Everywhere", ("app",)),
        ):
            text = self._text(title, *groups)
            part = self.query_one(f"#{name}", Static)
            part.update(text)
            part.display = bool(text.plain)

    def action_name(self) -> None:
        self._named = not self._named
        self._show()

    def _text(self, title: str, *names: str) -> Content:
        """The keys whose names begin so; all others for `_HERE`."""
        keys: dict[str, list[str]] = {}
        for active in self._active:
            name = str(active.binding.id).partition(".")[0]
            if name in names or (names == _HERE and name not in _ELSEWHERE):
                what = active.tooltip or active.binding.description
                if self._named:
                    what = f"{active.binding.id:<{_NAME_WIDTH}} {active.binding.description}"
                keys.setdefault(what, []).append(self.app.get_key_display(active.binding))
        rows = [
            Content(f"{' '.join(dict.fromkeys(names)):<{_KEYS_WIDTH}} {what}")
            for what, names in keys.items()
        ]
        return Content("\n").join([Content.styled(title, "bold"), *rows]) if rows else Content()

    def action_scroll(self, way: str) -> None:
        getattr(self.query_one(VerticalScroll), f"scroll_{way}")(animate=False)
