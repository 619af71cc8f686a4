"""The app in a real terminal (a pty) while a real engine keeps every core busy.

    python benchmarks/interface.py [--keys 200] [--seconds 20]

Start: from starting the process to its first bytes of a screen, and to the first row of the
leaderboard. Key: a key is written to the pty; the time until the app has written the lines that
it changes. It is measured on a finished run, so that nothing but the key changes the screen,
while the engine carries out another one and writes to the same database. Live: bytes the app
writes while it shows the run under way. Idle: bytes and processor time while nothing happens.
Stall: the longest time that the app's event loop did not turn, by a ticker inside it.
`benchmarks/document.py` measures the document viewer alone.
"""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

import psutil

from chunkbench_engine.run.launch import create_run
from chunkbench_engine.run.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLE = Path(__file__).parents[1] / "sample_corpus"
ROWS, COLUMNS = 40, 120
_QUIET_SECONDS = 0.02
"""After so long without a byte the app is taken to have painted what it wanted."""
_STALLS = """
import asyncio, pathlib, sys, time
from chunkbench_tui.app import ChunkbenchApp
import chunkbench_tui.app
class Watched(ChunkbenchApp):
    CSS_PATH = pathlib.Path(chunkbench_tui.app.__file__).with_name("app.tcss")
    async def on_mount(self):
        self.longest = 0.0
        self.run_worker(self.tick())
        await super().on_mount()
    async def tick(self):
        await asyncio.sleep(3)
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(0.005)
            self.longest = max(self.longest, time.perf_counter() - begun - 0.005)
            written = pathlib.Path(sys.argv[2] + ".new")
            written.write_text(str(self.longest))
            written.replace(sys.argv[2])
Watched(pathlib.Path(sys.argv[1])).run()
"""


