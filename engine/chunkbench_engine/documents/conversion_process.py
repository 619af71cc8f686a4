"""The process that converts files: it may hang or be killed, and nothing else is harmed.

`python -m chunkbench_engine.documents.conversion_process DESCRIPTOR`: paths and the names of their
formats come in, `Converted` or the words of a refusal go out.
"""

from __future__ import annotations

import contextlib
import resource
import sys
from multiprocessing.connection import Connection
from pathlib import Path

from chunkbench_engine.documents.convert.converted import Converted, Refused
from chunkbench_engine.documents.formats import FORMATS, Format

MOST_MEMORY = 4_000_000_000
"""Bytes of address space; a file that needs more is refused."""

_SAID = 80
"""Characters of a library's own words: they may quote the file."""


def main() -> None:
    with contextlib.suppress(OSError, ValueError):  # a system that does not let itself be bounded
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    forms = {form.name: form for form in FORMATS}
    pipe: Connection[Converted | str, tuple[str, str]] = Connection(int(sys.argv[1]))
    while True:
        try:
            path, name = pipe.recv()
        except EOFError:
            return
        pipe.send(answer(Path(path), forms[name]))


def answer(path: Path, form: Format) -> Converted | str:
    """The text of one file, or why there is none."""
    try:
        return form.convert()(path.read_bytes())
    except Refused as refused:
        return str(refused)
    except OSError as error:
        return f"cannot be opened: {error.strerror}"
    except RecursionError:
        return "is nested too deeply to be converted"
    except MemoryError:
        return f"needs more than {MOST_MEMORY / 1e9:.0f} GB of memory to be converted"
    except Exception as error:  # a library meets a broken file with any error there is
        said = " ".join(f"{type(error).__name__}: {error}".split())[:_SAID]
        return f"is damaged, or unlike what {form.reader or 'its reader'} knows ({said})"


if __name__ == "__main__":
    main()
