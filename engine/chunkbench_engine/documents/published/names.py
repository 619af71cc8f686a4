"""Names for documents that come without a file of their own."""

from __future__ import annotations

from collections import Counter

_LONGEST = 120


class Names:
    """Gives each document a name of its own: its title, else a number."""

    def __init__(self, noun: str) -> None:
        self._noun = noun
        self._taken: Counter[str] = Counter()
        self._given = 0

    def take(self, title: str) -> str:
        """The title on one line, `article 3` where it is empty, with a number if it is taken."""
        self._given += 1
        name = " ".join(title.split())[:_LONGEST].strip("/ ") or f"{self._noun} {self._given}"
        self._taken[name] += 1
        while self._taken[name] > 1:
            name = f"{name} ({self._taken[name]})"
            self._taken[name] += 1
        return name
