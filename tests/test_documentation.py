"""What the pages say can be typed: commands and options are there, links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from chunkbench_tui.command_line import COMMANDS, command_line

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMAND = get_command(command_line(COMMANDS))
_SHELL = re.compile(r"^```(?:sh|yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def commands_in(page: Path) -> list[list[str]]:
    """The words of every command in the page's blocks, without what the shell does with them."""
    blocks = "\n".join(_SHELL.findall(page.read_text(encoding="utf-8"))).replace("\\\n", " ")
    found = re.findall(r"chunkbench-tui (?!sample_corpus)(\S.*)$", blocks, re.MULTILINE)
    return [shlex.split(re.split(' >>? "| && ', line)[0], comments=True) for line in found]


TYPED = [(page.name, words) for page in PAGES for words in commands_in(page)]


@pytest.mark.parametrize(("page", "words"), TYPED, ids=lambda value: " ".join(value)[:60])
def test_a_command_of_the_pages_can_be_typed(page: str, words: list[str]) -> None:
    named = words if words[0] in COMMANDS else ["open", *words]
    command = COMMAND
    while isinstance(command, typer.core.TyperGroup):
        name, *named = named
        found = command.get_command(typer.Context(command), name)
        assert found is not None, f"{page}: there is no command {name}"
        command = found
    command.make_context(name, list(named))  # refuses what is no option, or lacks an argument


def test_the_readme_names_every_command() -> None:
    readme = PAGES[0].read_text(encoding="utf-8")
    assert [name for name in COMMANDS if not re.search(rf"^\| .*`{name}\b", readme, re.M)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_leads_to_a_page_and_a_heading(page: Path) -> None:
    for link in _LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in link:
            continue
        name, _, heading = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        if heading:
            headings = _HEADING.findall(target.read_text(encoding="utf-8"))
            assert heading in {title.lower().replace(" ", "-") for title in headings}, link
