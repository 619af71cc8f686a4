"""The engine: an asynchronous program that carries a run out, in a process of its own.

`python -m chunkbench_engine.run.worker STORE RUN`

The stages are joined by bounded queues. Every unit of work is written in one transaction with
its state, so that a worker killed at any instant and started again ends with the results of an
undisturbed run, and does no finished unit twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import shutil
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from chunkbench_engine.errors import BadInput
from chunkbench_engine.run.analysis_stage import analyse
from chunkbench_engine.run.context import open_context
from chunkbench_engine.run.control import Controls, Stopped
from chunkbench_engine.run.heartbeat import heartbeat
from chunkbench_engine.run.pipeline import Pipeline, sentence
from chunkbench_engine.run.settings import settings_from
from chunkbench_engine.run.verdict_stage import close_pool
from chunkbench_store.database import open_store
from chunkbench_store.judgements import judge_again
from chunkbench_store.runs import asked, forget_stops, run_of, set_run_state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkbench_engine.run.context import RunContext
    from chunkbench_store.database import Store

LEAVING_SECONDS = 5.0
"""How long a new engine waits for one whose run has ended, and which is about to leave."""

_UNFINISHED = """
SELECT count(*) FROM config JOIN chunk_set ON chunk_set.id = config.chunk_set
WHERE config.run = ? AND config.state IN ('waiting', 'retrieved')
AND chunk_set.state IN ('waiting', 'running', 'done')"""


def _take_up(store: Store, run: int) -> None:
    """Put back what a killed worker had begun and not finished."""
    with store.write():
        store.execute(
            "UPDATE chunk_set SET state = 'waiting' WHERE run = ? AND state = 'running'", (run,)
        )
        store.execute(
            "UPDATE config SET state = 'waiting' WHERE run = ? AND state = 'embedding'", (run,)
        )
        store.execute(
            "UPDATE config SET state = 'indexed' WHERE run = ? AND state = 'retrieving'", (run,)
        )
        judge_again(store, run)


async def _work(context: RunContext) -> None:
    controls = Controls(context)
    context.running.set()
    controls.handle()
    controls.try_again()
    with context.store.write():
        context.count_stages()
    watch = asyncio.create_task(controls.watch())
    try:
        while True:
            pipeline = asyncio.create_task(_to_the_end(context))
            await asyncio.wait([pipeline, watch], return_when=asyncio.FIRST_COMPLETED)
            if watch.done():
                pipeline.cancel()
                await asyncio.gather(pipeline, return_exceptions=True)
                watch.result()
            pipeline.result()
            controls.handle()
            controls.try_again()
            with context.store.write():
                # In one transaction: what is asked after it finds a run that has ended.
                if not _has_more(context):
                    _finish(context.store, context.run)
                    break
    finally:
        watch.cancel()


def _has_more(context: RunContext) -> bool:
    """Whether something is left to do, or was asked for meanwhile."""
    unfinished = context.store.value(_UNFINISHED, (context.run,))
    return bool(unfinished or asked(context.store, context.run))


async def _to_the_end(context: RunContext) -> None:
    await Pipeline(context).run()
    if not context.settings.diagnose:
        await close_pool(context)
        await analyse(context)


def _finish(store: Store, run: int) -> None:
    """Write how the run ended, inside `write()`."""
    finished, total = store.rows(
        "SELECT coalesce(sum(state = 'finished'), 0), count(*) FROM config WHERE run = ?", (run,)
    )[0]
    if finished:
        set_run_state(store, run, "finished")
        return
    reasons = {row[0] for row in store.rows("SELECT reason FROM config WHERE run = ?", (run,))}
    why = f": {reasons.pop()}" if len(reasons) == 1 else ""
    set_run_state(store, run, "failed", f"none of {total} configurations could be measured{why}")


def work(store: Store, run: int) -> None:
    """Carry a run out, from wherever it stands, until it is finished or asked to stop.

    The state at the end, also of failures, is in the store.
    """
    row = run_of(store, run)
    if row is None:
        raise BadInput(f"there is no run {run} in {store.path}")
    _take_up(store, run)
    with store.write():
        forget_stops(store, run)
        set_run_state(store, run, "running")
    with open_context(store, run, settings_from(row.settings)) as context:
        try:
            with heartbeat(store.path, run):
                asyncio.run(_until_signal(context))
        except Stopped:
            with store.write():
                set_run_state(store, run, "stopped")
                context.tell("stopped; it can be resumed")
            return
        except Exception as error:
            with store.write():
                set_run_state(store, run, "failed", sentence(error))
                context.tell(f"the engine failed: {sentence(error)}", "error")
            raise
        shutil.rmtree(context.folder, ignore_errors=True)


async def _until_signal(context: RunContext) -> None:
    """Work; SIGTERM and SIGINT stop as a person's wish to stop does."""
    task = asyncio.create_task(_work(context))
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True
        task.cancel()

    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop)
    try:
        await task
    except asyncio.CancelledError:
        if stopped:
            raise Stopped from None
        raise


@contextlib.contextmanager
def only_engine(store: Path, run: int) -> Iterator[bool]:
    """Whether this process is the only engine of a run; the lock goes with the process."""
    lock = store.parent / f"{store.stem}-logs" / f"run-{run}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def main(arguments: list[str]) -> int:
    """`STORE RUN`."""
    path, run = Path(arguments[0]), int(arguments[1])
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    with open_store(path) as store:
        until = time.monotonic() + LEAVING_SECONDS
        while True:
            with only_engine(path, run) as alone:
                if alone:
                    return _carry_out(store, run)
            row = run_of(store, run)
            leaving = row is not None and row.state not in ("running", "paused")
            if not leaving or time.monotonic() > until:
                print(f"run {run} has an engine already", file=sys.stderr)
                return 0
            time.sleep(0.05)


def _carry_out(store: Store, run: int) -> int:
    try:
        work(store, run)
    except Exception:
        traceback.print_exc()  # to the log of the run; the store has the sentence
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
