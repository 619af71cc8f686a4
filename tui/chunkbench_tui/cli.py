"""The command line: `chunkbench-tui` opens the app, its commands do the same without it.

Exit status: 0 done; 1 a run ended without a result, something asked for is not ready, a gate
failed, or a row of a checked question file cannot be used; 2 bad input, with a sentence that says
what, where and what to do; 130 interrupted.
"""

from __future__ import annotations

import sys

from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_store.database import StoreError, default_path


def main() -> None:
    """Entry point of the `chunkbench-tui` command."""
    try:
        _carry_out(sys.argv[1:])
    except (BadInput, Unavailable, StoreError) as error:
        from chunkbench_tui.console import say_error

        say_error(str(error))
        sys.exit(2)
    except BrokenPipeError:  # as `chunk … | head` does
        sys.stderr.close()
        sys.exit(0)


def _carry_out(arguments: list[str]) -> None:
    if not arguments:
        # The app paints sooner without what reads a command line.
        from chunkbench_tui.app import run_app

        run_app(default_path(), None)
        return
    from chunkbench_tui.command_line import COMMANDS, OPEN, command_line

    first = arguments[0]
    if first in COMMANDS:
        command_line([first])(arguments)
    elif first.startswith("-"):
        named = [name for name in COMMANDS if name in arguments]
        command_line(COMMANDS if "--help" in arguments else named)(arguments)
    else:
        command_line(())(arguments if first == OPEN else [OPEN, *arguments])
