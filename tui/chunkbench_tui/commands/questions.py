"""`questions`: a question set checked, its evidence found, more of it suggested."""

from __future__ import annotations

import typer

from chunkbench_tui.commands.questions_check import check
from chunkbench_tui.commands.questions_find import find
from chunkbench_tui.commands.questions_suggest import suggest

questions = typer.Typer(
    help="Check, complete and propose questions.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
questions.command("check")(check)
questions.command("find")(find)
questions.command("suggest")(suggest)
