"""Running a piece of work in a metered child process.

The child is a fork, so that the annotations it reads are there already and cost it nothing; its
resident set above its start is then the work's own. A fork also inherits what its parent has freed
and not given back: work that is done in that memory raises no resident set. So before the base is
taken that memory is used up or given back (`_leave_nothing_free`). What is sent to the parent is
copied for that, which is no part of the work: the peak is read before, and counted from anew
after. A page that the work only writes to was resident before, and does not count.

A model stays in the parent: the child asks for vectors through its pipe, so that no library's
threads are ever used across a fork, and the model's own memory is no part of the measurement.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from chunkbench_engine.errors import BadInput, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection
    from typing import TypeAlias

    from chunkbench_engine.embedders.embedder import Vectors

    Embed: TypeAlias = Callable[[Sequence[str]], Vectors]

SAMPLE_SECONDS = 0.02

_FILLER = 470
"""Bytes: with its header an object of the largest size that Python's allocator keeps in pools."""
_FILLERS = 64
"""Made between two looks at the size of the process."""
_ARENA = 2**20
"""Bytes that Python's allocator asks the system for at a time."""
_MOST_FILLERS = 200_000
"""About 100 MB of free pools: far more than annotations leave behind."""


@dataclass(frozen=True, slots=True)
class Metered:
    """What a child did.

    Attributes:
        results: what the work returned for each item, in order, up to a failure.
        seconds: own time of each item; vectors count with what they cost, not with the wait.
        base_rss: resident set before the work, in bytes.
        peak_rss: highest resident set, sampled every 20 ms while the child works, and after each
            item.
        kernel_peak_rss: the same by the kernel's own count, of the items that were finished.
        samples: (seconds since the start, resident set above the base).
        failure: sentence on why the item after the last result failed; "" if none did.
    """

    results: tuple[Any, ...]
    seconds: tuple[float, ...]
    base_rss: int
    peak_rss: int
    kernel_peak_rss: int
    samples: tuple[tuple[float, int], ...]
    failure: str = ""


def run_metered(
    work: Callable[[Any, Embed], Any],
    items: Sequence[Any],
    embed: Embed,
    limit: float,
    still_wanted: Callable[[], bool],
    warm_up: Callable[[Embed, Callable[[], None]], None] | None = None,
) -> Metered:
    """Run `work(item, embed)` for each item in a metered child, in order.

    Args:
        work: called in the child.
        items: what it is called with.
        embed: answers the child's requests for vectors, in this process.
        limit: longest time one item may take, in seconds; then the child is killed.
        still_wanted: asked now and then; the child is killed once it says no.
        warm_up: called in the child before anything is measured, so that what the work imports,
            and the pages of its libraries, are no part of its memory or its time. It is given
            `embed`, and what says that an item is getting on, so that its time begins again.
    """
    ours, theirs = multiprocessing.Pipe()
    context = multiprocessing.get_context("fork")
    child = context.Process(target=_child, args=(theirs, work, items, warm_up), daemon=True)
    child.start()
    theirs.close()
    assert child.pid is not None
    try:
        return _watch(ours, psutil.Process(child.pid), embed, limit, still_wanted)
    finally:
        ours.close()
        child.kill()
        child.join()


