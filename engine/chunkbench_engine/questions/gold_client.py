"""The way to the process behind the gold builder, for a program with an event loop. Light."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from itertools import count
from typing import TYPE_CHECKING, Any

from chunkbench_engine.errors import BadInput
from chunkbench_engine.questions.gold import (
    GoldCorpus,
    GoldDocument,
    GoldRow,
    Places,
    Suggestion,
)
from chunkbench_engine.questions.search import OFFERED, Candidate

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_LINE = 2**31
"""Bytes of an answer: a document is one line."""
_ENDING_SECONDS = 2.0


class GoldClient:
    """Asks the process, which is started with the first request, and again if it has ended.

    Requests are answered one after another. Each raises `BadInput` with a sentence for a person.
    """

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._numbers = count(1)
        self._opened: tuple[str, str] | None = None

    async def open(self, corpus: str, file: str = "") -> GoldCorpus:
        self._opened = (corpus, file)
        found = await self._ask("open", corpus=corpus, file=file)
        documents = tuple(GoldDocument(**document) for document in found.pop("documents"))
        return GoldCorpus(**found, documents=documents)

    async def text(self, document: str) -> str:
        return str(await self._ask("text", document=document))

    async def rows(self, file: str) -> tuple[GoldRow, ...]:
        return tuple(_gold_row(row) for row in await self._ask("rows", file=file))

    async def evidence(self, slots: Places) -> list[Any]:
        """The passages as a row of a question file has them."""
        made: list[Any] = await self._ask("evidence", slots=slots)
        return made

    async def find(self, question: str, limit: int = OFFERED) -> tuple[Candidate, ...]:
        found = await self._ask("find", question=question, limit=limit)
        return tuple(
            Candidate(**{**row, "paragraph": tuple(row["paragraph"]), "words": tuple(row["words"])})
            for row in found
        )

    async def suggest(
        self, model: str, urls: Sequence[str], store: str, seed: int, asked: Sequence[str]
    ) -> None:
        """Have a language model propose questions from now on, unlike those that are `asked`."""
        await self._ask("suggest", model=model, urls=urls, store=store, seed=seed, asked=asked)

    async def next_suggestion(self) -> Suggestion:
        return Suggestion(**await self._ask("next_suggestion"))

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        process.terminate()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _ENDING_SECONDS)

    async def _ask(self, do: str, **fields: Any) -> Any:  # noqa: ANN401 - as JSON has it
        async with self._turn:
            if self._process is None or self._process.returncode is not None:
                self._process = await _start()
                if do != "open" and self._opened is not None:
                    corpus, file = self._opened
                    await self._exchange("open", {"corpus": corpus, "file": file})
            return await self._exchange(do, fields)

    async def _exchange(self, do: str, fields: dict[str, Any]) -> Any:  # noqa: ANN401
        process, number = self._process, next(self._numbers)
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        request = json.dumps({"number": number, "do": do, **fields})
        try:
            process.stdin.write(request.encode() + b"\n")
            await process.stdin.drain()
            while True:
                line = await process.stdout.readline()
                if not line:
                    raise ConnectionResetError
                answer = json.loads(line)
                # An answer that nobody waited for any longer still comes.
                if answer["number"] == number:
                    break
        except ConnectionError as error:
            self._process = None
            raise BadInput(
                "the process that reads the documents has ended, perhaps for want of memory: "
                "try again"
            ) from error
        if "error" in answer:
            raise BadInput(answer["error"])
        return answer["value"]


async def _start() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "chunkbench_engine.questions.gold_process",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=_LONGEST_LINE,
        start_new_session=True,  # not ended by the terminal's Ctrl-C, but with its input
    )


def _gold_row(row: dict[str, Any]) -> GoldRow:
    evidence = tuple(tuple((d, start, end) for d, start, end in slot) for slot in row["evidence"])
    return GoldRow(**{**row, "evidence": evidence, "answers": tuple(row["answers"])})
