"""The keys that are the same on every screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

if TYPE_CHECKING:
    from textual.binding import BindingType

_SCROLLED = (
    ("j", "down", "Down"),
    ("k", "up", "Up"),
    ("ctrl+d", "page_down", "Page down"),
    ("ctrl+u", "page_up", "Page up"),
    ("g", "home", "To the beginning"),
    ("G", "end", "To the end"),
    ("h", "left", "To the left"),
    ("l", "right", "To the right"),
)

KEYS: list[BindingType] = [
    Binding("question_mark", "help", "Help", tooltip="The keys of this screen", id="app.help"),
    # Before the widgets': the keys after it come to the line that it opens.
    Binding(
        "slash",
        "find",
        "Find",
        show=False,
        priority=True,
        tooltip="Find words: in a table the rows that hold them",
        id="app.find",
    ),
    Binding(
        "n", "find_next(1)", "Next found", show=False, tooltip="The next found", id="app.find_next"
    ),
    Binding(
        "N",
        "find_next(-1)",
        "Previous found",
        show=False,
        tooltip="The previous found",
        id="app.find_back",
    ),
    # Before the screens' own: what is sought ends before the screen is left.
    Binding(
        "escape",
        "find_end",
        "End the search",
        show=False,
        priority=True,
        tooltip="Show all again",
        id="app.find_end",
    ),
    Binding(
        "escape",
        "minimize",
        "All panels",
        show=False,
        priority=True,
        tooltip="Show the other panels again",
        id="app.minimize",
    ),
    Binding(
        "y",
        "copy",
        "Copy",
        show=False,
        tooltip="Copy the row, chunk, question or hit",
        id="app.copy",
    ),
    Binding(
        "e",
        "export",
        "Export",
        tooltip="Write what the screen shows into files",
        id="app.export",
    ),
    Binding(
        "z",
        "zoom",
        "Maximise",
        show=False,
        tooltip="The panel with the focus alone, or all of them",
        id="app.zoom",
    ),
    Binding("t", "next_theme", "Theme", show=False, tooltip="Light or dark", id="app.theme"),
    Binding(
        "f8",
        "screenshot",
        "Screenshot",
        show=False,
        tooltip="Save the screen as SVG",
        id="app.screenshot",
    ),
    # Last in the chain: for panels of text, which do not have them of their own.
    *(
        Binding(key, f"scroll('{way}')", what, show=False, tooltip=what, id=f"app.scroll_{way}")
        for key, way, what in _SCROLLED
    ),
    Binding("q", "quit", "Leave", tooltip="Leave; the engine keeps running", id="app.quit"),
]
