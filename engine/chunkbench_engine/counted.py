"""Numbers in sentences."""

from __future__ import annotations


def counted(number: int, noun: str, several: str = "") -> str:
    """A number with its noun: `1 page`, `1,234 pages`, `2 entries`."""
    return f"{number:,} {noun if number == 1 else several or noun + 's'}"
