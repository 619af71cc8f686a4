"""The plots screen as a person uses it, over an analysis made by the engine's own functions."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chunkbench_engine.run.analysis_stage import analysis_of_board
from chunkbench_store.analysis import put_analysis
from chunkbench_store.corpora import EvidenceRow, QuestionRow
from chunkbench_store.live import board_of
from chunkbench_store.results import MeasureRow, put_measures
from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.plots.choice import PLOTS
from chunkbench_tui.screens.live import LiveScreen
from chunkbench_tui.screens.plots import PlotsScreen
from chunkbench_tui.screens.strategy import StrategyScreen
from chunkbench_tui.widgets.scatter_plot import ScatterPlot

from .watching import screen_text, shows, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Bench
    from textual.pilot import Pilot

LABELS = (
    "FC", "OFC", "RC(chunk_size=400)", "SBC", "PGC", "[/b]\x1b[31m漢字", "HRC",
)  # fmt: skip
MODELS = ("wordllama-256", "wordllama-64")


def measured_run(bench: Bench, models: tuple[str, ...] = MODELS) -> int:
    """A run whose strategies are all measured, and not analysed yet."""
    run = bench.new_run(LABELS, models)
    bench.begin(run)
    for place, label in enumerate(LABELS):
        bench.chunked(label, 20 + 10 * place, 0.2 + 0.3 * (place * 3 % 7), 8)
        for number, model in enumerate(models):
            ndcg = 0.3 + (place * 37 % 11) / 30 - number / 20
            bench.measured(label, ndcg, 0.5 + place / 20, 0.001 + place / 2000, model)
            config = bench.configs[label, model]
            more = [
                MeasureRow("Tokens@5", 300.0 + 700 * (place * 3 % 7)),
                MeasureRow("nDCG-sd@5", 0.2 + place / 50),
                MeasureRow("nDCG-worst@5", 0.1),
                MeasureRow("ZeroHit@5", 0.5 - place / 20),
            ]
            with bench.engine.write():
                put_measures(bench.engine, config, more, provisional=False)
    return run


def analyse(bench: Bench, run: int, folders: tuple[str, ...] = ("law", "law", "art")) -> None:
    board = board_of(bench.engine, run)
    questions = [
        QuestionRow(n, f"q{n}", "?", "direct", "", (), (EvidenceRow(0, 0, f"{of}/a.md", 0, 1),))
        for n, of in enumerate(folders)
    ]
    scores = np.random.default_rng(1).random((len(board), len(questions)))
    with bench.engine.write():
        put_analysis(bench.engine, run, analysis_of_board(board, questions, scores, 5))


@pytest.fixture
def plotted(bench: Bench) -> Bench:
    """A finished run with its analysis."""
    run = measured_run(bench)
    analyse(bench, run)
    bench.end(run)
    return bench


async def test_a_walk_over_the_points_to_a_strategy_and_back(plotted: Bench) -> None:
    app = ChunkbenchApp(plotted.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("7")
        await until(pilot, shows(app, "[Pareto]"), "the plot")
        await pilot.press("x")
        await until(pilot, shows(app, "query time, median, ms"), "another cost")
        await pilot.press("m", "M")
        await until(pilot, shows(app, "Hit@5 (more is better)"), "another measure")
        await until(pilot, shows(app, "notes · wordllama-64"), "the other model")
        assert "● on the frontier" in screen_text(app)
        for key in ("down", "down", "right", "k", "j"):
            await pilot.press(key)
        scatter = app.screen.query_one(ScatterPlot)
        point = scatter.selected
        assert point is not None
        await until(pilot, shows(app, f"Hit@5 {point.y:.3f}"), "its values")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, StrategyScreen), "the strategy")
        assert app.selection.config == point.config
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, PlotsScreen), "the plots")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LiveScreen), "the board")


async def test_every_point_is_reached_by_arrows_and_by_the_mouse(plotted: Bench) -> None:
    app = ChunkbenchApp(plotted.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("7")
        await until(pilot, shows(app, "[Pareto]"), "the plot")
        await pilot.press("x")
        await until(pilot, shows(app, "query time, median, ms"), "another cost")
        scatter = app.screen.query_one(ScatterPlot)
        for _ in LABELS:
            await pilot.press("left")
        seen = {scatter.selected}
        for _ in LABELS:
            await pilot.press("right")
            seen.add(scatter.selected)
        assert len(seen) == len(LABELS)
        for config, (x, y) in list(scatter._picture.places.items())[:3]:
            if scatter.selected and config == scatter.selected.config:
                continue
            await pilot.click(ScatterPlot, offset=(x + 1, y))
            assert scatter.selected
            assert scatter.selected.config == config
        await pilot.click(ScatterPlot, offset=(x + 1, y))
        await until(pilot, lambda: isinstance(app.screen, StrategyScreen), "the strategy")


async def test_every_plot_is_shown_and_is_a_table_too(plotted: Bench) -> None:
    app = ChunkbenchApp(plotted.path)
    said = {
        "Pareto": ("nDCG@5 (more is better)", "frontier"),
        "Models": ("wordllama-64", "strategy"),
        "Folders": ("law", "questions"),
        "Distribution": ("0.0  0.1", "worst"),
        "Correlation": ("1 nDCG@5", "configurations"),
    }
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("7")
        for plot in PLOTS:
            await until(pilot, shows(app, f"[{plot}]"), plot)
            assert said[plot][0] in screen_text(app)
            await pilot.press("T")
            await until(pilot, lambda: app.screen.query_one("#table").display, "the table")
            assert said[plot][1] in screen_text(app)
            assert "\x1b" not in screen_text(app)
            await pilot.press("T", "l")
        await until(pilot, shows(app, "[Pareto]"), "the first again")
        await pilot.press("h")
        await until(pilot, shows(app, "[Correlation]"), "the last")
        await pilot.press("right", "down", "down")
        await until(pilot, shows(app, "r = "), "the correlation in words")


async def test_the_plot_is_exported(
    plotted: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_downloads_path", lambda: tmp_path)
    monkeypatch.setattr("chunkbench_tui.plots.export.can_write_png", lambda: False)
    app = ChunkbenchApp(plotted.path)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("7")
        await until(pilot, shows(app, "[Pareto]"), "the plot")
        await pilot.press("e")
        file = tmp_path / "run-1-pareto.svg"
        await until(pilot, lambda: file.exists() and file.read_text(), "the file")
        assert "</svg>" in file.read_text()
        await until(pilot, lambda: list(app._notifications), "where it is")
        (said,) = app._notifications
        assert said.message == f"Wrote run-1-pareto.svg into {tmp_path}"
        await pilot.press("y")
        assert "the frontier" in app.clipboard


async def test_without_anything_to_plot_it_says_what_is_missing(bench: Bench) -> None:
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("7")
        await until(pilot, shows(app, "No run to show yet"), "the way to a run")
        run = bench.new_run(["FC", "RC"])
        bench.begin(run)
        await until(pilot, shows(app, "Nothing is measured yet"), "what it waits for")
        bench.chunked("FC", 10, 1.0, 8)
        bench.measured("FC", 0.4, provisional=True)
        await until(pilot, shows(app, "the frontier comes when"), "a first point")
        await pilot.press("h")
        await until(pilot, shows(app, "It is computed when the last strategy"), "when it comes")


async def test_a_run_of_an_older_version_is_analysed_with_one_key(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []
    monkeypatch.setattr(
        "chunkbench_tui.screens.plots.start_engine", lambda _, run: started.append(run)
    )
    run = measured_run(bench)
    bench.end(run)
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("7")
        await until(pilot, shows(app, "press r to compute it"), "how to have the frontier")
        await pilot.press("h")
        await until(pilot, shows(app, "a version that kept no analysis"), "why there is none")
        await pilot.press("r")
        await until(pilot, lambda: started == [run], "the engine")
        analyse(bench, run, ("law", "law", "law"))
        await until(pilot, shows(app, "1 nDCG@5"), "the matrix")
        await pilot.press("h", "h")
        await until(pilot, shows(app, "lies in one folder"), "why there are no folders")
        await pilot.press("r")
        await pilot.pause()
        assert started == [run]


@pytest.mark.parametrize("variant", ["narrow", "wide", "linux"])
def test_how_it_looks(
    plotted: Bench,
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
    fixed_clock: None,
    variant: str,
) -> None:
    monkeypatch.setenv("TERM", "linux" if variant == "linux" else "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    time.tzset()
    keys = {"narrow": "x", "wide": "h"}.get(variant, "ll")

    app = ChunkbenchApp(plotted.path)

    async def settle(pilot: Pilot[None]) -> None:
        await pilot.press("7")
        await until(pilot, shows(app, "[Pareto]"), "the first plot")
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.4)

    size = (120, 40) if variant == "wide" else (80, 24)
    assert snap_compare(app, terminal_size=size, run_before=settle)
