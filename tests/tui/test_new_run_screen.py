"""The form of a new run as a person fills it in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Checkbox, Input, Select

from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.forecast_text import forecast_text
from chunkbench_tui.screens.folders import FoldersScreen
from chunkbench_tui.screens.new_run import NewRunScreen
from chunkbench_tui.screens.strategies import StrategiesScreen
from chunkbench_tui.strategy_offers import Offer

from .watching import screen_text, shows, until

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from chunkbench_engine.run.settings import Settings

FORECAST = {
    "documents": 2,
    "characters": 90_000,
    "questions": 12,
    "answerable": 10,
    "problems": [],
    "strategies": 3,
    "configurations": 3,
    "judge": "ollama",
    "judging": "at most 150 judgements by tiny, about 90,000 prompt tokens",
    "sampled": 9_000,
    "chunks": 800,
    "chunking_seconds": 60.0,
    "embedding_seconds": 60.0,
    "unknown": [["LBDC", "asks a language model"]],
}


async def test_what_is_chosen_in_the_form_is_what_is_planned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Settings] = []

    async def foretell(_: Path, settings: Settings) -> dict[str, object]:
        asked.append(settings)
        return FORECAST

    monkeypatch.setattr("chunkbench_tui.screens.new_run.forecast_run", foretell)
    app = ChunkbenchApp(tmp_path / "store.db", tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, NewRunScreen), "the form")
        assert "[x] dense" in screen_text(app)
        assert "[ ] lexical" in screen_text(app)
        app.screen.query_one("#retrieval-lexical", Checkbox).value = True
        app.screen.query_one("#judge", Select).value = "ollama"
        app.screen.query_one("#judges", Input).value = "qwen"
        app.screen.query_one("#k", Input).value = "3"
        await pilot.press("v")
        await until(pilot, shows(app, "2 documents, 90,000 characters"), "the forecast")
        app.screen.query_one("#k", Input).value = "0"
        await pilot.press("v")
        await until(pilot, shows(app, "Passages must be a number"), "what is wrong")
    (settings,) = asked
    assert settings.retrieval == ("dense", "lexical")
    assert (settings.judge, settings.judge_models, settings.k) == ("ollama", ("qwen",), 3)


def test_a_forecast_names_what_is_unknown_and_what_is_wrong() -> None:
    text = forecast_text(FORECAST)
    assert "About 800 chunks and 2 min" in text
    assert "for 2 of 3 strategies, from 9,000 characters tried on this machine" in text
    assert "Unknown for LBDC: asks a language model." in text
    assert "Judge ollama: at most 150 judgements by tiny" in text
    assert "30 or more answerable questions are advised." in text
    bad = forecast_text(FORECAST | {"problems": [f"q.jsonl, row {n}" for n in range(11)]})
    assert bad.startswith("11 question rows cannot be used:\nq.jsonl, row 0\n")
    assert "and 3 more" in bad


async def test_strategies_are_chosen_by_name_family_and_parameters(tmp_path: Path) -> None:
    offers = [
        Offer("AA", "One", "first", "size=1", "Does it.", ""),
        Offer("AB", "Two", "first", "", "Does it.", ""),
        Offer("BB", "Three", "second", "size=2, overlap=0", "Does it.", ""),
    ]
    app = ChunkbenchApp(tmp_path / "store.db")
    given: list[object] = []
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(StrategiesScreen(offers, ("mine:split", "AB(x=1)")), given.append)
        await until(pilot, shows(app, "2 chosen, with mine:split"), "the choice")
        await pilot.press("f")
        await until(pilot, shows(app, "3 chosen"), "the family")
        await pilot.press("G", "p")
        line = app.screen.query_one("#parameters", Input)
        assert line.value == "BB(size=2, overlap=0)"
        line.value = "BB(size=2..6:2)"
        await pilot.press("enter")
        await until(pilot, shows(app, "BB(size=2..6:2)"), "the sweep")
        await pilot.press("g", "space", "enter")
        await until(pilot, lambda: given, "the answer")
    assert given == [("AB(x=1)", "BB(size=2..6:2)", "mine:split")]


async def test_a_folder_is_chosen_by_walking_to_it(tmp_path: Path) -> None:
    for name in ("docs [b]/inner", "other"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "docs [b]" / "a.md").write_text("text")
    app = ChunkbenchApp(tmp_path / "store.db")
    given: list[Path | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(FoldersScreen(tmp_path / "other"), given.append)
        await until(pilot, shows(app, "other"), "the folder")
        await pilot.press("h")
        await until(pilot, shows(app, "docs [b]/"), "the one above")
        await pilot.press("k", "enter")  # from the one that was left
        await until(pilot, shows(app, "a.md"), "the inner one")
        await pilot.press("full_stop")
        await until(pilot, lambda: given, "the answer")
    assert given == [tmp_path / "docs [b]"]
