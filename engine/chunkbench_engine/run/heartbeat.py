"""Saying, every second, that the engine is alive."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psutil

from chunkbench_store.database import open_store
from chunkbench_store.runs import HEARTBEAT_SECONDS, beat

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def heartbeat(path: Path, run: int) -> Iterator[None]:
    """Beat from a thread of its own, with a connection of its own.

    So that an event loop that is busy for a while is not taken for an engine that has gone.
    """
    ended = threading.Event()
    thread = threading.Thread(target=_beat, args=(path, run, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _beat(path: Path, run: int, ended: threading.Event) -> None:
    process = psutil.Process()
    last = time.monotonic()
    with open_store(path) as store:
        while True:
            over = ended.wait(HEARTBEAT_SECONDS)
            moment = time.monotonic()
            try:
                with store.write():
                    beat(store, run, os.getpid(), process.memory_info().rss, moment - last)
                last = moment
            except sqlite3.OperationalError as error:
                # Locked for long, or a full disk; the next beat counts this one's time too.
                print(f"no heartbeat: {error}", file=sys.stderr)
            if over:
                return
