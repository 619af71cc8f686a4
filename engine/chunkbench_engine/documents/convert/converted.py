"""What a converter gives, and how it refuses."""

from __future__ import annotations

from typing import NamedTuple


class Converted(NamedTuple):
    """Canonical text, and a phrase on what became of the rest of the file, "" if nothing did."""

    text: str
    detail: str = ""


class Refused(Exception):  # noqa: N818 - it names what happened
    """The file cannot be converted: a phrase that follows its name."""
