"""The keys that are the same on every screen."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from textual.widgets import Input

from chunkbench_engine.errors import BadInput
from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.copying import SURE_BYTES, Copied, clipboard_text, said_of
from chunkbench_tui.exporting import Export, write_exports
from chunkbench_tui.screen_exports import run_exports
from chunkbench_tui.screens.boundaries import BoundariesScreen
from chunkbench_tui.screens.live import LiveScreen
from chunkbench_tui.screens.questions import QuestionsScreen
from chunkbench_tui.widgets.find_bar import active_bar

from .watching import shows, until

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Study


async def test_slash_keeps_the_rows_that_hold_the_words_and_escape_shows_all_again(
    study: Study,
) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("3")
        await until(pilot, lambda: isinstance(app.screen, LiveScreen), "the live screen")
        await until(pilot, lambda: len(app.screen.board.keys) == 4, "the board")
        await pilot.press("slash", "b", "c")
        await until(pilot, shows(app, "2 of 4"), "what is left")
        labels = [study.bench.configs[name, "wordllama-256"] for name in ("SBC", "TBC")]
        assert sorted(app.screen.board.keys) == sorted(labels)
        await pilot.press("enter")
        first = app.screen.board.cursor_key
        await pilot.press("n")
        await pilot.pause()
        assert app.screen.board.cursor_key != first
        await pilot.press("n")
        await pilot.pause()
        assert app.screen.board.cursor_key == first
        study.bench.measured("FC", 0.9)
        await pilot.pause(0.4)
        assert len(app.screen.board.keys) == 2
        await pilot.press("escape")
        await until(pilot, lambda: len(app.screen.board.keys) == 4, "all rows")
        assert isinstance(app.screen, LiveScreen)
        assert active_bar(app.screen) is None
        await pilot.press("slash", "q", "3")
        assert app.screen.query_one(Input).value == "q3"


async def test_in_a_document_slash_finds_and_n_goes_on_until_the_search_ends(
    study: Study,
) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("5")
        await until(pilot, lambda: isinstance(app.screen, BoundariesScreen), "the screen")
        await until(pilot, lambda: app.screen.first.text, "the document")
        view = app.screen.first
        await pilot.press("slash")
        active_bar(app.screen).query_one(Input).value = "question 5"
        await until(pilot, shows(app, "1 of 11"), "the places")
        await pilot.press("enter", "N")
        await until(pilot, shows(app, "11 of 11"), "the last place")
        first, end = view.visible_span
        assert first <= view.text.rindex("question 5") < end
        assert view.current == 0
        await pilot.press("escape", "n")
        await pilot.pause()
        assert view.current > 0
        assert isinstance(app.screen, BoundariesScreen)


async def test_what_is_copied_goes_through_the_terminal_and_is_said(study: Study) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("5")
        await until(pilot, shows(app, "chunk 1 of"), "the chunks")
        await pilot.press("n", "y")
        await until(pilot, shows(app, "Copied chunk 2: 100 characters"), "the word")
        start = app.screen.first.overlay.chunking.spans.starts[1]
        assert app.clipboard == app.screen.first.text[start : start + 100]
        await pilot.press("6")
        await until(pilot, lambda: isinstance(app.screen, QuestionsScreen), "the questions")
        await until(pilot, lambda: app.screen.hit, "the hits")
        await pilot.press("y")
        await until(pilot, shows(app, "Copied the question"), "the word")
        assert app.clipboard == "Where does the answer stand?"
        await pilot.press("enter", "j", "y")
        await until(pilot, shows(app, "Copied hit 2"), "the word")
        assert app.clipboard == app.screen.hit.passage.text


def test_nothing_copied_can_end_a_terminals_paste() -> None:
    assert clipboard_text("a\tb\r\nc \x1b[201~rm\x07") == "a\tb\nc \\x1b[201~rm\\x07"
    assert "more than some terminals take" in said_of(Copied("it", ""), "x" * (SURE_BYTES + 1))


async def test_export_writes_what_the_screen_shows_and_says_where(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_downloads_path", lambda: tmp_path)
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await pilot.press("5")
        await until(pilot, shows(app, "chunk 1 of"), "the chunks")
        await pilot.press("e")
        await until(pilot, shows(app, "-chunks.jsonl into"), "the word")
        await pilot.press("6")
        await until(pilot, lambda: isinstance(app.screen, QuestionsScreen), "the questions")
        await until(pilot, lambda: app.screen.hit, "the hits")
        await pilot.press("e")
        await until(pilot, shows(app, "run-1-questions.csv and"), "the word")
    chunks = (tmp_path / "run-1-guide.md-OFC-chunks.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in chunks]
    assert (rows[1]["start"], rows[1]["end"], len(rows[1]["text"])) == (70, 170, 100)
    with (tmp_path / "run-1-questions.csv").open() as file:
        assert [row["hit"] for row in csv.DictReader(file)] == ["True", "True", "", "False"]
    question = json.loads((tmp_path / "run-1-question-q0.json").read_text())
    assert [hit["grade"] for hit in question["hits"]["OFC (wordllama-256)"]] == [0, 2, 0, 0, None]


def test_the_leaderboard_is_exported_as_the_command_line_reports_it(study: Study) -> None:
    table, text, page = run_exports(study.bench.path, study.run, page=True)
    assert (table.name, text.name) == ("run-1-leaderboard.csv", "run-1-leaderboard.md")
    assert page.name == "run-1-report.html"
    assert [row["state"] for row in csv.DictReader(io.StringIO(table.make()))] == [
        "finished", "finished", "waiting", "failed",
    ]  # fmt: skip
    with pytest.raises(BadInput, match="there is no run 9"):
        run_exports(study.bench.path, 9, page=False)[0].make()


def test_an_export_never_writes_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("mine")
    (written,) = write_exports([Export("a.csv", lambda: "new")], tmp_path)
    assert written.name == "a-2.csv"
    assert (tmp_path / "a.csv").read_text() == "mine"


async def test_a_panel_is_alone_on_the_screen_until_escape(study: Study) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: isinstance(app.screen, QuestionsScreen), "the questions")
        await until(pilot, lambda: app.screen.hit, "the hits")
        before = app.screen.questions.size.height
        await pilot.press("z")
        await until(pilot, lambda: app.screen.questions.size.height > before + 10, "more room")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen.questions.size.height == before, "the panels")
        assert isinstance(app.screen, QuestionsScreen)


async def test_panels_of_text_are_scrolled_by_the_same_keys_as_tables(study: Study) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 12)) as pilot:
        await pilot.press("4")
        await until(pilot, shows(app, "OFC · 1 of 4"), "the strategy")
        panel = app.screen.query_one("#detail")
        panel.focus()
        await pilot.press("j", "j")
        await until(pilot, lambda: panel.scroll_y == 2, "two lines on")
        await pilot.press("k")
        await until(pilot, lambda: panel.scroll_y == 1, "one line back")
        await pilot.press("G")
        await until(pilot, lambda: panel.scroll_y == panel.max_scroll_y, "the end")
