"""The boundaries screen as a person uses it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.screens.boundaries import BoundariesScreen
from chunkbench_tui.screens.strategy import StrategyScreen

from .watching import screen_text, shows, until

if TYPE_CHECKING:
    import pytest
    from conftest import Bench, Study
    from textual.pilot import Pilot


def screen(app: ChunkbenchApp) -> BoundariesScreen:
    assert isinstance(app.screen, BoundariesScreen)
    return app.screen


async def opened(pilot: Pilot[None], app: ChunkbenchApp, label: str, study: Study) -> None:
    """The boundaries of a strategy, indexed whole."""
    config = study.bench.configs[label, "wordllama-256"]
    # A run under way is opened by itself, and with it the best strategy, once it is read.
    await until(
        pilot,
        lambda: app.selection.config is not None or "finished" in screen_text(app),
        "the run under way, or the list",
    )
    app.selection = replace(app.selection, run=study.run, config=config)
    await pilot.press("5")
    await until(pilot, shows(app, f"{label} · guide.md"), "the document")
    await until(pilot, lambda: screen(app).first.indexed, "the index")


async def test_without_a_run_each_screen_says_what_to_do(bench: Bench) -> None:
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        for key in "456":
            await pilot.press(key)
            await until(pilot, shows(app, "Press 2 to choose a folder"), "the sentence")


async def test_chunks_are_numbered_marked_and_gone_through(study: Study) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "OFC", study)
        lines = screen_text(app).splitlines()
        assert "(1 of 2)" in lines[0]
        assert lines[1].startswith("   1┏  ## Part 0")
        assert "   3╓" in screen_text(app)
        assert next(line for line in lines if "Sentence 1 says" in line)[5] == "E"
        await pilot.press("n", "n", "N", "n")
        await until(pilot, shows(app, "chunk 3 of "), "the third chunk")
        assert "140–240 · 22 tokens · evidence for q0" in screen_text(app)
        await pilot.press(*["n"] * 12)
        await until(pilot, shows(app, "chunk 15 of "), "a chunk below the screen")
        first, end = screen(app).first.visible_span
        assert 0 < first <= 14 * 70 < end
        await pilot.press("g", "o")
        await until(pilot, shows(app, "overlap hidden"), "chunks without overlap")
        assert not any("║" in line[:6] or "╓" in line[:6] for line in screen_text(app).splitlines())
        await pilot.press("o", "u")
        await until(pilot, shows(app, "evidence: hidden"), "the word that it is hidden")
        await pilot.press("u", "U", "U", "U")
        await until(pilot, shows(app, "evidence for q1"), "the third passage")


async def test_the_place_stays_while_strategies_and_sizes_change(study: Study) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await opened(pilot, app, "FC", study)
        await pilot.press("colon", *"#999", "enter")
        await until(pilot, shows(app, "there is no chunk #999"), "the sentence")
        await pilot.press("escape")
        await pilot.press("colon", *"5000", "enter")
        await until(pilot, shows(app, "chunk 51 of"), "the chunk there")
        await pilot.press("left_square_bracket")
        await until(pilot, shows(app, "OFC · guide.md"), "the other strategy")
        await until(pilot, shows(app, "chunk 72 of"), "its chunk there")
        for size in [(40, 10), (200, 50), (20, 5), (80, 24)]:
            await pilot.resize_terminal(*size)
            await pilot.pause(0.05)
        await until(pilot, lambda: screen(app).first.indexed, "the index")
        first, end = screen(app).first.visible_span
        assert first <= 5000 < end
        await pilot.press("G", "n")
        await pilot.pause(0.1)
        view = screen(app).first
        assert view.visible_span[0] <= view.current * 70 < view.visible_span[1]


async def test_two_strategies_side_by_side_scroll_together(study: Study) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(120, 30)) as pilot:
        await opened(pilot, app, "OFC", study)
        await pilot.press("a")
        await until(pilot, shows(app, "B FC · "), "the second strategy")
        await until(pilot, lambda: screen(app).second.indexed, "its index")
        await pilot.press("ctrl+d", "ctrl+d")
        await pilot.pause(0.2)
        assert screen(app).second.top == screen(app).first.top > 0
        await pilot.press("tab", "g")
        await pilot.pause(0.2)
        assert screen(app).first.top == 0
        await pilot.press("w", "l")
        await pilot.pause(0.2)
        assert screen(app).first.scroll_offset.x == screen(app).second.scroll_offset.x > 0
        await pilot.press("right_square_bracket")
        await until(pilot, shows(app, "B SBC · not chunked yet"), "a strategy without chunks")
        await pilot.press("a")
        await until(pilot, lambda: "B SBC" not in screen_text(app), "one alone")


async def test_a_strategy_without_chunks_says_why_until_they_come(study: Study) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(120, 30)) as pilot:
        await opened(pilot, app, "SBC", study)
        await until(pilot, shows(app, "SBC waits for its turn"), "the reason")
        assert "## Part 0" in screen_text(app)
        study.bench.chunked("SBC", 12, 0.2, 1)
        await until(pilot, shows(app, "SBC · guide.md (1 of 2) · 12 chunks"), "the chunks")
        await pilot.press("right_square_bracket")
        await until(pilot, shows(app, "failed: guide.md took longer than 600 s"), "the reason")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, StrategyScreen), "the strategy")
        await until(pilot, shows(app, "TBC · 4 of 4"), "the same one")


async def test_hostile_text_is_shown_as_it_is_written(study: Study) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "FC", study)
        await pilot.press("d")
        await until(pilot, shows(app, "characters"), "the list of documents")
        await until(pilot, shows(app, "The file's text, as it is."), "how it was read")
        await pilot.press("j", "enter")
        await until(pilot, shows(app, "FC · hostile [/].md (2 of 2)"), "the other document")
        await until(pilot, shows(app, "not markup"), "its text")
        text = screen_text(app)
        for line in (
            "[/] [bold]not markup[/bold] {curly}",
            "\\x1b[31mred\\x1b[0m \\x1b]0;title\\x07 bell \\x00 nul \\x9b2J",
            "tab one     two",
            "漢字仮名交じり文 한국어 ｆｕｌｌ",
            "👨‍👩‍👧 ❤️ 👍🏽 🇩🇪 e\u0301 \u0301alone",
            "שלום עולם مرحبا \\u202eoverride\\u202c",
            "line\\u2028separator \\ufeffmark ab",
        ):
            assert line in text, line
        assert not set(text) & set("\x00\x07\x1b\x9b\u202e\u2028\ufeff\r")
        await pilot.press("w", "l", "l", "h", "n", "n")
        await until(pilot, shows(app, "chunk 2 of 2"), "its last chunk")
        await pilot.press("comma")
        await until(pilot, shows(app, "FC · guide.md"), "the document before")


async def test_a_still_screen_sends_nothing(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    study.bench.end(study.run)
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(120, 30)) as pilot:
        await opened(pilot, app, "FC", study)
        await pilot.pause(0.3)
        sent: list[object] = []

        def noted(_: object, update: object) -> None:
            if update is not None:
                sent.append(update)

        monkeypatch.setattr(app, "_display", noted)
        await pilot.pause(0.6)
        assert sent == []
