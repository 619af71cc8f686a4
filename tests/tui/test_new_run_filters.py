"""The form of a new run has the filters of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Input

from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.screens.new_run import NewRunScreen

if TYPE_CHECKING:
    from pathlib import Path


async def test_patterns_are_separated_by_semicolons(tmp_path: Path) -> None:
    app = ChunkbenchApp(tmp_path / "store.db", corpus=tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, NewRunScreen)
        screen.query_one("#include", Input).value = "*.pdf; guide/ ;"
        screen.query_one("#exclude", Input).value = "drafts/"
        _, settings = screen._settings()
    assert settings is not None
    assert (settings.include, settings.exclude) == (("*.pdf", "guide/"), ("drafts/",))
