"""Calls are timed one by one, also where several are under way."""

from __future__ import annotations

from threading import Barrier, Lock

import numpy as np
import pytest

from chunkbench_engine.run.concurrently import time_concurrently


@pytest.mark.parametrize("concurrency", [1, 3])
def test_every_call_is_made_once_and_timed(concurrency: int) -> None:
    calls: list[int] = []
    lock = Lock()

    def call(number: int) -> None:
        with lock:
            calls.append(number)

    seconds = np.zeros(20)
    assert time_concurrently(call, seconds, concurrency, first=5) == 20
    assert sorted(calls) == list(range(5, 20))
    assert (seconds[5:] > 0).all()
    assert not seconds[:5].any()


def test_so_many_calls_are_under_way_at_a_time() -> None:
    together = Barrier(4, timeout=20)  # each call waits until three others have begun
    assert time_concurrently(lambda _: together.wait(), np.zeros(8), 4) == 8


def test_beyond_the_limit_none_is_begun_and_the_next_is_named() -> None:
    seconds = np.zeros(10)
    assert time_concurrently(lambda _: None, seconds, 1, limit=-1) == 1
    assert seconds[0] > 0
    assert not seconds[1:].any()
    assert time_concurrently(lambda _: None, seconds, 1, first=10) == 10


def test_an_error_of_a_call_is_raised() -> None:
    def fail(number: int) -> None:
        if number == 2:
            raise ValueError("no index")

    with pytest.raises(ValueError, match="no index"):
        time_concurrently(fail, np.zeros(4), 2)
