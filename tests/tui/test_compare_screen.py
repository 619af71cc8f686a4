"""Comparing in the app: two runs are marked, and what the command says is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.run.run_file import read_run_file
from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.screens.compare import CompareScreen
from chunkbench_tui.screens.new_run import NewRunScreen

from .test_app import screen_text, shows, until

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from .conftest import Study


async def test_two_marked_runs_are_compared_the_older_as_the_base(study: Study) -> None:
    other = study.bench.new_run(["RC"])
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1")
        await until(pilot, shows(app, "Runs · 2"), "the runs")
        await pilot.press("c")
        assert not isinstance(app.screen, CompareScreen), "nothing is marked"
        await pilot.press("space", "j", "space")
        await until(pilot, shows(app, f"*{other}"), "the mark of one")
        assert f"*{study.run}" in screen_text(app)
        await pilot.press("c")
        await until(pilot, shows(app, "there is nothing to compare"), "what the command says")
        assert f"Run {other} compared with {study.run}" in screen_text(app)
        await pilot.press("x")
        await until(pilot, shows(app, f"Run {study.run} compared with {other}"), "swapped")
        await pilot.press("escape")
        assert not isinstance(app.screen, CompareScreen)
        await pilot.press("space")
        await until(pilot, lambda: f"*{study.run}" not in screen_text(app), "the mark taken away")


async def test_a_run_file_is_saved_from_the_form(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("2")
        await until(pilot, lambda: isinstance(app.screen, NewRunScreen), "the form")
        await pilot.press("ctrl+s")
        assert "Documents is empty" in screen_text(app)
        assert isinstance(app.screen, NewRunScreen)
        app.screen.offer(tmp_path / "docs")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: (tmp_path / "bench.toml").exists(), "the file")
        assert 'corpus = "docs"' in (tmp_path / "bench.toml").read_text()
        assert read_run_file(tmp_path / "bench.toml").corpus == str(tmp_path / "docs")
