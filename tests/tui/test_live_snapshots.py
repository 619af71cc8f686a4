"""How the screens look, in a narrow and in a wide terminal, dark, light and without colour."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.screens.live import LiveScreen

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Bench
    from textual.pilot import Pilot


async def settle(pilot: Pilot[None]) -> None:
    """Wait until the run is on the screen, and nothing moves."""
    for _ in range(200):
        await pilot.pause(0.02)
        if isinstance(pilot.app.screen, LiveScreen) and pilot.app.screen.board.keys:
            break
    await pilot.pause(0.3)


@pytest.fixture(autouse=True)
def _same_everywhere(fixed_clock: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    time.tzset()


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_live(bench: Bench, snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    bench.demo()
    assert snap_compare(ChunkbenchApp(bench.path), terminal_size=size, run_before=settle)


@pytest.mark.parametrize("variant", ["light", "no-colour", "linux"])
def test_live_in_other_terminals(
    bench: Bench,
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
    variant: str,
) -> None:
    bench.demo()
    if variant == "linux":
        monkeypatch.setenv("TERM", "linux")
    if variant == "no-colour":
        monkeypatch.setenv("NO_COLOR", "1")
    app = ChunkbenchApp(bench.path)
    if variant == "light":
        app.theme = "textual-light"
    assert snap_compare(app, terminal_size=(80, 24), run_before=settle)


def test_first_start(tmp_path: Path, snap_compare: Callable[..., bool]) -> None:
    async def wait(pilot: Pilot[None]) -> None:
        await pilot.pause(0.5)

    assert snap_compare(ChunkbenchApp(tmp_path / "new.db"), terminal_size=(80, 24), run_before=wait)
