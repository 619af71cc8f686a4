"""Having files converted in a process of its own, which is replaced when one of them breaks it."""

from __future__ import annotations

import signal
import subprocess
import sys
from multiprocessing import Pipe
from typing import TYPE_CHECKING

from chunkbench_engine.documents.convert.converted import Converted, Refused

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from pathlib import Path
    from types import TracebackType

    from chunkbench_engine.documents.formats import Format

MOST_SECONDS = 120.0
"""Longest that one file may take."""


class Conversion:
    """A context in which files are converted; its process starts with the first of them."""

    def __init__(self, most_seconds: float = MOST_SECONDS) -> None:
        self._most_seconds = most_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None

    def __enter__(self) -> Conversion:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def convert(self, path: Path, form: Format) -> Converted:
        """The text of a file.

        Raises:
            Refused: with the converter's reason, or as it took too long or broke the process.
        """
        pipe = self._pipe or self._start()
        try:
            pipe.send((str(path.absolute()), form.name))
            if not pipe.poll(self._most_seconds):
                self._end()
                raise Refused(
                    f"was not converted in {self._most_seconds:.0f} s; split it, or leave it out "
                    "with --exclude"
                )
            answer: Converted | str = pipe.recv()
        except (EOFError, OSError) as error:
            status = self._end()
            raise Refused(
                f"broke its converter ({form.reader}), which ended by {status}"
            ) from error
        if isinstance(answer, str):
            raise Refused(answer)
        return answer

    def _start(self) -> Connection:
        self._pipe, theirs = Pipe()
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-P",  # the working folder holds none of our modules
                "-m",
                "chunkbench_engine.documents.conversion_process",
                str(theirs.fileno()),
            ],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # libraries' chatter; what matters comes through the pipe
            stderr=subprocess.DEVNULL,
        )
        theirs.close()
        return self._pipe

    def _end(self) -> str:
        """End the process, if there is one; how it ended, or would have."""
        process, self._process = self._process, None
        pipe, self._pipe = self._pipe, None
        if process is None or pipe is None:
            return ""
        pipe.close()
        try:
            status = process.wait(1.0)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        return signal.Signals(-status).name if status < 0 else f"exit status {status}"
