"""What if the setting were another: on the boundaries screen, and into the run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from chunkbench_engine.run.preview import Diagnosis
from chunkbench_store.additions import specs_waiting
from chunkbench_store.runs import asked
from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.screens.boundaries import BoundariesScreen
from chunkbench_tui.screens.live import LiveScreen
from chunkbench_tui.what_if import change_text

from .watching import screen_text, shows, until

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from conftest import Study
    from textual.pilot import Pilot

BEFORE = Diagnosis(57, 128.4, 120, 9, 180, 0.1, 0.05, 0.12, 2, 1, 0, 0, 32, 31)
AFTER = Diagnosis(41, 178.0, 171, 12, 250, 0.08, 0.04, 0.09, 2, 1, 0, 0, 32, 32)


def panel(app: ChunkbenchApp) -> BoundariesScreen:
    assert isinstance(app.screen, BoundariesScreen)
    return app.screen


async def opened(pilot: Pilot[None], app: ChunkbenchApp, study: Study) -> None:
    """The boundaries of OFC."""
    config = study.bench.configs["OFC", "wordllama-256"]
    app.selection = replace(app.selection, run=study.run, config=config)
    await pilot.press("5")
    await until(pilot, shows(app, "OFC · guide.md"), "the document")


async def test_a_key_chunks_the_document_anew_beside_what_it_changes(study: Study) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await opened(pilot, app, study)
        assert "S Add to run" not in screen_text(app)
        assert "chunk 1 of 123" in screen_text(app)
        await pilot.press("plus", "plus")
        await until(pilot, shows(app, "OFC(token_size=60) instead of OFC"), "the larger setting")
        await until(pilot, shows(app, "what if · guide.md"), "that it is no setting of the run")
        await until(pilot, shows(app, "S Add to run"), "how to add it")
        tried = panel(app).what_if.tried
        assert tried is not None
        count = len(tried.chunking.spans)
        assert f"chunks 123 → {count} · mean tokens 24 → " in screen_text(app)
        assert "evidence whole" in screen_text(app)
        assert f"chunk 1 of {count}" in screen_text(app)
        assert panel(app).first.overlay.chunking is tried.chunking
        await pilot.press("less_than_sign")
        await until(pilot, shows(app, "OFC(token_size=60, overlap=5)"), "less overlap")
        await pilot.press("less_than_sign", "less_than_sign", "less_than_sign")
        await until(pilot, shows(app, "✗ OFC: overlap="), "why there is not less than none")
        await pilot.press("full_stop")
        await until(pilot, shows(app, "what if · hostile [/].md"), "the other document")
        await until(pilot, shows(app, "token_size=60"), "the same setting for it")
        await pilot.press("r")
        await until(pilot, shows(app, "OFC · hostile"), "the run's setting")
        assert "WHAT IF" not in screen_text(app)
        await pilot.press("right_square_bracket")
        await until(pilot, shows(app, "FC · hostile"), "another strategy")


async def test_every_parameter_can_be_written(study: Study) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await opened(pilot, app, study)
        await pilot.press("p")
        await until(pilot, lambda: panel(app).what_if.has_fields, "the fields")
        await until(pilot, shows(app, "token_size 50"), "a field with its value")
        await pilot.press("9", "9")
        await until(pilot, shows(app, "OFC(token_size=99)"), "what was written")
        await pilot.press("x")
        await until(pilot, shows(app, "✗ OFC: token_size=99x must be a whole number"), "why not")
        await pilot.press("backspace", "tab", "3", "enter")
        await until(pilot, shows(app, "OFC(token_size=99, overlap=3)"), "both")
        assert not panel(app).what_if.has_fields
        await pilot.press("minus")
        await until(pilot, shows(app, "OFC(token_size=89, overlap=3)"), "a step from there")


async def test_a_setting_joins_the_run_and_is_watched(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[Path, int]] = []
    monkeypatch.setattr("chunkbench_tui.app.start_engine", lambda *call: started.append(call))
    study.bench.end(study.run)
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        await opened(pilot, app, study)
        await pilot.press("plus")
        await until(pilot, shows(app, "S adds it"), "the setting")
        await pilot.press("S")
        await until(pilot, lambda: isinstance(app.screen, LiveScreen), "the leaderboard")
        await until(pilot, shows(app, "adding OFC(token_size=55)…"), "that it is coming")
        store = study.bench.engine
        assert specs_waiting(store, study.run) == ["OFC(token_size=55)"]
        assert started == [(study.bench.path, study.run)], "the engine had left"
        await pilot.press("escape")
        await until(pilot, shows(app, "OFC · guide.md"), "the document again")
        await pilot.press("plus")
        await until(pilot, shows(app, "S adds it"), "the setting")
        await pilot.press("S")
        await until(pilot, shows(app, "is being added to run"), "that it is asked for")
        assert len(asked(store, study.run)) == 1


@settings(max_examples=60, deadline=None)
@given(st.integers(20, 200))
def test_what_changes_is_said_in_two_lines_that_fit(width: int) -> None:
    lines = change_text(BEFORE, AFTER, width).splitlines()
    assert 1 <= len(lines) <= 2
    assert all(cell_len(line) <= width for line in lines[:1]) or width < 30
    assert lines[0].startswith("chunks 57 → 41")


def test_what_does_not_change_is_said_once() -> None:
    text = change_text(BEFORE, AFTER, 100)
    assert "chunks 57 → 41 · mean tokens 128 → 178 · evidence whole 31/32 → 32/32" in text
    assert "cutting a sentence 12% → 9%" in text
    assert "tables cut 1/2" in text
    assert "code" not in text, "there is none in the document"
    assert "→" not in change_text(None, AFTER, 100)
