"""Waiting for what comes by way of the store, and reading what is on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App
    from textual.pilot import Pilot

_LOOKS = 600


async def until(pilot: Pilot[None], true: Callable[[], object], what: str) -> None:
    """Wait until something is true; fail with the screen where it does not come about."""
    for _ in range(_LOOKS):
        await pilot.pause(0.05)
        if true():
            return
    pytest.fail(f"{what} did not come about\n{screen_text(pilot.app)}")


def screen_text(app: App[None]) -> str:
    """What is on the screen, as text."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in line) for line in lines)


def shows(app: App[None], text: str) -> Callable[[], bool]:
    """Whether a text is on the screen, to wait for."""
    return lambda: text in screen_text(app)