def _watch(
    pipe: Connection,
    process: psutil.Process,
    embed: Embed,
    limit: float,
    still_wanted: Callable[[], bool],
) -> Metered:
    results: list[Any] = []
    seconds: list[float] = []
    samples: list[tuple[float, int]] = []
    base = peak = kernel_peak = 0
    started = deadline = own = 0.0
    working = False

    def ended(failure: str = "") -> Metered:
        return Metered(
            tuple(results),
            tuple(seconds),
            base,
            max(peak, base),
            max(kernel_peak, base),
            tuple(samples),
            failure,
        )

    deadline = time.monotonic() + limit
    while True:
        if not pipe.poll(SAMPLE_SECONDS):
            if working:
                rss = _resident(process)
                if not pipe.poll():  # else it may be sending already
                    peak = max(peak, rss)
                    samples.append((time.monotonic() - started, max(0, rss - base)))
            if time.monotonic() > deadline:
                return ended(f"took longer than {limit:g} seconds over one document: stopped")
            if not still_wanted():
                return ended("was cancelled")
            continue
        try:
            kind, *content = pipe.recv()
        except EOFError:
            return ended("ended without a word: its process left, or was killed (out of memory?)")
        if kind == "base":
            base = content[0]
            started = time.monotonic()
            deadline = started + limit
        elif kind == "embed":
            try:
                pipe.send(embed(content[0]))
            except (BadInput, Unavailable) as error:
                return ended(str(error))
            except Exception as error:  # the model's own libraries may raise anything
                return ended(f"{type(error).__name__}: {error}")
            deadline = time.monotonic() + limit
        elif kind == "working":
            deadline = time.monotonic() + limit
        elif kind == "begin":
            working = True
        elif kind == "done":
            working = False
            own, rss, kernel = content
            peak, kernel_peak = max(peak, rss), max(kernel_peak, kernel)
            samples.append((time.monotonic() - started, max(0, rss - base)))
        elif kind == "result":
            results.append(content[0])
            seconds.append(own)
            deadline = time.monotonic() + limit
        elif kind == "failure":
            return ended(content[0])
        else:
            return ended()


def _child(
    pipe: Connection,
    work: Callable[[Any, Embed], Any],
    items: Sequence[Any],
    warm_up: Callable[[Embed, Callable[[], None]], None] | None,
) -> None:
    waited = 0.0

    def embed(texts: Sequence[str]) -> Vectors:
        nonlocal waited
        begun = time.perf_counter()
        pipe.send(("embed", list(texts)))
        vectors: Vectors = pipe.recv()
        # The wait is taken off, and what the vectors cost when they were computed put in.
        waited += time.perf_counter() - begun - vectors.seconds
        return vectors

    try:
        if warm_up is not None:
            warm_up(embed, lambda: pipe.send(("working",)))
        held = _leave_nothing_free()
        itself = psutil.Process()
        pipe.send(("base", _resident(itself)))
        for item in items:
            _reset_kernel_peak()
            pipe.send(("begin",))
            waited = 0.0
            begun = time.perf_counter()
            value = work(item, embed)
            own = time.perf_counter() - begun - waited
            pipe.send(("done", own, _resident(itself), _kernel_peak()))
            pipe.send(("result", value))
            del value
            _give_back()
        held.clear()
        pipe.send(("end",))
    except (BadInput, Unavailable) as error:
        pipe.send(("failure", str(error)))
    except Exception as error:  # anyone's chunker may raise anything: it fails alone
        pipe.send(("failure", f"{type(error).__name__}: {error}"))


def _leave_nothing_free() -> list[bytes | None]:
    """Use up or give back the memory that was freed; what it is used up with, to be held.

    The C library gives whole pages back when it is told to. Python's own allocator of small
    objects does not, where others live in the same arena: its free pools are filled, until it asks
    the system for the next arena. Where the size of the process cannot be read, only the first is
    done, and where the C library is not GNU's, neither: there the peak may be some megabytes low.
    """
    gc.collect()
    held: list[bytes | None] = [None] * _MOST_FILLERS
    size = _virtual_size()
    for first in range(0, _MOST_FILLERS if size else 0, _FILLERS):
        before, size = size, _virtual_size()
        if size - before >= _ARENA:
            break
        for place in range(first, first + _FILLERS):
            held[place] = bytes(_FILLER)
    _give_back()
    return held


def _give_back() -> None:
    """Give freed pages back to the system, as far as the C library can be told to."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _virtual_size() -> int:
    """Of this process, in bytes; 0 where there is no `/proc`."""
    if sys.platform == "linux":
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    return 0


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:  # it has just ended; the sample before this one was its last
        return 0


def _reset_kernel_peak() -> None:
    """Make the kernel count the peak from here on: a fork inherits its parent's."""
    if sys.platform == "linux":
        Path("/proc/self/clear_refs").write_text("5")


def _kernel_peak() -> int:
    if sys.platform == "linux":
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def parent_is(pid: int) -> bool:
    """Whether that process is still this one's parent: it is not once it was killed."""
    return os.getppid() == pid
