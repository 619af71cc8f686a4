"""Where a text stands in a document: verbatim, else whatever its white space, else nearly."""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.questions.verbatim import occurrences
from chunkbench_engine.questions.words import WORD, fold

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SPACE = re.compile(r"\s+")
_SPACE_CODES = [code for code in range(0x3001) if chr(code).isspace()]  # there are none beyond

_LONGEST = 200
"""Words aligned at once; of a longer text the two ends are aligned."""
_RAREST = 24
"""Words that vote for a place; the rarest say most and cost least."""
_LEAST_ALIKE = 0.5
"""Share of the words that must agree for a passage to count as nearly the text."""


class Located:
    """A document's text, with what is needed to look passages up in it, made on first use."""

    def __init__(self, text: str) -> None:
        self.text = text

    def find(self, wanted: str) -> list[tuple[int, int]]:
        """Spans of the text as it is; if there is none, spans that differ in white space only.

        White space at the ends of `wanted` does not matter. No more than `MOST_OCCURRENCES`
        spans are returned.
        """
        stripped = wanted.strip()
        if not stripped:
            return []
        exact = occurrences(self.text, stripped)
        if exact:
            return [(at, at + len(stripped)) for at in exact]
        squeezed, origin = self._squeezed
        needle = _SPACE.sub(" ", stripped)
        return [
            (int(origin[at]), int(origin[at + len(needle) - 1]) + 1)
            for at in occurrences(squeezed, needle)
        ]

    def nearest(self, wanted: str) -> str:
        """The verbatim passage that is most like `wanted`, "" if none shares half its words.

        Words are compared without regard to case, endings, punctuation or white space.
        The rarest words of `wanted` vote for a place, then the words around it are aligned: the
        time is linear in the document, once, and does not depend on it afterwards but for the
        occurrences of those words.
        """
        words = [fold(match.group()) for match in WORD.finditer(wanted)]
        if not words:
            return ""
        if len(words) <= _LONGEST:
            found = self._align(words)
        else:
            head, tail = self._align(words[:_LONGEST]), self._align(words[-_LONGEST:])
            plausible = head and tail and head[0] <= tail[0] and tail[1] - head[0] < 2 * len(words)
            found = (head[0], tail[1]) if head and tail and plausible else None
        return self._passage(found, wanted.strip()) if found else ""

    def _align(self, words: list[str]) -> tuple[int, int] | None:
        """Range of the document's words that stand for these words."""
        votes = self._votes(words)
        if votes.size == 0:
            return None
        # The place with the most votes in a band as wide as a few inserted or lost words.
        slack = max(3, len(words) // 4)
        votes.sort()
        within = np.searchsorted(votes, votes + slack, side="right") - np.arange(votes.size)
        place = int(votes[int(within.argmax())])
        low = max(0, place - slack)
        window = self._words[0][low : place + len(words) + 2 * slack]
        matcher = difflib.SequenceMatcher(None, words, window, autojunk=False)
        blocks = [block for block in matcher.get_matching_blocks() if block.size]
        if sum(block.size for block in blocks) < len(words) * _LEAST_ALIKE:
            return None
        first, last = blocks[0], blocks[-1]
        missing = len(words) - last.a - last.size
        start = max(0, low + first.b - first.a)
        return start, min(len(self._words[0]), low + last.b + last.size + missing)

    def _votes(self, words: list[str]) -> NDArray[np.int64]:
        """Where the text would begin, were this or that occurrence of a rare word part of it."""
        positions = self._positions
        known = [(position, word) for position, word in enumerate(words) if word in positions]
        known.sort(key=lambda pair: len(positions[pair[1]]))
        if not known:
            return np.empty(0, dtype=np.int64)
        return np.concatenate(
            [np.asarray(positions[word], dtype=np.int64) - at for at, word in known[:_RAREST]]
        )

    def _passage(self, found: tuple[int, int], wanted: str) -> str:
        spans = self._words[1]
        start, end = spans[found[0]][0], spans[found[1] - 1][1]
        # Punctuation at the ends belongs to the passage if the wanted text has some there.
        while start and not wanted[0].isalnum() and not self.text[start - 1].isspace():
            start -= 1
            if self.text[start] == wanted[0]:
                break
        while end < len(self.text) and not wanted[-1].isalnum() and not self.text[end].isspace():
            end += 1
            if self.text[end - 1] == wanted[-1]:
                break
        return self.text[start:end]

    @cached_property
    def _squeezed(self) -> tuple[str, NDArray[np.int64]]:
        """The text with one space for each run of white space, and where its characters stand."""
        codes = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        space = np.isin(codes, _SPACE_CODES)
        goes_on = space & np.concatenate([[False], space[:-1]])
        return _SPACE.sub(" ", self.text), np.flatnonzero(~goes_on)

    @cached_property
    def _words(self) -> tuple[list[str], list[tuple[int, int]]]:
        matches = list(WORD.finditer(self.text))
        return [fold(match.group()) for match in matches], [match.span() for match in matches]

    @cached_property
    def _positions(self) -> dict[str, list[int]]:
        positions: dict[str, list[int]] = defaultdict(list)
        for at, word in enumerate(self._words[0]):
            positions[word].append(at)
        return dict(positions)
