"""Units in which a chunk's length is limited."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.annotate.tokens import Tokens

UNITS = ("chars", "tokens")

_WORD = re.compile(r"\S+")
_WHITE_SPACE = re.compile(r"\s\s+")


class Length(Protocol):
    """A way to measure spans of one text."""

    def size(self, start: int, end: int) -> int:
        """Length of the span; never more for a part of it."""
        ...

    def reach(self, start: int, limit: int) -> int:
        """The furthest end for which the span from `start` is within the limit.

        At least one character on: where that alone exceeds the limit, it is not cut.
        """
        ...

    def back(self, end: int, limit: int) -> int:
        """The earliest start for which the span to `end` is within the limit."""
        ...


class Characters:
    """Unicode code points."""

    def __init__(self, text: str) -> None:
        self._end = len(text)

    def size(self, start: int, end: int) -> int:
        return end - start

    def reach(self, start: int, limit: int) -> int:
        return min(start + limit, self._end)

    def back(self, end: int, limit: int) -> int:
        return max(end - limit, 0)


class TokenCount:
    """The document's tokens that the span touches, those it cuts included."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.size = tokens.count
        self.back = tokens.back

    def reach(self, start: int, limit: int) -> int:
        return max(self._tokens.edge(self._tokens.first(start) + limit), start + 1)


class Words:
    """White-space words that the span touches."""

    def __init__(self, text: str) -> None:
        self._starts, self._ends = array("q"), array("q")
        for word in _WORD.finditer(text):
            self._starts.append(word.start())
            self._ends.append(word.end())
        self._starts.append(len(text))

    def size(self, start: int, end: int) -> int:
        last = bisect_left(self._starts, end, hi=len(self._ends))
        return max(last - bisect_right(self._ends, start), 0)

    def reach(self, start: int, limit: int) -> int:
        first = bisect_right(self._ends, start)
        return self._starts[min(first + limit, len(self._ends))]

    def back(self, end: int, limit: int) -> int:
        last = bisect_left(self._starts, end, hi=len(self._ends))
        return min(self._starts[max(last - limit, 0)], end)


class Squeezed:
    """Characters, each run of white space counting as one."""

    def __init__(self, text: str) -> None:
        # Of each run all but the first character is left out: from where to where, how much had
        # been left out before, and the same edges counted in squeezed characters.
        self._froms, self._tos, self._saved = array("q"), array("q"), array("q", [0])
        self._squeezed_froms = array("q")
        for run in _WHITE_SPACE.finditer(text):
            self._froms.append(run.start() + 1)
            self._tos.append(run.end())
            self._squeezed_froms.append(run.start() + 1 - self._saved[-1])
            self._saved.append(self._saved[-1] + run.end() - run.start() - 1)
        self._end = len(text)

    def size(self, start: int, end: int) -> int:
        return self.squeezed(end) - self.squeezed(start)

    def reach(self, start: int, limit: int) -> int:
        return self.position(self.squeezed(start) + limit)

    def back(self, end: int, limit: int) -> int:
        return self.position(max(self.squeezed(end) - limit, 0))

    def squeezed(self, position: int) -> int:
        """Squeezed length of the text before a position."""
        run = bisect_right(self._froms, position) - 1
        if run >= 0 and position < self._tos[run]:
            return self._squeezed_froms[run]
        return position - self._saved[run + 1]

    def position(self, squeezed: int) -> int:
        """The last position before which the text has this squeezed length."""
        run = bisect_right(self._squeezed_froms, squeezed)
        return min(squeezed + self._saved[run], self._end)


def length_in(unit: str, document: AnnotatedDocument) -> Length:
    """The measure of a `unit` parameter: "chars" or "tokens"."""
    if unit == "tokens":
        return TokenCount(document.tokens)
    return Characters(document.text)
