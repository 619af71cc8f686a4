"""The worker's end of the chunking process, and what the two say to each other."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from multiprocessing import Pipe
from typing import TYPE_CHECKING, Any

from chunkbench_engine.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from chunkbench_engine.chunkers.chunk import Chunk
    from chunkbench_engine.diagnose.structure import Structure
    from chunkbench_engine.documents.document import Document
    from chunkbench_engine.run.metering import Metered


@dataclass(frozen=True, slots=True)
class Load:
    """Asks for these documents to be held, and any others to be let go."""

    documents: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class Apply:
    """Asks for one strategy over some of the documents held."""

    spec: str
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Alone:
    """Asks how long one strategy takes over them with nothing made before it."""

    spec: str
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seconds:
    """What a strategy over one document took.

    Attributes:
        own: the strategy's own work.
        charged: what the shared annotations it reads cost when they were made.
        paid: own, and the annotations that nobody had made before it.
    """

    own: float
    charged: float
    paid: float


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """A strategy's chunks of one document, with their length in tokens and what ails them.

    `remarks` are the document's, as the strategy left them.
    """

    document: str
    chunks: tuple[Chunk, ...]
    tokens: tuple[int, ...]
    context_tokens: tuple[int, ...]
    structure: Structure
    remarks: dict[str, int]
    seconds: Seconds


@dataclass(frozen=True, slots=True)
class Applied:
    """The answer to `Apply`: the documents that were finished, and what the process took.

    `metered` comes without its results, which are in the documents. `model` is the identity of
    the chunkers' own model, "" while it was not needed.
    """

    documents: tuple[ChunkedDocument, ...]
    metered: Metered
    model: str = ""


class ChunkingProcess:
    """The worker's end of the chunking process."""

    def __init__(
        self,
        cache: Path,
        model: str,
        limit: float,
        folder: str,
        answers: Path,
        language_model: str,
        ollama: Sequence[str],
    ) -> None:
        """Start it.

        Args:
            cache: file of the vector cache.
            model: the chunkers' own embedding model.
            limit: longest a strategy may take over one document, in seconds.
            folder: where modules of one's own chunkers are.
            answers: file of the cache of the language model's answers.
            language_model: its name.
            ollama: URLs of the servers that are asked.
        """
        self._pipe, theirs = Pipe()
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-P",  # the working folder holds none of our modules
                "-m",
                "chunkbench_engine.run.chunking_process",
                str(theirs.fileno()),
                str(cache),
                model,
                str(limit),
                folder,
                str(answers),
                language_model,
                *ollama,
            ],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        theirs.close()

    def load(self, documents: Sequence[Document]) -> None:
        self._ask(Load(tuple(documents)))

    def apply(self, spec: str, documents: Sequence[str]) -> Applied:
        """Chunk documents that are held.

        Raises:
            Unavailable: a model that the strategy needs is not there.
            RuntimeError: the chunking process has ended.
        """
        answer: Applied = self._ask(Apply(spec, tuple(documents)))
        return answer

    def alone(self, spec: str, documents: Sequence[str]) -> tuple[float, ...]:
        """Seconds that each document takes with nothing made before it, up to a failure.

        Annotations and vectors are made anew, which is true only of a process that was never
        asked to `apply`: what a library remembers of a text would be there already. That modules
        and models are loaded is no document's cost here either. A strategy that asks a language
        model has none: asking anew would cost what the answers cost.

        Raises as `apply`.
        """
        answer: tuple[float, ...] = self._ask(Alone(spec, tuple(documents)))
        return answer

    def close(self) -> None:
        # With the metered child that it may have: left alone, that would hold the pipe open.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._pipe.close()

    def _ask(self, request: Load | Apply | Alone) -> Any:  # noqa: ANN401 - as the request has it
        try:
            self._pipe.send(request)
            answer = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise RuntimeError("the chunking process has ended") from error
        if isinstance(answer, Unavailable):
            raise answer
        return answer
