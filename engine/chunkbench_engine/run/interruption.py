"""Work in this process that can be given up between two steps of the interpreter."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

CHECK_SECONDS = 0.02


@contextmanager
def interrupted_by(check: Callable[[], None]) -> Iterator[None]:
    """Call `check` now and then while the work inside goes on; what it raises ends the work.

    For work that only makes values: it may be left anywhere. In the main thread only.
    """

    def alarmed(_signal: int, _frame: FrameType | None) -> None:
        check()

    before = signal.signal(signal.SIGALRM, alarmed)
    signal.setitimer(signal.ITIMER_REAL, CHECK_SECONDS, CHECK_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
