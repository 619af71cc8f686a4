"""`run bench.toml`: what is on the command line counts before what is in the file."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkbench_engine.errors import BadInput
from chunkbench_engine.run.run_file import SUFFIX, foreign_code_in, read_run_file
from chunkbench_tui.console import say_error

if TYPE_CHECKING:
    import typer

    from chunkbench_engine.chunkers.source import ForeignCode
    from chunkbench_engine.run.settings import Settings

_FIELDS = {"strategy": "strategies", "model": "models", "judge_model": "judge_models"}
"""Fields of the settings whose option has another name."""


def is_run_file(path: Path) -> bool:
    """Whether what is to be run is a file that describes a run, and not documents."""
    return path.suffix == SUFFIX and path.is_file()


def settings_of_file(
    path: Path, typed: Settings, context: typer.Context, *, trust: bool
) -> Settings:
    """The settings of a run file, with what was given on the command line instead of its own.

    Args:
        typed: the settings that the command line alone would make.
        context: tells which options were given.
        trust: whether code of others that the file names may be run.

    Raises:
        BadInput: the file cannot be used, or names code and is not trusted.
    """
    named = read_run_file(path)
    fields = {field.name for field in dataclasses.fields(typed)}
    given: dict[str, Any] = {}
    for option in context.params:
        source = context.get_parameter_source(option)
        field = _FIELDS.get(option, option)
        if field in fields and field != "corpus" and source and source.name == "COMMANDLINE":
            given[field] = getattr(typed, field)
    if "questions" in given:  # relative to where they were typed
        given["questions"] = tuple(str(Path(file).absolute()) for file in given["questions"])
    settings = replace(named, **given)
    # Also where a strategy was typed: its module is looked for beside the file first.
    if code := foreign_code_in(settings, path.absolute().parent):
        _show(path, code, trust=trust)
    return settings


def _show(path: Path, code: list[ForeignCode], *, trust: bool) -> None:
    """Say what code the file names; refuse to go on where it is not trusted."""
    listed = "; ".join(f"{entry.target}, {_where(entry)}" for entry in code)
    if not trust:
        raise BadInput(
            f"{path} names code that a run would carry out: {listed}. Read it, and if you trust "
            "it add --trust"
        )
    say_error(f"{path} is trusted; a run carries out {listed}.")


def _where(code: ForeignCode) -> str:
    if code.file is None:
        return f"which is {code.path} of the module {code.module}, of which there is no source file"
    return f"which is {code.path} of {code.file}"
