"""How many calls a server is given at a time: as many as it does quicker together."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST = 4
"""Calls that a server is given at a time before anything is known of it."""

MOST = 64
_ROUND = 2  # answers that are counted, in widths of the window


class Window:
    """The calls that one server may have under way: additive increase, multiplicative decrease.

    Answers are counted in rounds. The window widens by one as long as that brings at least half of
    the answers a second that the added call would bring if the server did it beside the others;
    else it goes back to where it was, and tries again after a round: what lies in a server's queue
    is not done sooner. A call that is refused (429, 503) or not answered in time halves it, once
    for all the calls that were under way together.

    Attributes:
        limit: calls that may be under way.
        under_way: those that are.
    """

    def __init__(self, limit: int = FIRST, clock: Callable[[], float] = perf_counter) -> None:
        self.limit = limit
        self.under_way = 0
        self._clock = clock
        self._cuts = 0
        self._best: tuple[float, int] | None = None  # answers a second, and with which limit
        self._begin_round()

    @property
    def room(self) -> int:
        return self.limit - self.under_way

    def begin(self) -> int:
        """A call begins. What is returned is given back if it is refused."""
        self.under_way += 1
        return self._cuts

    def answered(self) -> None:
        """A call has ended with an answer."""
        full = self.room <= 0
        self.under_way -= 1
        if not full:  # nothing can be learnt about the limit from fewer calls
            self._begin_round()
            return
        self._answers += 1
        if self._answers < _ROUND * self.limit:
            return
        rate = self._answers / max(self._clock() - self._since, 1e-9)
        if self._best is None or rate > self._wanted(self._best):
            self._best = rate, self.limit
            self.limit = min(self.limit + 1, MOST)
        else:
            # The newest rate of that limit, so that one lucky round does not hold it for ever.
            best = rate if self.limit == self._best[1] else self._best[0]
            self._best = best, self._best[1]
            self.limit = self._best[1]
        self._begin_round()

    def refused(self, begun: int) -> None:
        """A call was refused, or not answered in time."""
        self.under_way -= 1
        if begun == self._cuts:
            self._cuts += 1
            self.limit = max(1, self.limit // 2)
            self._best = None
        self._begin_round()

    def failed(self) -> None:
        """A call has ended otherwise, which says nothing of how busy the server is."""
        self.under_way -= 1
        self._begin_round()

    def _wanted(self, best: tuple[float, int]) -> float:
        rate, limit = best
        return rate * (1 + (self.limit / limit - 1) / 2)

    def _begin_round(self) -> None:
        self._answers = 0
        self._since = self._clock()