class Terminal:
    """A process in a pty of its own."""

    def __init__(self, arguments: list[str]) -> None:
        self.started = time.perf_counter()
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(sys.executable, [sys.executable, *arguments])
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def read(self, seconds: float) -> bytes:
        """What is written within that time, as soon as there is any."""
        ready, _, _ = select.select([self._fd], [], [], seconds)
        try:
            return os.read(self._fd, 1 << 16) if ready else b""
        except OSError:
            return b""

    def until(self, pattern: bytes, seconds: float = 60.0) -> float:
        """Seconds from the start until something is written; raises where it does not come."""
        seen, end = b"", time.perf_counter() + seconds
        while time.perf_counter() < end:
            seen = seen[-4_000:] + self.read(0.1)
            if re.search(pattern, seen):
                return time.perf_counter() - self.started
        raise TimeoutError(f"{pattern!r} was not written within {seconds:g} s")

    def settle(self, seconds: float = 1.5) -> None:
        """Wait until nothing has been written for so long."""
        while self.drain(seconds):
            pass

    @property
    def processor(self) -> float:
        """Processor seconds that the app has used: not affected by what else the machine does."""
        times = psutil.Process(self.pid).cpu_times()
        return float(times.user + times.system)

    def drain(self, seconds: float) -> int:
        """Bytes that are written in so many seconds."""
        count, end = 0, time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            count += len(self.read(left))
        return count

    def press(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    def answer(self, key: str) -> float | None:
        """Seconds from a key to the last byte of what it paints; None where it paints nothing."""
        while self.read(_QUIET_SECONDS):
            pass
        begun = time.perf_counter()
        self.press(key)
        last = None
        while self.read(1.0 if last is None else _QUIET_SECONDS):
            last = time.perf_counter()
        return None if last is None else last - begun

    def leave(self) -> None:
        self.press("\x11")
        for _ in range(50):
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                return
            self.read(0.1)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def engine(store: Path, strategies: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
    """The engine at work on a run of its own."""
    run = asyncio.run(create_run(store, Settings(str(SAMPLE), strategies=strategies)))
    worker = [sys.executable, "-m", "chunkbench_engine.run.worker", str(store), str(run)]
    return subprocess.Popen(worker, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def line(name: str, figure: str, target: str = "") -> None:
    print(f"{name:<52}{figure:>16}   {target}")


def many(terminal: Terminal, keys: str, count: int) -> Iterator[float]:
    for place in range(count):
        took = terminal.answer(keys[place % len(keys)])
        if took is not None:
            yield took


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        store = Path(folder) / "bench.db"
        measure(store, options.keys, options.seconds)


def measure(store: Path, keys: int, seconds: float) -> None:
    engine(store, ("RC", "FC", "SGC", "PGC", "OFC", "RTF")).wait()
    opened = ["-m", "chunkbench_tui", "--db", str(store)]
    line("", f"{os.cpu_count()} cores", "target")

    print(f"without an engine (load of the machine {os.getloadavg()[0]:.1f})")
    starts, processors = [], []
    for _ in range(3):
        terminal = Terminal(opened)
        starts.append(terminal.until(rb"Runs"))
        processors.append(terminal.processor)
        terminal.leave()
    line("start to first paint", f"{1000 * median(starts):.0f} ms", "700 ms")
    line("start to first paint, processor", f"{1000 * median(processors):.0f} ms")
    terminal = Terminal(opened)
    terminal.until(rb"Runs")
    terminal.settle()
    terminal.press("3")
    terminal.until(rb"MRR")
    terminal.settle()
    before = terminal.processor
    sent = terminal.drain(seconds)
    used = terminal.processor - before
    line("idle: bytes a second", f"{sent / seconds:.1f}", "0")
    line("idle: processor", f"{100 * used / seconds:.2f} %", "1 %")
    terminal.leave()

    worker = engine(store)  # the paper's 34: minutes of work
    try:
        under_load(store, keys, seconds, opened)
    finally:
        worker.terminate()
        worker.wait()


def under_load(store: Path, keys: int, seconds: float, opened: list[str]) -> None:
    time.sleep(5)
    print(f"an engine at work on another run (load of the machine {os.getloadavg()[0]:.1f})")
    stalls = store.parent / "stall"
    terminal = Terminal(["-c", _STALLS, str(store), str(stalls)])
    terminal.until(rb"34 done")
    terminal.drain(5)
    sent = terminal.drain(seconds)
    line("live: bytes a second", f"{sent / seconds:,.0f}")
    for key, shown in (("1", rb"Runs"), ("G", rb""), ("\r", rb"Run 1 ")):
        terminal.press(key)
        terminal.until(shown)
        terminal.drain(2)
    psutil.cpu_percent(interval=None)
    before = terminal.processor
    took = sorted(many(terminal, "jjjkkk", keys))
    each = (terminal.processor - before) / keys
    load = psutil.cpu_percent(interval=None)
    line("key to repaint, a finished run: p50", f"{1000 * median(took):.1f} ms")
    slow = quantiles(took, n=20)[-1]
    line("key to repaint, a finished run: p95", f"{1000 * slow:.1f} ms", "50 ms")
    line("processor for a key, all in all", f"{1000 * each:.1f} ms")
    terminal.press("5")
    terminal.until(rb"chunk 1")
    terminal.drain(3)
    took = sorted(many(terminal, "\x04\x04\x04\x15\x15\x15", keys))
    slow = quantiles(took, n=20)[-1]
    line("a page of a document: p50", f"{1000 * median(took):.1f} ms")
    line("a page of a document: p95", f"{1000 * slow:.1f} ms", "50 ms")
    line("longest stall of the event loop", f"{1000 * float(stalls.read_text()):.0f} ms")
    line("processors busy while keys were pressed", f"{load:.0f} %")
    terminal.leave()
    starts = []
    for _ in range(3):
        terminal = Terminal(opened)
        starts.append(terminal.until(rb"Run 2"))
        terminal.leave()
    line("start to the leaderboard of the run under way", f"{1000 * median(starts):.0f} ms")


if __name__ == "__main__":
    main()
