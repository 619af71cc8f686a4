"""The files under a folder: sorted, without hidden ones, each once whatever links there are."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from chunkbench_engine.documents.filters import EVERYTHING, Filters, Ignored, is_foreign

if TYPE_CHECKING:
    from pathlib import Path

HIDDEN = "is hidden"
IGNORED = "is in .gitignore"
FOREIGN = "holds installed or generated files"
QUESTIONS = "is a question file"


class Skipped(NamedTuple):
    """A file or folder that is not read, and why (a phrase for a person).

    `expected` is set where nobody needs to be told of each: hidden files, question files, what
    a filter leaves out.
    """

    path: str
    reason: str
    expected: bool = False


@dataclass
class _Walk:
    root: Path
    filters: Filters
    ignored: Ignored
    files: dict[str, Path] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    links: list[tuple[str, Path]] = field(default_factory=list)
    seen: dict[str, str] = field(default_factory=dict)


def walk(root: Path, filters: Filters = EVERYTHING) -> tuple[dict[str, Path], list[Skipped]]:
    """Files under `root` by their relative path with forward slashes, sorted by that path.

    Real files come first; a link to something that is read under its own name is skipped, which
    also ends loops. Hidden entries, what `.gitignore` or the filters leave out, folders of
    installed packages, broken links, special files and folders that cannot be opened are skipped
    with their reason; of a folder that is, nothing further is looked at.
    """
    state = _Walk(root, filters, Ignored(root))
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
        state.ignored.enter(current, before)
        for entry in entries:
            name = before + entry.name
            path = current / entry.name
            if entry.name.startswith("."):
                state.skipped.append(Skipped(_shown(name), HIDDEN, True))
            elif not _is_unicode(entry.name):
                reason = "has a name that is not valid UTF-8; rename it"
                state.skipped.append(Skipped(_shown(name), reason))
            elif entry.is_symlink():
                state.links.append((name, path))
            elif entry.is_dir(follow_symlinks=False):
                if not _left_out(state, name + "/", path):
                    pending.append((path, name + "/"))
            else:
                _add_file(state, name, path)


def _follow(state: _Walk, name: str, path: Path) -> None:
    real = os.path.realpath(path)
    if real in state.seen:
        reason = f"is a link to {state.seen[real]}, which is read under that name"
        state.skipped.append(Skipped(name, reason))
    elif path.is_dir():
        if not _left_out(state, name + "/", path):
            _enter(state, path, name + "/")
    elif path.exists():
        _add_file(state, name, path)
    else:
        state.skipped.append(Skipped(name, "is a link to something that does not exist"))


def _left_out(state: _Walk, name: str, path: Path) -> bool:
    """Whether a file or folder is not to be read, and noted so; a folder ends with a slash."""
    reason = state.filters.reason(name)
    if not reason and state.ignored.covers(name):
        reason = IGNORED
    if not reason and name.endswith("/") and is_foreign(path):
        reason = FOREIGN
    if reason:
        state.skipped.append(Skipped(name, reason, True))
    return bool(reason)


def _add_file(state: _Walk, name: str, path: Path) -> None:
    if _left_out(state, name, path):
        return
    state.seen[os.path.realpath(path)] = name
    try:
        if path.is_file():
            state.files[name] = path
        else:
            state.skipped.append(Skipped(name, "is no regular file"))
    except OSError as error:  # in a folder that may be listed, but not entered
        state.skipped.append(Skipped(name, f"cannot be opened: {error.strerror}"))


def _is_unicode(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _shown(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "replace")
