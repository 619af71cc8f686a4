"""The commands are alike: what one calls an option, all do; each has a sentence for the list."""

from __future__ import annotations

from collections import defaultdict

import pytest
import typer
from typer.main import get_command

from chunkbench_tui.commands.add import add
from chunkbench_tui.commands.agreement import agreement
from chunkbench_tui.commands.chunk import chunk
from chunkbench_tui.commands.compare import compare, export_baseline
from chunkbench_tui.commands.diagnose import diagnose
from chunkbench_tui.commands.doctor import doctor
from chunkbench_tui.commands.lists import models, runs, strategies
from chunkbench_tui.commands.questions_check import check
from chunkbench_tui.commands.questions_find import find
from chunkbench_tui.commands.questions_suggest import suggest
from chunkbench_tui.commands.report import report
from chunkbench_tui.commands.run import resume, run
from chunkbench_tui.commands.snippet import snippet
from chunkbench_tui.commands.spot_check import spot_check

COMMANDS = (
    add, agreement, check, chunk, compare, diagnose, doctor, export_baseline, find, models, report,
    resume, run, runs, snippet, spot_check, strategies, suggest,
)  # fmt: skip
LONGEST = 60
"""Characters of a summary that a list in 80 columns shows whole."""


@pytest.fixture(scope="module")
def params() -> list[tuple[str, typer.core.TyperOption | typer.core.TyperArgument]]:
    """Every option and argument with its command."""
    found = []
    for function in COMMANDS:
        app = typer.Typer(add_completion=False)
        app.command()(function)
        found += [(function.__name__, param) for param in get_command(app).params]
    return found


def test_an_option_has_one_letter_and_takes_one_kind_of_thing_everywhere(params: list) -> None:
    kinds = defaultdict(set)
    letters = defaultdict(set)
    for _, param in params:
        if isinstance(param, typer.core.TyperOption):
            assert not param.secondary_opts, f"{param.opts}: --no-… is no word of ours"
            name = max(param.opts, key=len)
            kinds[name].add(None if param.is_flag else param.metavar)
            letters[name] |= {opt for opt in param.opts if len(opt) == 2}
    # `questions find` may write over FILE, so that its file has a name of its own.
    assert {name: found for name, found in kinds.items() if len(found) > 1} == {
        "--output": {"FILE", "NEW"}
    }
    assert {name for name, found in letters.items() if len(found) > 1} == set()


def test_what_takes_a_value_names_it_and_what_is_given_often_says_so(params: list) -> None:
    for command, param in params:
        assert param.metavar or getattr(param, "is_flag", False), (command, param.name)
        if getattr(param, "multiple", False):
            assert "repeated" in param.help, (command, param.name)


@pytest.mark.parametrize("function", COMMANDS, ids=lambda function: function.__name__)
def test_the_summary_fits_into_the_list(function: object) -> None:
    summary = (function.__doc__ or "").splitlines()[0]
    assert summary.endswith(".")
    assert len(summary) <= LONGEST
