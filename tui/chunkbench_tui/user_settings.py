"""The person's settings file: the theme, and other keys. It is theirs: it is never made anew."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import platformdirs

from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_KNOWN = ("theme", "keys")


@dataclass(frozen=True, slots=True)
class UserSettings:
    """What the settings file says.

    Attributes:
        theme: name of a theme, "" for the app's.
        keys: by the name of an action (`live.sort`) the keys it is to have, parted by commas.
    """

    theme: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)


def settings_path() -> Path:
    """The settings file, which need not exist: in the platform's folder for configuration."""
    return platformdirs.user_config_path("chunkbench-tui", appauthor=False) / "settings.toml"


def read_settings(path: Path) -> UserSettings:
    """What the file says; the defaults where there is none.

    Raises:
        BadInput: it cannot be read, or says what nobody understands. Nothing is passed over.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return UserSettings()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path} is not TOML: {error}") from error
    for name in content:
        if name not in _KNOWN:
            raise BadInput(f"{path}: there is no setting {name!r}{nearest(name, _KNOWN)}")
    theme, keys = content.get("theme", ""), content.get("keys", {})
    if not isinstance(theme, str):
        raise BadInput(f'{path}: theme must be a name in quotes, as theme = "textual-light"')
    if not isinstance(keys, dict):
        raise BadInput(f"{path}: keys must be a table, as [keys]")
    return UserSettings(theme, dict(_flat(keys, path)))


def remember_theme(path: Path, theme: str) -> None:
    """Put the theme into the file; all else in it stays as it is, comments too.

    Raises:
        BadInput: the file cannot be written.
    """
    import tomlkit  # only when something is written

    try:
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        document = tomlkit.parse(before)
        document["theme"] = theme
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(tomlkit.dumps(document), encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadInput(f"the theme cannot be kept in {path}: {error}") from error


def nearest(name: str, known: Iterable[str]) -> str:
    """`: did you mean …?` for a name that is nearly one of the known."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f": did you mean {found[0]}?" if found else ""


def _flat(keys: Mapping[str, Any], path: Path, before: str = "") -> Iterable[tuple[str, str]]:
    """Names with their keys: `live.sort` without quotes is a table `live` with `sort`."""
    for name, value in keys.items():
        full = f"{before}{name}"
        if isinstance(value, dict):
            yield from _flat(value, path, f"{full}.")
        elif isinstance(value, str):
            yield full, value
        else:
            raise BadInput(f'{path}: {full} must be keys in quotes, as {full} = "ctrl+o"')
