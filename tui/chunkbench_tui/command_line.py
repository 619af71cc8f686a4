"""The commands. A command's module, and what that computes with, is imported when it is called."""

from __future__ import annotations

from importlib import import_module, metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkbench_engine.errors import BadInput
from chunkbench_store.database import default_path
from chunkbench_tui.commands.options import Db

if TYPE_CHECKING:
    from collections.abc import Iterable

OPEN = "open"
"""The command that opens the app; its name need not be written."""
COMMANDS = {
    "run": "run:run",
    "resume": "run:resume",
    "add": "add:add",
    "chunk": "chunk:chunk",
    "diagnose": "diagnose:diagnose",
    "strategies": "lists:strategies",
    "models": "lists:models",
    "runs": "lists:runs",
    "report": "report:report",
    "compare": "compare:compare",
    "export-baseline": "compare:export_baseline",
    "snippet": "snippet:snippet",
    "agreement": "agreement:agreement",
    "spot-check": "spot_check:spot_check",
    "doctor": "doctor:doctor",
    "questions": "questions:questions",
}
"""Name, in the order of the help: module in `chunkbench_tui.commands`, and the function in it or,
for a group of commands, the `Typer`."""


def command_line(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command line with some of its commands, and with the one that opens the app."""
    app = typer.Typer(
        name="chunkbench-tui",
        help="Benchmark document-chunking strategies for retrieval on your own documents.",
        epilog="With no command, or with a folder, the app is opened.",
        no_args_is_help=False,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback(invoke_without_command=True)(_no_command)
    for name in names:
        module, function = COMMANDS[name].split(":")
        command = getattr(import_module(f"chunkbench_tui.commands.{module}"), function)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    app.command(OPEN)(open_app)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"chunkbench-tui {metadata.version('chunkbench-tui')}")
        raise typer.Exit


def _no_command(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - handled by its callback
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
    db: Db = None,
) -> None:
    if context.invoked_subcommand is None:
        open_app(db=db)
    elif db is not None:
        raise BadInput("--db goes behind the command that it is for, as in run CORPUS --db FILE")


def open_app(
    corpus: Annotated[
        Path | None,
        typer.Argument(metavar="CORPUS", help="Folder or file of documents to start with."),
    ] = None,
    db: Db = None,
) -> None:
    """Open the app. A run that is under way goes on being watched."""
    if corpus is not None and not corpus.exists():
        raise BadInput(
            f"{corpus} is neither a command nor a folder: chunkbench-tui --help lists the commands"
        )
    from chunkbench_tui.app import run_app

    run_app(db or default_path(), corpus)
