"""The screens, in the order of their number. Each is imported when it is first wanted.

The modules of all of them together take as long to import as Textual does: the app paints its
first one before that, and imports the others while the person looks at it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from textual.screen import Screen


class Mode(NamedTuple):
    """A screen with a number.

    Attributes:
        about: what it shows.
        module: of its screen, in `chunkbench_tui.screens`.
        screen: its class.
        above: the mode that esc leads to where it was opened by its number.
    """

    name: str
    title: str
    about: str
    module: str
    screen: str
    above: str = ""


BY_NUMBER = (
    Mode("runs", "Runs", "Every run", "runs", "RunsScreen"),
    Mode("new", "New", "Start a new run", "new_run", "NewRunScreen"),
    Mode("live", "Live", "A run as it goes", "live", "LiveScreen", "runs"),
    Mode(
        "strategy",
        "Strategy",
        "All that is known of one strategy",
        "strategy",
        "StrategyScreen",
        "live",
    ),
    Mode(
        "boundaries",
        "Boundaries",
        "A document with its chunks",
        "boundaries",
        "BoundariesScreen",
        "strategy",
    ),
    Mode(
        "questions",
        "Questions",
        "Questions, evidence and hits",
        "questions",
        "QuestionsScreen",
        "strategy",
    ),
    Mode(
        "plots", "Plots", "What quality costs, and where it holds", "plots", "PlotsScreen", "live"
    ),
    Mode("gold", "Gold", "Build a question set", "gold", "GoldScreen", "new"),
)


def maker(mode: Mode) -> Callable[[], Screen[Any]]:
    """What makes the screen of a mode."""

    def make() -> Screen[Any]:
        screen: Screen[Any] = getattr(_imported(mode), mode.screen)()
        return screen

    return make


def import_each() -> Iterator[None]:
    """Import the screens, with what each opens over itself; a step for each."""
    for mode in BY_NUMBER:
        _imported(mode)
        yield


def _imported(mode: Mode) -> ModuleType:
    return import_module(f"chunkbench_tui.screens.{mode.module}")
