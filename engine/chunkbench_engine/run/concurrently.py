"""Timing calls, several of which may be under way at a time."""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


def time_concurrently(
    call: Callable[[int], object],
    seconds: NDArray[np.float64],
    concurrency: int,
    *,
    first: int = 0,
    limit: float = math.inf,
) -> int:
    """Time `call(number)` for the numbers from `first` on, each from its beginning to its end.

    So many users ask at a time, each again as soon as they have their answer; what they wait for
    one another is part of their time.

    Args:
        call: may be called from several threads at once.
        seconds: `(n,)`, filled in; n is the number of calls there are.
        concurrency: calls under way at a time.
        limit: no call is begun later than this, in seconds, so that nobody waits for long.

    Returns:
        The number of the first call that is left to be timed; n if there is none.
    """
    until = time.perf_counter() + limit
    numbers = iter(range(first, len(seconds)))

    def ask() -> None:
        for number in numbers:
            begun = time.perf_counter()
            call(number)
            ended = time.perf_counter()
            seconds[number] = ended - begun
            if ended > until:
                return

    with ThreadPoolExecutor(concurrency) as users:
        for asked in [users.submit(ask) for _ in range(concurrency)]:
            asked.result()
    # Numbers are given out in order, and what was given out is done.
    return next(numbers, len(seconds))
