"""How the strategy, boundaries and questions screens look, narrow and wide."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from chunkbench_tui.app import ChunkbenchApp

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Study
    from textual.pilot import Pilot

KEYS = {"strategy": ("4",), "boundaries": ("5",), "questions": ("6", "j", "enter", "j")}


@pytest.fixture(autouse=True)
def _same_everywhere(fixed_clock: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    time.tzset()


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("mode", list(KEYS))
def test_screens(
    study: Study, snap_compare: Callable[..., bool], mode: str, size: tuple[int, int]
) -> None:
    async def settle(pilot: Pilot[None]) -> None:
        await pilot.pause(0.3)
        for key in KEYS[mode]:
            await pilot.press(key)
            await pilot.pause(0.4)
        await pilot.pause(0.3)

    app = ChunkbenchApp(study.bench.path)
    assert snap_compare(app, terminal_size=size, run_before=settle)


@pytest.mark.parametrize("variant", ["light", "no-colour", "linux"])
def test_boundaries_in_other_terminals(
    study: Study,
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
    variant: str,
) -> None:
    if variant == "linux":
        monkeypatch.setenv("TERM", "linux")
    if variant == "no-colour":
        monkeypatch.setenv("NO_COLOR", "1")
    app = ChunkbenchApp(study.bench.path)
    if variant == "light":
        app.theme = "textual-light"

    async def settle(pilot: Pilot[None]) -> None:
        await pilot.pause(0.3)
        await pilot.press("5")
        await pilot.pause(0.8)

    assert snap_compare(app, terminal_size=(80, 24), run_before=settle)
