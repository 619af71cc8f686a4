"""Starting the engine as a process of its own, from a process that computes nothing.

Light on purpose: the app imports this, and the app must paint at once.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from pathlib import Path

    from chunkbench_engine.run.settings import Settings

_PYTHON = (sys.executable, "-P", "-m")
"""Without the working folder among the modules: a `random.py` there is none of the engine's."""


def log_path(store: Path, run: int) -> Path:
    """Where the engine's output of a run goes."""
    return store.parent / f"{store.stem}-logs" / f"run-{run}.log"


def start_engine(store: Path, run: int) -> None:
    """Start the engine on a run, detached: it outlives this process and its terminal.

    Starting it on a run that already has an engine does nothing: the second one leaves at once.
    """
    log = log_path(store, run)
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        subprocess.Popen(
            [*_PYTHON, "chunkbench_engine.run.worker", str(store.absolute()), str(run)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


async def create_run(store: Path, settings: Settings, folder: Path | None = None) -> int:
    """Plan a run in a process of its own (reading a corpus is work); the id of the run.

    Args:
        folder: what relative paths are relative to, and where modules of one's own chunkers are
            looked for; the working folder by default.

    Raises:
        BadInput: with the sentence that says what is wrong with the settings.
    """
    return int(await _answer_of("chunkbench_engine.run.plan", store, settings, folder))


async def forecast_run(store: Path, settings: Settings) -> dict[str, Any]:
    """The fields of a `Forecast` for these settings, made in a process of its own.

    Raises:
        BadInput: with the sentence that says what is wrong with the settings.
    """
    answer = await _answer_of("chunkbench_engine.run.forecast", store, settings)
    fields: dict[str, Any] = json.loads(answer)
    return fields


async def _answer_of(
    module: str, store: Path, settings: Settings, folder: Path | None = None
) -> bytes:
    """What a module prints about settings; the process is ended with the question."""
    process = await asyncio.create_subprocess_exec(
        *_PYTHON,
        module,
        str(store.absolute()),
        json.dumps(settings.as_dict()),
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        output, errors = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        raise
    if process.returncode != 0:
        raise BadInput(errors.decode(errors="replace").strip() or f"{module} ended without a word")
    return output
