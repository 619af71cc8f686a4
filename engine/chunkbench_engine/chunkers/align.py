"""Finding the chunks that a chunker returned as strings in the text they were made from."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_engine.chunkers.chunk import Span

_NEAR = 4_096
"""How far beyond the previous chunk's end a chunk is looked for at once, in characters."""
_KEYS = (64, 32, 16)
"""Lengths of the beginnings by which chunks that lie farther off are looked up; shorter chunks
are looked up whole."""
_TELLING = 12
"""Fewest characters that are reason enough to go on from a chunk found far off."""
_MOST_CANDIDATES = 64
"""Places with the right key that are compared before a chunk counts as not found."""

_RUN = re.compile(r"\S+")


class Alignment:
    """Places one chunk after another in a text, in linear time.

    A chunk is looked for from the previous chunk's start on: exactly, then with all white space
    left out on both sides; then, as some chunkers give their chunks in an order of their own, in
    the whole text. Where it occurs several times near by, it is taken where the overlap with the
    previous chunk is most like the overlap before that: this is what places repeated text.
    """

    def __init__(self, text: str, chunks: Sequence[str]) -> None:
        """`chunks` are all those that are going to be placed."""
        self._text = text
        self._chunks = chunks
        self._previous: Span = (0, 0)
        self._before_jump = 0
        self._overlap = 0

    def place(self, chunk: str) -> Span | None:
        """Where the next chunk lies; None if the text has it nowhere, or it is blank.

        The span of a chunk that is there with other white space begins and ends with its first
        and last other character.
        """
        bare = squeezed(chunk)
        if not bare:
            return None
        found = self._adjacent(chunk) or self._near(chunk, bare)
        if found is None:
            return self._far(bare)
        self.passed(found)
        return found

    def passed(self, span: Span) -> None:
        """Go on from a chunk whose place is known."""
        if span[0] > self._previous[0]:
            self._overlap = max(0, self._previous[1] - span[0])
        self._previous = span

    @property
    def _expected(self) -> int:
        """Where the next chunk begins if it overlaps the previous as that did its own."""
        return max(self._previous[0], self._previous[1] - self._overlap)

    def _adjacent(self, chunk: str) -> Span | None:
        """The common case: right behind the previous chunk, or with the same overlap.

        Few chunkers repeat what is wholly within the previous chunk.
        """
        overlapping = self._expected, _next_visible(self._text, self._expected)
        behind = (_next_visible(self._text, self._previous[1]),)
        within = self._expected + len(chunk) <= self._previous[1]
        for start in (*behind, *overlapping) if within else (*overlapping, *behind):
            if self._text.startswith(chunk, start):
                return self._other_than_previous((start, start + len(chunk)))
        return None

    def _near(self, chunk: str, bare: str) -> Span | None:
        bare_text = self._bare
        expected = bare_text.position(self._expected)
        # changed white space right here goes before the exact words farther on
        if len(chunk.split()) > 1 and bare_text.text.startswith(bare, expected):
            found = self._other_than_previous(bare_text.span(expected, expected + len(bare)))
            if found is not None:
                return found
        start = _nearest(self._text, chunk, self._previous, self._expected)
        if start >= 0:
            return start, start + len(chunk)
        previous = (bare_text.position(self._previous[0]), bare_text.position(self._previous[1]))
        start = _nearest(bare_text.text, bare, previous, expected)
        return bare_text.span(start, start + len(bare)) if start >= 0 else None

    def _other_than_previous(self, span: Span) -> Span | None:
        """The same chunk twice in a row is two places, unless the text has but one."""
        return None if span == self._previous else span

    def _far(self, bare: str) -> Span | None:
        bare_text = self._bare
        places = self._places.get(_key(bare), [])
        for origin in (self._previous[0], self._before_jump, 0):
            first = bisect_left(places, bare_text.position(origin))
            for start in places[first : first + _MOST_CANDIDATES]:
                if bare_text.text.startswith(bare, start):
                    span = bare_text.span(start, start + len(bare))
                    if len(bare) >= _TELLING:
                        self._before_jump = self._previous[0]
                        self._previous, self._overlap = span, 0
                    return span
        return None

    @cached_property
    def _bare(self) -> _Bare:
        return _Bare(self._text)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Where the key of each chunk occurs in the bare text; made when one is not near by."""
        places: dict[str, list[int]] = {_key(squeezed(chunk)): [] for chunk in self._chunks}
        text = self._bare.text
        for length in {len(key) for key in places if key}:
            for start in range(len(text) - length + 1):
                found = places.get(text[start : start + length])
                if found is not None:
                    found.append(start)
        return places


class _Bare:
    """A text without its white space, and the way back."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []  # of each run of other characters, in the text
        self._bare_starts: list[int] = []  # of the same runs in the bare text
        runs = []
        length = 0
        for run in _RUN.finditer(text):
            self._starts.append(run.start())
            self._bare_starts.append(length)
            runs.append(run[0])
            length += run.end() - run.start()
        self._bare_starts.append(length)
        self.text = "".join(runs)

    def position(self, place: int) -> int:
        """The bare position of a place in the text: how many characters come before it."""
        run = bisect_right(self._starts, place) - 1
        if run < 0:
            return 0
        inside = self._bare_starts[run] + place - self._starts[run]
        return min(inside, self._bare_starts[run + 1])

    def span(self, start: int, end: int) -> Span:
        """The span in the text of a bare span that is not empty."""
        return self._place(start), self._place(end - 1) + 1

    def _place(self, position: int) -> int:
        run = bisect_right(self._bare_starts, position) - 1
        return self._starts[run] + position - self._bare_starts[run]


def squeezed(text: str) -> str:
    """The text without its white space."""
    return "".join(text.split())


def _key(bare: str) -> str:
    """By what a chunk is looked up: few lengths, as each takes a pass over the text."""
    return bare[: next((length for length in _KEYS if length <= len(bare)), None)]


def _next_visible(text: str, place: int) -> int:
    run = _RUN.search(text, place)
    return run.start() if run else place


def _nearest(text: str, chunk: str, previous: Span, expected: int) -> int:
    """Where the chunk begins nearest to the place expected, from the previous one's start on.

    -1 if it does not, or only where the previous chunk is.
    """
    reach = max(previous[1], expected) + len(chunk) + _NEAR
    ahead = text.find(chunk, expected, reach)
    if (ahead, ahead + len(chunk)) == previous:
        ahead = text.find(chunk, ahead + 1, reach)
    behind = text.rfind(chunk, previous[0], max(expected + len(chunk) - 1, 0))
    if (behind, behind + len(chunk)) == previous:
        behind = -1
    if ahead < 0 or (behind >= 0 and expected - behind < ahead - expected):
        return behind
    return ahead
