"""What `y` copies, by way of the terminal (OSC 52): it also works over SSH."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from chunkbench_tui.safe_text import escaped

SURE_BYTES = 74_994
"""Terminals of xterm's kind take no more than 100,000 bytes of base64 in one sequence."""


@dataclass(frozen=True, slots=True)
class Copied:
    """A text, and what it is: `chunk 3`."""

    what: str
    text: str


@runtime_checkable
class Copyable(Protocol):
    """A screen or widget with something to copy."""

    def copied(self) -> Copied | None:
        """What would be copied now; None if there is nothing."""


def clipboard_text(text: str) -> str:
    """The text with control characters written as their escapes, but for tabs and line ends.

    A sequence that ends a terminal's bracketed paste would make the rest of the text commands.
    """
    return "".join(c if c in "\n\t" else escaped(c) for c in text.replace("\r\n", "\n"))


def said_of(copied: Copied, text: str) -> str:
    """What to tell the person of what was sent."""
    told = f"Copied {copied.what}: {len(text):,} characters."
    if len(text.encode()) > SURE_BYTES:
        told += " That is more than some terminals take."
    return told
