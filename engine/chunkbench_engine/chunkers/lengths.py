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


class Characters:
    """Unicode code points."""

    def __init__(self, text: str) -> None:
        self._end = len(text)

    def size(self, start: int, end: int) -> int:
        return end - start

    def reach(self, start: int, limit: int) -> int:
        return min(start + limit, self._end)


class TokenCount:
    """The document's tokens that the span touches, those it cuts included."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.size = tokens.count

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


class Squeezed:
    """Characters, each run of white space counting as one."""

    def __init__(self, text: str) -> None:
        # for each run, where it ends and how many characters all runs so far have saved
        self._ends, self._saved = array("q", [0]), array("q", [0])
        for run in _WHITE_SPACE.finditer(text):
            self._ends.append(run.end())
            self._saved.append(self._saved[-1] + run.end() - run.start() - 1)
        self._squeezed_ends = array(
            "q", [end - saved for end, saved in zip(self._ends, self._saved, strict=True)]
        )
        self._end = len(text)

    def size(self, start: int, end: int) -> int:
        """Length of a span that neither begins nor ends inside white space."""
        return self._squeezed(end) - self._squeezed(start)

    def reach(self, start: int, limit: int) -> int:
        return self.position(self._squeezed(start) + limit)

    def position(self, squeezed: int) -> int:
        """Character of the text at this distance from its start."""
        saved = self._saved[bisect_right(self._squeezed_ends, squeezed) - 1]
        return min(squeezed + saved, self._end)

    def _squeezed(self, position: int) -> int:
        return position - self._saved[bisect_right(self._ends, position) - 1]


def length_in(unit: str, document: AnnotatedDocument) -> Length:
    """The measure of a `unit` parameter: "chars" or "tokens"."""
    if unit == "tokens":
        return TokenCount(document.tokens)
    return Characters(document.text)
