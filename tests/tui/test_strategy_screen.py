"""The strategy screen, and the text of its panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_store.strategies import Histogram, histogram_of
from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.screens.boundaries import BoundariesScreen
from chunkbench_tui.screens.live import LiveScreen
from chunkbench_tui.screens.questions import QuestionsScreen
from chunkbench_tui.strategy_panels import columns

from .watching import screen_text, shows, until

if TYPE_CHECKING:
    from conftest import Study


async def test_it_shows_the_best_strategy_first_with_all_that_is_known(study: Study) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(120, 50)) as pilot:
        await pilot.press("4")
        await until(pilot, shows(app, "OFC · 1 of 4 · run 1 study · 2 of 2 documents"), "it")
        text = screen_text(app)
        for said in (
            "nDCG@5              0.600  0.54–0.65",
            "tables cut           2 of 4, 50%",
            "code blocks cut      0 of 0",
            "headings at the end  6",
            "chunking itself",
            "peak memory",
            "Chunk sizes",
            "Memory OFC, 0–2 MB over",
            "Worst questions, by nDCG@5",
            "0.000 q3",
        ):
            assert said in text, said
        study.bench.measured("OFC", 0.777)
        await until(pilot, shows(app, "0.777"), "what came in meanwhile")


async def test_brackets_go_through_the_strategies_whether_or_not_they_have_results(
    study: Study,
) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(120, 50)) as pilot:
        await pilot.press("4")
        await until(pilot, shows(app, "OFC · 1 of 4"), "the best")
        await pilot.press("right_square_bracket", "right_square_bracket")
        await until(pilot, shows(app, "SBC · 3 of 4"), "one that waits")
        text = screen_text(app)
        assert "none yet: no hit of it is judged" in text
        assert "no document chunked yet" in text
        assert "no chunks yet" in text
        assert "No question scored yet" in text
        await pilot.press("right_square_bracket")
        await until(pilot, shows(app, "failed: guide.md took longer than 600 s"), "the last")
        await pilot.press("right_square_bracket", "left_square_bracket")
        await until(pilot, shows(app, "TBC · 4 of 4"), "round and back")


async def test_the_way_from_the_board_to_a_question_and_the_boundaries_and_back(
    study: Study,
) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("3")
        await until(pilot, shows(app, "OFC"), "the board")
        await pilot.press("j", "enter")
        await until(pilot, shows(app, "FC · 2 of 4"), "the strategy")
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(app.screen, QuestionsScreen), "the questions")
        await until(pilot, lambda: app.selection.question == study.questions["q1"], "that one")
        await pilot.press("escape", "v")
        await until(pilot, lambda: isinstance(app.screen, BoundariesScreen), "the boundaries")
        await until(pilot, shows(app, "FC · guide.md"), "the same strategy")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: isinstance(app.screen, LiveScreen), "the board")
        await pilot.press("v")
        await until(pilot, lambda: isinstance(app.screen, BoundariesScreen), "the boundaries")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LiveScreen), "the board again")


def test_sizes_fall_into_even_buckets(study: Study) -> None:
    found = histogram_of(study.bench.engine, study.bench.chunk_sets["FC"])
    assert found is not None
    assert found.width == 2
    tokens = [
        row[0]
        for row in study.bench.engine.rows(
            "SELECT tokens FROM chunk WHERE chunk_set = ?", (study.bench.chunk_sets["FC"],)
        )
    ]
    assert sum(found.counts) == len(tokens)
    assert found.counts[10] == sum(20 <= count < 22 for count in tokens)
    assert histogram_of(study.bench.engine, study.bench.chunk_sets["SBC"]) is None


def test_a_column_with_one_chunk_beside_thousands_is_not_blank() -> None:
    lines = columns(Histogram(10, (1, 0, 4000)), 40)
    assert lines[0].split()[0] == "4,000"
    assert lines[-2][7:8] == "▁"
    assert lines[-2][11:14] == "   "
    assert lines[-1].endswith("30 tokens")
