"""The commands are alike: what one calls an option, all do; each has a sentence for the list."""

from __future__ import annotations

from collections import defaultdict

import pytest
import typer
from typer.main import get_command

from chunkbench_tui.command_line import COMMANDS, command_line

LONGEST = 60
"""Characters of a summary that a list in 80 columns shows whole."""


def _commands() -> dict[str, typer.core.TyperCommand]:
    """By name, those of a group too."""
    found = {}
    groups = [("", get_command(command_line(COMMANDS)))]
    for prefix, group in groups:
        for name, command in group.commands.items():
            if isinstance(command, typer.core.TyperGroup):
                groups.append((f"{name} ", command))
            else:
                found[prefix + name] = command
    return found


ALL = _commands()


@pytest.fixture(scope="module")
def params() -> list[tuple[str, typer.core.TyperOption | typer.core.TyperArgument]]:
    """Every option and argument with its command."""
    return [(name, param) for name, command in ALL.items() for param in command.params]


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


@pytest.mark.parametrize("name", ALL)
def test_the_summary_fits_into_the_list(name: str) -> None:
    summary = (ALL[name].help or "").splitlines()[0]
    assert summary.endswith(".")
    assert len(summary) <= LONGEST
