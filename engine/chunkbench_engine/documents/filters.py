"""What of a folder is a document: patterns as `.gitignore` writes them, and those it has."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pathspec import GitIgnoreSpec

from chunkbench_engine.documents.decode import NotText, decode
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

EXCLUDED = "is left out by --exclude"
NOT_INCLUDED = "is left out by --include"
_FOREIGN = frozenset({"node_modules", "__pycache__", "site-packages"})
"""Folders of installed or generated files that no person wrote; they are never documents."""
_ENVIRONMENT = "pyvenv.cfg"


@dataclass(frozen=True)
class Filters:
    """Which files are read.

    Attributes:
        include: patterns of `.gitignore`; if there are any, only what one of them matches.
        exclude: patterns of what is left out, whatever `include` says.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise BadInput for a pattern that is none."""
        _ = self._include, self._exclude

    def reason(self, name: str) -> str:
        """Why a file is left out, "" if it is not. A folder's name ends with a slash."""
        if self._exclude.match_file(name):
            return EXCLUDED
        if self.include and not name.endswith("/") and not self._include.match_file(name):
            return NOT_INCLUDED
        return ""

    @cached_property
    def _include(self) -> GitIgnoreSpec:
        return _spec(self.include, "--include")

    @cached_property
    def _exclude(self) -> GitIgnoreSpec:
        return _spec(self.exclude, "--exclude")


EVERYTHING = Filters()


def is_foreign(folder: Path) -> bool:
    """Whether a folder holds installed or generated files: packages, caches, environments."""
    return folder.name in _FOREIGN or os.path.exists(folder / _ENVIRONMENT)


class Ignored:
    """The `.gitignore` files that apply below a folder: its own and, in a repository, those above.

    If they name the folder itself, only those in it count: it was asked for by name.
    """

    def __init__(self, root: Path) -> None:
        self._specs: list[tuple[str, GitIgnoreSpec]] = []
        self._above: list[tuple[Path, GitIgnoreSpec]] = []
        self._root = root
        for folder in _folders_above(root):
            found = _read(folder)
            relative = root.relative_to(folder).as_posix() + "/"
            if found is not None:
                if found.match_file(relative):
                    self._above = []
                    break
                self._above.append((folder, found))

    def enter(self, folder: Path, prefix: str) -> None:
        """Take up the file of a folder whose name below the root, with a slash, is `prefix`."""
        found = _read(folder)
        if found is not None:
            self._specs.append((prefix, found))

    def covers(self, name: str) -> bool:
        """Whether a file (a folder, with a slash at the end) is ignored; the deepest file wins."""
        for prefix, spec in reversed(self._specs):
            if name.startswith(prefix):
                verdict = spec.check_file(name[len(prefix) :]).include
                if verdict is not None:
                    return verdict
        for folder, spec in reversed(self._above):
            inner = (self._root.relative_to(folder) / name).as_posix()
            verdict = spec.check_file(inner + "/" * name.endswith("/")).include
            if verdict is not None:
                return verdict
        return False


def _folders_above(root: Path) -> list[Path]:
    """From the repository's own folder down to the root's parent; none outside a repository."""
    above: list[Path] = []
    if (root / ".git").exists():
        return above
    for folder in root.parents:
        above.append(folder)
        if (folder / ".git").exists():
            return above[::-1]
    return []


def _read(folder: Path) -> GitIgnoreSpec | None:
    path = folder / ".gitignore"
    try:
        if not path.is_file():
            return None
        lines = decode(path.read_bytes()).text.splitlines()
    except (OSError, NotText) as error:
        # Going on without it would take for documents what somebody has left out.
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadInput(
            f"{path} cannot be read ({reason}): make it readable, or remove it"
        ) from error
    return GitIgnoreSpec.from_lines(line for line in lines if _is_pattern(line))


def _is_pattern(line: str) -> bool:
    """Git passes over lines that are no pattern, and so does this."""
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _spec(patterns: Sequence[str], option: str) -> GitIgnoreSpec:
    try:
        return GitIgnoreSpec.from_lines(patterns)
    except ValueError as error:
        raise BadInput(f"{option} {' '.join(patterns)} is no pattern: {error}.") from error
