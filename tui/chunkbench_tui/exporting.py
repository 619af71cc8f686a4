"""What `e` writes into files: what the screen shows, made off the event loop."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import platformdirs

from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Export:
    """A file to write.

    Attributes:
        name: of the file, without its folder.
        make: gives its content; called in a thread.
    """

    name: str
    make: Callable[[], str | bytes]


@runtime_checkable
class Exportable(Protocol):
    """A screen that can be written into files."""

    def exports(self) -> Sequence[Export]:
        """The files that would be written now; none if there is nothing to write."""


def output_folder() -> Path:
    """Where the app leaves files: with the downloads, or in the working folder without such."""
    downloads = platformdirs.user_downloads_path()
    return downloads if downloads.is_dir() else Path.cwd()


def write_exports(exports: Sequence[Export], folder: Path) -> list[Path]:
    """Make and write the files; none that is there already is written over.

    Raises:
        BadInput: a file cannot be made or written.
    """
    written = []
    for export in exports:
        content = export.make()
        path = _free(folder / export.name)
        try:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        except OSError as error:
            raise BadInput(f"{path} cannot be written: {error.strerror}") from error
        written.append(path)
    return written


def command_output(*arguments: str) -> str:
    """What a command of ours prints, made in a process of its own.

    Raises:
        BadInput: with the sentence that the command says.
    """
    done = subprocess.run(
        [sys.executable, "-m", "chunkbench_tui", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()[-1:]  # the last line also of a traceback
        raise BadInput(f"{arguments[0]}: {said[0] if said else f'status {done.returncode}'}")
    return done.stdout


def _free(path: Path) -> Path:
    """The path, with a number behind its name if there is such a file already."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    return free
