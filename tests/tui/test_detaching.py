"""Whatever becomes of the app, the run goes on, and the next start offers it: real processes."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.run.launch import create_run
from chunkbench_engine.run.settings import Settings
from chunkbench_store.database import open_store
from chunkbench_store.live import runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from chunkbench_store.live import RunSummary

WAITS = 60.0
"""Seconds that anything may take on a busy machine."""
# The shell of a login: a session of its own whose controlling terminal is the one that is named.
BEGIN = """
import os, sys
terminal = os.open(sys.argv[1], os.O_RDWR)
for number in range(3):
    os.dup2(terminal, number)
del sys.argv[1]
from chunkbench_tui.cli import main
main()
"""
CHUNKER = """
import pathlib, time

def split(text):
    while not pathlib.Path({gate!r}).exists():
        time.sleep(0.05)
    return text.splitlines()
"""


@dataclass
class Terminal:
    """A pseudo-terminal with the app in it."""

    app: subprocess.Popen[bytes]
    ours: int
    written: bytearray = field(default_factory=bytearray)

    def read(self) -> None:
        try:
            while part := os.read(self.ours, 65_536):
                self.written += part
        except OSError:
            return  # closed, here or there

    def shows(self, text: str) -> Callable[[], bool]:
        return lambda: text.encode() in self.written


@contextmanager
def opened(store: Path, cwd: Path) -> Iterator[Terminal]:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    app = subprocess.Popen(
        [sys.executable, "-c", BEGIN, os.ttyname(theirs), "--db", str(store)],
        start_new_session=True,
        cwd=cwd,
        env={**os.environ, "TERM": "xterm-256color"},
    )
    terminal = Terminal(app, ours)
    threading.Thread(target=terminal.read, daemon=True).start()
    try:
        yield terminal
    finally:
        os.close(theirs)
        if app.poll() is None:
            app.kill()
        app.wait()


def until(true: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + WAITS
    while not true():
        assert time.monotonic() < deadline, f"{what} did not come about"
        time.sleep(0.05)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A document, its question, and a chunker that waits for a file `gate`."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("Rivers flow to the sea.\nLakes are still.\n")
    question = {
        "question": "Where do rivers flow?",
        "evidence": [{"document": "a.md", "text": "Rivers flow to the sea."}],
    }
    (tmp_path / "docs" / "questions.jsonl").write_text(json.dumps(question) + "\n")
    (tmp_path / "waiting.py").write_text(CHUNKER.format(gate=str(tmp_path / "gate")))
    return tmp_path


def test_a_run_outlives_its_apps_however_they_end_and_the_next_offers_it(folder: Path) -> None:
    path = folder / "store.db"
    settings = Settings(str(folder / "docs"), strategies=("waiting:split",))
    run = asyncio.run(create_run(path, settings, folder))

    with closing(open_store(path)) as store:

        def now() -> RunSummary:
            (found,) = runs(store)
            return found

        def engine() -> int:
            return int(store.value("SELECT worker FROM run WHERE id = ?", (run,)) or 0)

        with opened(path, folder) as terminal:
            until(terminal.shows("pending"), "the list of runs")
            os.write(terminal.ours, b"r")
            until(lambda: now().alive and engine(), "the engine that the app starts")
            begun = engine()
            os.close(terminal.ours)  # the terminal is closed: SIGHUP
            assert terminal.app.wait(WAITS) == -signal.SIGHUP
        with opened(path, folder) as one, opened(path, folder) as other:
            for terminal in (one, other):
                until(terminal.shows(f"Run {run} "), "the run that is offered")
            one.app.terminate()
            assert one.app.wait(WAITS) == 0
            other.app.kill()
            assert other.app.wait(WAITS) == -signal.SIGKILL
        assert now().alive
        assert engine() == begun
        with opened(path, folder) as terminal:
            until(terminal.shows("running"), "the run that is offered")
            (folder / "gate").touch()
            until(terminal.shows("finished"), "its end")
        assert now().state == "finished"
