"""`diagnose`: a run without questions, on the command line and in the app."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from chunkbench_store.database import open_store
from chunkbench_store.diagnosis import findings_of
from chunkbench_store.live import board_of
from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.screens.boundaries import BoundariesScreen

from .watching import screen_text, until

if TYPE_CHECKING:
    from pathlib import Path


FOOTER = "This page is confidential and must not be given to any other person.\n"
TABLE = "| city | people |\n|---|---|\n" + "".join(f"| Town {n} | {n}000 |\n" for n in range(30))
WORDS = ("anchor", "boat", "canal", "dock", "engine", "ferry", "gate", "harbour", "isle", "jetty")
GUIDE = "# Guide [/b] \x1b[31m\n\n" + "".join(
    f"## Part {n}\n\nThe {word} of part {n} is told here in one sentence of some length.\n\n"
    f"{FOOTER}\n"
    for n, word in enumerate(
        ["anchor", "boat", "canal", "dock", "engine", "ferry", "gate", "harbour", "island", "jetty"]
    )
)
BROKEN = "def split(text):\n    raise ValueError('no such luck')\n"
SECONDS = 120


@dataclass(frozen=True)
class Diagnosed:
    """A finished run of `diagnose --json`, its database and its exit."""

    path: Path
    done: subprocess.CompletedProcess[str]

    @property
    def content(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.done.stdout)
        return found

    def strategy(self, label: str) -> dict[str, Any]:
        return next(e for e in self.content["strategies"] if e["strategy"] == label)


def _tui(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from chunkbench_tui.cli import main; main()", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        cwd=cwd,
    )


@pytest.fixture(scope="module")
def diagnosed(tmp_path_factory: pytest.TempPathFactory) -> Diagnosed:
    folder = tmp_path_factory.mktemp("diagnose")
    (folder / "docs").mkdir()
    (folder / "docs" / "guide.md").write_text(GUIDE)
    (folder / "docs" / "towns.md").write_text(f"# Towns\n\n{TABLE}")
    (folder / "mychunker.py").write_text(BROKEN)
    path = folder / "store.db"
    strategies = ("-s", "PBC", "-s", "FC", "-s", "DOC", "-s", "mychunker:split")
    gate = ("--fail-if", "duplicates > 5%", "--fail-if", "uncovered > 0")
    return Diagnosed(
        path, _tui("diagnose", "docs", *strategies, *gate, "--json", "--db", path, cwd=folder)
    )


def test_the_strategies_are_counted_side_by_side(diagnosed: Diagnosed) -> None:
    paragraphs = diagnosed.strategy("PBC")
    assert paragraphs["state"] == "finished"
    assert paragraphs["counts"]["chunks"] == 33
    copies = paragraphs["kinds"]["duplicates"]
    assert (copies["count"], copies["of"]) == (10, "chunks")
    assert copies["share"] == pytest.approx(10 / 33)
    assert paragraphs["kinds"]["stranded_headings"]["count"] == 12
    assert paragraphs["kinds"]["cut_sentences"]["count"] == 0
    assert diagnosed.strategy("FC")["kinds"]["cut_tables"]["count"] == 1
    assert diagnosed.strategy("DOC")["kinds"]["cut_tables"]["count"] == 0
    assert "hubs" not in diagnosed.strategy("DOC")["kinds"]  # two chunks have no hub
    for entry in ("PBC", "FC", "DOC"):
        assert diagnosed.strategy(entry)["kinds"]["uncovered"]["count"] == 0


def test_a_finding_names_its_chunk_and_place(diagnosed: Diagnosed) -> None:
    findings = diagnosed.strategy("PBC")["findings"]
    (copies,) = (f for f in findings if f["kind"] == "duplicates")
    start = GUIDE.index(FOOTER)
    assert copies == {
        "kind": "duplicates",
        "document": "guide.md",
        "start": start,
        "end": start + len(FOOTER) - 1,
        "line": 7,
        "chunk": 4,
        "value": 10,
        "other": "guide.md:13",
        "excerpt": FOOTER.strip(),
    }
    heading = next(f for f in findings if f["kind"] == "stranded_headings" and f["line"] == 3)
    assert heading["excerpt"] == "## Part 0"
    (table,) = (f for f in diagnosed.strategy("FC")["findings"] if f["kind"] == "cut_tables")
    assert (table["document"], table["line"], table["chunk"]) == ("towns.md", 3, 1)


def test_a_chunker_that_fails_is_named_and_fails_alone(diagnosed: Diagnosed) -> None:
    broken = diagnosed.strategy("mychunker:split")
    assert broken["state"] == "failed"
    assert "no such luck" in broken["reason"]
    assert broken["kinds"] == {}


def test_the_gate_says_which_strategy_fails_and_why(diagnosed: Diagnosed) -> None:
    assert diagnosed.done.returncode == 1
    said = diagnosed.done.stderr
    assert "PBC: duplicates is 30.3%, and the check fails if duplicates > 5%" in said
    assert "mychunker:split: duplicates is not known" in said
    assert "FC: duplicates" not in said
    assert "PBC: uncovered" not in said


def test_a_condition_that_cannot_be_read_costs_nothing(tmp_path: Path) -> None:
    done = _tui("diagnose", tmp_path, "--fail-if", "orphan > 5%", cwd=tmp_path)
    assert done.returncode == 2
    assert "orphans is meant?" in done.stderr


def test_the_report_has_the_table_and_the_remedies(diagnosed: Diagnosed) -> None:
    printed = _tui("report", "1", "--db", diagnosed.path, cwd=diagnosed.path.parent).stdout
    assert "2 documents, no questions" in printed
    assert "| PBC | 33 |" in printed
    assert "duplicates: another chunk has the same text. guide.md:7  chunk 4" in printed
    assert "remove what repeats" in printed
    assert "mychunker:split: failed" in printed
    assert "\x1b" not in printed


async def test_in_the_app_a_finding_opens_in_its_document(diagnosed: Diagnosed) -> None:
    app = ChunkbenchApp(diagnosed.path)
    async with app.run_test(size=(120, 45)) as pilot:
        await pilot.press("3")
        await until(pilot, lambda: "build questions (8)" in screen_text(app), "the board")
        board = screen_text(app)
        assert "cut %▲" in board
        assert "orphans %" in board
        assert "nDCG" not in board
        with open_store(diagnosed.path) as store:
            config = next(row.config for row in board_of(store, 1) if row.label == "PBC")
            worst = findings_of(store, config, 1)
        while app.selection.config != config:
            await pilot.press("j")
        await pilot.press("enter")
        await until(pilot, lambda: "Findings, those that matter" in screen_text(app), "the list")
        text = screen_text(app)
        assert "duplicates           10, 30.3%" in text
        assert "[/b] \\x1b[31m" in text or "## Part 0" in text
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, BoundariesScreen), "the document")
        opened = app.selection
        assert (opened.document, *opened.span) in {(f.document, f.start, f.end) for f in worst}
        await pilot.press("escape", "6")
        await until(pilot, lambda: "no questions: 8 builds some" in screen_text(app), "a hint")
