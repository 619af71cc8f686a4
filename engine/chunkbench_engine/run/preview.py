"""The app's end of the preview: what a document would look like under another setting.

Light on purpose: the app imports this. The work is done by `preview_process`, which is started
when it is first asked, stays warm, and ends with the app.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from array import array
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from chunkbench_engine.errors import BadInput
from chunkbench_store.boundaries import ChunkSpans

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST_LINE = 1 << 28
"""Bytes of an answer: some hundred for a chunk."""


@dataclass(frozen=True, slots=True)
class PreviewRequest:
    """Asks for one document under a strategy with other parameters (`chunkers/variation.py`).

    Attributes:
        run: whose corpus, models and questions are meant.
        document: its id in the store.
        spec: the strategy to start from; "" to make ready for requests about the document.
        size: steps up, or down if negative; `overlap` likewise.
        values: what is written for parameters, by their place.
        beside: the chunk set to compare with; None for none.
    """

    run: int
    document: int
    spec: str
    size: int = 0
    overlap: int = 0
    values: dict[int, str] = field(default_factory=dict)
    beside: int | None = None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What can be said of a document's chunks.

    Attributes:
        chunks: their number.
        mean_tokens: of their lengths, in cl100k_base tokens, as the next three.
        begin_inside: share of chunks that begin inside a sentence, 0 to 1.
        end_inside: share of chunks that end inside a sentence.
        inside: share of chunks that do either.
        tables_cut: of the document's `tables`, those that no chunk holds whole; of its fenced code
            blocks likewise.
        evidence: passages of the document that answer a question.
        evidence_whole: of these, those that a chunk, or what a reader is given for it, holds
            whole: no retrieval can find the others.
    """

    chunks: int
    mean_tokens: float
    median_tokens: float
    shortest: int
    longest: int
    begin_inside: float
    end_inside: float
    inside: float
    tables: int
    tables_cut: int
    fences: int
    fences_cut: int
    evidence: int
    evidence_whole: int


@dataclass(frozen=True, slots=True)
class PreviewParameter:
    """A parameter of the strategy, with its value as it is written."""

    strategy: str
    name: str
    value: str
    role: str


@dataclass(frozen=True, slots=True)
class Preview:
    """A document under a setting that was not run.

    Attributes:
        label: of the setting.
        parameters: all it has.
        before: of the chunk set to compare with; None where that has not chunked the document.
    """

    label: str
    parameters: tuple[PreviewParameter, ...]
    spans: ChunkSpans
    diagnosis: Diagnosis
    before: Diagnosis | None


class Previewer:
    """Asks the preview process, and starts it when it is not there."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[bytes]] = {}
        self._number = 0
        self._starting = asyncio.Lock()

    async def ask(self, request: PreviewRequest) -> Preview:
        """The answer to a request, unless a newer one overtakes it: then it is cancelled.

        Raises:
            BadInput: there is no such setting, or it fails on the document; in a sentence.
        """
        process = await self._started()
        for older in self._waiting.values():
            older.cancel()
        answered: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._number += 1
        self._waiting = {self._number: answered}
        await self._send(process, request)
        return await asyncio.to_thread(_read, await answered)

    async def warm(self, run: int, document: int) -> None:
        """Make ready for requests about a document, so that the first is answered at once."""
        if not self._waiting:
            await self._send(await self._started(), PreviewRequest(run, document, ""))

    async def close(self) -> None:
        """End the process, and what it has begun."""
        process, self._process = self._process, None
        if process is not None and self._reading is not None:
            _kill_group(process.pid)
            await self._reading

    async def _send(self, process: asyncio.subprocess.Process, request: PreviewRequest) -> None:
        line = json.dumps({"number": self._number, **asdict(request)})
        assert process.stdin is not None
        with contextlib.suppress(ConnectionError):  # it has died: the reader says so
            process.stdin.write(line.encode() + b"\n")
            await process.stdin.drain()

    async def _started(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await self._start()
                self._reading = asyncio.create_task(self._read_answers(self._process))
            return self._process

    async def _start(self) -> asyncio.subprocess.Process:
        log = self._store.parent / f"{self._store.stem}-logs" / "preview.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as output:
            return await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "chunkbench_engine.run.preview_process",
                str(self._store),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=output,
                limit=_LONGEST_LINE,
                start_new_session=True,
            )

    async def _read_answers(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            number, _, answer = line.partition(b" ")
            future = self._waiting.pop(int(number), None)
            if future is not None and not future.done():
                future.set_result(answer)
        _kill_group(process.pid)  # a chunker that it had begun would outlive it
        await process.wait()
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(
                    BadInput("the preview has ended without a word (out of memory?): try again")
                )
        self._waiting.clear()


def _kill_group(process: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)


def _read(answer: bytes) -> Preview:
    content: dict[str, Any] = json.loads(answer)
    if "error" in content:
        raise BadInput(content["error"])
    before = content["before"]
    return Preview(
        content["label"],
        tuple(PreviewParameter(**parameter) for parameter in content["parameters"]),
        _spans(content),
        Diagnosis(**content["diagnosis"]),
        None if before is None else Diagnosis(**before),
    )


def _spans(content: dict[str, Any]) -> ChunkSpans:
    starts, ends, tokens, context_starts, context_ends = (
        array("i", column) for column in content["columns"]
    )
    prefixes = tuple(content["prefixes"])
    return ChunkSpans(starts, ends, tokens, context_starts, context_ends, prefixes)
