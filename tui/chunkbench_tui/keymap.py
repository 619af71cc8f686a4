"""The person's keys, checked against the actions there are before any of them is pressed."""

from __future__ import annotations

import string
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import KEY_NAME_REPLACEMENTS, Keys
from textual.theme import BUILTIN_THEMES

from chunkbench_engine.errors import BadInput
from chunkbench_tui.modes import import_each
from chunkbench_tui.user_settings import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from chunkbench_tui.user_settings import UserSettings

_MODIFIERS = frozenset(("ctrl", "shift", "alt", "super", "meta", "hyper"))
_NAMED = frozenset(key.value for key in Keys)
_ANYWHERE = frozenset(("app", "table", "find"))
"""What is, or may be, on the screen together with any other."""
_WITH_DOCUMENT = frozenset(("app", "find", "boundaries", "gold"))


@dataclass(frozen=True, slots=True)
class Action:
    """An action with its keys as they come."""

    id: str
    keys: tuple[str, ...]

    @property
    def place(self) -> str:
        """The screen or widget that it belongs to."""
        return self.id.partition(".")[0]


def actions() -> dict[str, Action]:
    """All actions of the app by their names; imports every screen."""
    for _ in import_each():
        pass
    found: dict[str, Action] = {}
    for node in _ours(DOMNode):
        for binding in vars(node).get("BINDINGS", ()):
            if isinstance(binding, Binding) and binding.id:
                keys = (key.strip() for key in binding.key.split(","))
                found[binding.id] = Action(binding.id, tuple(map(long_name, keys)))
    return found


def checked_keymap(settings: UserSettings, path: Path) -> dict[str, str]:
    """The map for `set_keymap`.

    Raises:
        BadInput: an action or key that does not exist, or a key that two actions of a screen have.
    """
    if not settings.keys:
        return {}
    known = actions()
    mapped: dict[str, tuple[str, ...]] = {}
    for name, text in settings.keys.items():
        if name not in known:
            hint = nearest(name, known) or ": ? in the app lists a screen's keys"
            raise BadInput(f"{path}: there is no action {name!r}{hint}")
        keys = tuple(long_name(key.strip()) for key in text.split(","))
        for key in keys:
            if not is_key(key):
                raise BadInput(
                    f"{path}: {name}: {key!r} is no key; keys are written o, O, ctrl+o, f2, space"
                )
        mapped[name] = keys
    _refuse_clashes(known, mapped, path)
    return {name: ",".join(keys) for name, keys in _with_neighbours(known, mapped).items()}


def check_theme(theme: str, path: Path) -> None:
    """Raises:
    BadInput: there is no such theme.
    """
    if theme and theme not in BUILTIN_THEMES:
        hint = nearest(theme, BUILTIN_THEMES) or f": {', '.join(sorted(BUILTIN_THEMES))}"
        raise BadInput(f"{path}: there is no theme {theme!r}{hint}")


def long_name(key: str) -> str:
    """A key by the name it is bound under: `?` is `question_mark`."""
    *modifiers, last = ("+",) if key == "+" else key.split("+")
    if len(last) == 1 and not last.isalnum():
        name = unicodedata.name(last, last).lower().replace("-", "_").replace(" ", "_")
        last = KEY_NAME_REPLACEMENTS.get(name, name)
    return "+".join((*modifiers, last))


_SIGNS = frozenset(map(long_name, string.punctuation))


def is_key(key: str) -> bool:
    """Whether a key of that name can be pressed."""
    *modifiers, last = key.split("+")
    if not set(modifiers) <= _MODIFIERS:
        return False
    return (len(last) == 1 and last.isalnum()) or last in _NAMED or last in _SIGNS


def _refuse_clashes(
    known: Mapping[str, Action], mapped: Mapping[str, tuple[str, ...]], path: Path
) -> None:
    for name, keys in mapped.items():
        wanted = set(keys) - set(known[name].keys)  # what is so by default is meant
        for other, action in known.items():
            shared = wanted & set(mapped.get(other, action.keys))
            if other != name and shared and _together(known[name].place, action.place):
                raise BadInput(
                    f"{path}: {name} and {other} are both on {', '.join(sorted(shared))}: "
                    "give one of them another key"
                )


def _together(one: str, other: str) -> bool:
    """Whether actions of two places can be wanted at the same time."""
    pair = {one, other}
    if "document" in pair:
        return bool(pair & _WITH_DOCUMENT) or one == other
    return one == other or bool(pair & _ANYWHERE and pair != {"table", "boundaries"})


def _with_neighbours(
    known: Mapping[str, Action], mapped: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Textual frees a key from all its actions when one of them moves: the others are put back."""
    result = dict(mapped)
    for name in mapped:
        for other, action in known.items():
            if action.place == known[name].place and set(action.keys) & set(known[name].keys):
                result.setdefault(other, action.keys)
    return result


def _ours(base: type[Any]) -> Iterator[type[Any]]:
    for child in base.__subclasses__():
        if child.__module__.startswith("chunkbench_tui."):
            yield child
        yield from _ours(child)
