"""What the command line prints with: colour only on a terminal, hostile text made harmless."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from chunkbench_store.database import default_path
from chunkbench_tui.safe_text import shown, shown_lines

if TYPE_CHECKING:
    from pathlib import Path

_PIPED_WIDTH = 160
"""Columns where there is no terminal to ask: tables are then not cut."""

console = Console(
    highlight=False,
    markup=False,
    emoji=False,
    width=None if sys.stdout.isatty() else _PIPED_WIDTH,
)
error_console = Console(stderr=True, highlight=False, markup=False, emoji=False)


def say(text: str) -> None:
    """A line for a person."""
    console.print(Text(shown(text)), soft_wrap=True)


def say_error(text: str) -> None:
    """A sentence on what went wrong, to standard error."""
    error_console.print(Text(shown_lines(text)), soft_wrap=True)


def command(words: str, db: Path) -> str:
    """A command for a person to type, naming the database where it is not the usual one."""
    named = "" if db == default_path() else f" --db {shlex.quote(str(db))}"
    return f"chunkbench-tui {words}{named}"


def write(text: str) -> None:
    """Output for a machine, to standard output, as it is."""
    sys.stdout.write(text)
