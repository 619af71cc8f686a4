"""How the list of runs, a new run, the help, the gold builder and a what-if look at 80 by 24."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from textual.widgets import Input

from chunkbench_tui.app import ChunkbenchApp

from .watching import screen_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Study
    from textual.pilot import Pilot

SCREENS = {
    "runs": (("1",), "progress"),
    "new": (("2",), "to rank"),
    "help": (("3", "question_mark", "n"), "live.sort"),
    "what-if": (("5", "plus"), "instead of"),
}
"""Keys, and a text that is on the screen once it is complete."""


@pytest.fixture(autouse=True)
def _same_everywhere(fixed_clock: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("chunkbench_tui.screens.help.settings_path", lambda: Path("settings.toml"))
    time.tzset()


async def settle(pilot: Pilot[None], text: str) -> None:
    for _ in range(100):
        await pilot.pause(0.05)
        if text in screen_text(pilot.app):  # type: ignore[arg-type]
            break
    else:
        # Not `pytest.fail`: the app's task would never end.
        raise AssertionError(f"{text!r} did not come about\n{screen_text(pilot.app)}")
    for field in pilot.app.screen.query(Input):
        field.cursor_blink = False  # else the picture depends on the moment
    await pilot.pause(0.5)


@pytest.mark.parametrize("name", list(SCREENS))
def test_a_screen(study: Study, snap_compare: Callable[..., bool], name: str) -> None:
    async def walk(pilot: Pilot[None]) -> None:
        await pilot.pause(0.3)
        for key in SCREENS[name][0]:
            await pilot.press(key)
            await pilot.pause(0.3)
        await settle(pilot, SCREENS[name][1])

    app = ChunkbenchApp(study.bench.path)
    assert snap_compare(app, terminal_size=(80, 24), run_before=walk)


def test_the_gold_builder(study: Study, snap_compare: Callable[..., bool], tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "guide.md").write_text("# Guide\n\nA river flows to the sea.\n\nThe [/end].\n")
    (folder / "questions.jsonl").write_text(
        '{"question": "Where does a river flow?", "evidence":'
        ' [{"document": "guide.md", "text": "A river flows to the sea."}]}\n'
    )

    async def walk(pilot: Pilot[None]) -> None:
        await pilot.press("8")
        await settle(pilot, "1 of the 30 advised")
        await pilot.press("g", "right_curly_bracket", "right_curly_bracket", "s")
        await settle(pilot, "occurs once")

    app = ChunkbenchApp(study.bench.path)
    app.gold_corpus = str(folder)
    assert snap_compare(app, terminal_size=(80, 24), run_before=walk)
