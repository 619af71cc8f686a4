"""The command line: `chunkbench-tui` opens the app, its commands do the same without it.

Exit status: 0 done; 1 a run ended without a result, something asked for is not ready, a gate
failed, or a row of a checked question file cannot be used; 2 bad input, with a sentence that says
what, where and what to do; 130 interrupted.
"""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer

from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_store.database import StoreError, default_path
from chunkbench_tui.commands import (
    add,
    agreement,
    chunk,
    compare,
    diagnose,
    doctor,
    lists,
    questions,
    report,
    run,
    snippet,
    spot_check,
)
from chunkbench_tui.commands.options import Db
from chunkbench_tui.console import say_error

app = typer.Typer(
    name="chunkbench-tui",
    help="Benchmark document-chunking strategies for retrieval on your own documents.",
    epilog="With no command, or with a folder, the app is opened.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.command("run")(run.run)
app.command("resume")(run.resume)
app.command("add")(add.add)
app.command("chunk")(chunk.chunk)
app.command("diagnose")(diagnose.diagnose)
app.command("strategies")(lists.strategies)
app.command("models")(lists.models)
app.command("runs")(lists.runs)
app.command("report")(report.report)
app.command("compare")(compare.compare)
app.command("export-baseline")(compare.export_baseline)
app.command("snippet")(snippet.snippet)
app.command("agreement")(agreement.agreement)
app.command("spot-check")(spot_check.spot_check)
app.command("doctor")(doctor.doctor)
app.add_typer(questions.questions, name="questions")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"chunkbench-tui {metadata.version('chunkbench-tui')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
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
        raise BadInput("--db goes behind the command that it is for, as in run FOLDER --db FILE")


@app.command("open")
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


def main() -> None:
    """Entry point of the `chunkbench-tui` command."""
    arguments = sys.argv[1:]
    names = {command.name for command in app.registered_commands}
    names |= {group.name for group in app.registered_groups}
    if arguments and not arguments[0].startswith("-") and arguments[0] not in names:
        arguments = ["open", *arguments]
    try:
        app(arguments)
    except (BadInput, Unavailable, StoreError) as error:
        say_error(str(error))
        sys.exit(2)
    except BrokenPipeError:  # as `chunk … | head` does
        sys.stderr.close()
        sys.exit(0)
