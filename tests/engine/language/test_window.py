"""How many calls a server is given at a time, on a clock of our own."""

from __future__ import annotations

import pytest

from chunkbench_engine.language.window import FIRST, Window


class Server:
    """Does `lanes` calls at a time, a second each; the others wait in its queue."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.now = 0.0
        self.window = Window(clock=lambda: self.now)

    def work(self, seconds: int) -> list[int]:
        """Keep the window full; the limits it had."""
        limits = []
        for _ in range(seconds):
            while self.window.room > 0:
                self.window.begin()
            self.now += 1
            for _ in range(min(self.lanes, self.window.under_way)):
                self.window.answered()
                if self.window.room > 0:
                    self.window.begin()
            limits.append(self.window.limit)
        return limits


@pytest.mark.parametrize("lanes", [6, 12])
def test_it_widens_to_what_the_server_does_at_a_time_and_stays_about_there(lanes: int) -> None:
    limits = Server(lanes).work(300)[150:]
    assert lanes - 2 <= min(limits)
    assert max(limits) <= lanes + 2


def test_it_does_not_grow_where_calls_only_wait_for_one_another() -> None:
    assert max(Server(1).work(300)) <= FIRST + 1


def test_a_refusal_halves_it_once_for_all_calls_that_were_under_way() -> None:
    window = Window(8)
    begun = [window.begin() for _ in range(8)]
    for call in begun[:5]:
        window.refused(call)
    assert window.limit == 4
    window.refused(window.begin())
    assert window.limit == 2


def test_it_never_closes() -> None:
    window = Window(1)
    for _ in range(5):
        window.refused(window.begin())
    assert window.limit == 1


def test_fewer_calls_than_the_limit_teach_nothing() -> None:
    window = Window(4)
    for _ in range(100):
        window.begin()
        window.answered()
    assert (window.limit, window.under_way) == (4, 0)


def test_an_error_of_another_kind_leaves_it_as_it_is() -> None:
    window = Window(4)
    window.begin()
    window.failed()
    assert (window.limit, window.under_way) == (4, 0)
