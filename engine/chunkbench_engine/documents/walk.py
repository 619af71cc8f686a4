"""The files under a folder: sorted, without hidden ones, each once whatever links there are."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


class Skipped(NamedTuple):
    """A file or folder that is not read, and why (a phrase for a person).

    `other_format` is set where it is only that no loader reads files of its suffix.
    """

    path: str
    reason: str
    other_format: bool = False


@dataclass
class _Walk:
    root: Path
    files: dict[str, Path] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    links: list[tuple[str, Path]] = field(default_factory=list)
    seen: dict[str, str] = field(default_factory=dict)


def walk(root: Path) -> tuple[dict[str, Path], list[Skipped]]:
    """Files under `root` by their relative path with forward slashes, sorted by that path.

    Real files come first; a link to something that is read under its own name is skipped, which
    also ends loops. Hidden entries, broken links, special files and folders that cannot be
    opened are skipped with their reason.
    """
    state = _Walk(root)
    _enter(state, root, "")
    while state.links:
        links, state.links = sorted(state.links), []
        for name, path in links:
            _follow(state, name, path)
    return dict(sorted(state.files.items())), sorted(state.skipped)


def _enter(state: _Walk, folder: Path, prefix: str) -> None:
    # An explicit stack: a deep tree must not meet Python's limit on recursion.
    pending = [(folder, prefix)]
    while pending:
        current, before = pending.pop()
        state.seen[os.path.realpath(current)] = before.rstrip("/") or "."
        try:
            entries = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError as error:
            state.skipped.append(Skipped(before or ".", f"cannot be opened: {error.strerror}"))
            continue
        for entry in entries:
            name = before + entry.name
            path = current / entry.name
            if entry.name.startswith("."):
                state.skipped.append(Skipped(_shown(name), "is hidden"))
            elif not _is_unicode(entry.name):
                reason = "has a name that is not valid UTF-8; rename it"
                state.skipped.append(Skipped(_shown(name), reason))
            elif entry.is_symlink():
                state.links.append((name, path))
            elif entry.is_dir(follow_symlinks=False):
                pending.append((path, name + "/"))
            else:
                _add_file(state, name, path)


def _follow(state: _Walk, name: str, path: Path) -> None:
    real = os.path.realpath(path)
    if real in state.seen:
        reason = f"is a link to {state.seen[real]}, which is read under that name"
        state.skipped.append(Skipped(name, reason))
    elif path.is_dir():
        _enter(state, path, name + "/")
    elif path.exists():
        _add_file(state, name, path)
    else:
        state.skipped.append(Skipped(name, "is a link to something that does not exist"))


def _add_file(state: _Walk, name: str, path: Path) -> None:
    state.seen[os.path.realpath(path)] = name
    if path.is_file():
        state.files[name] = path
    else:
        state.skipped.append(Skipped(name, "is no regular file"))


def _is_unicode(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _shown(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "replace")
