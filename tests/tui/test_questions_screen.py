"""The questions screen as a person uses it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chunkbench_store.judgements import pairs_of
from chunkbench_store.questions import question_detail, question_list
from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.screens.boundaries import BoundariesScreen
from chunkbench_tui.screens.questions import QuestionsScreen

from .watching import screen_text, shows, until

if TYPE_CHECKING:
    from conftest import Study
    from textual.pilot import Pilot


async def opened(pilot: Pilot[None], app: ChunkbenchApp) -> None:
    await pilot.press("6")
    await until(pilot, shows(app, "OFC · 1 of 4"), "the questions")


async def test_questions_evidence_hits_and_reasons_are_shown_as_they_are_written(
    study: Study,
) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app)
        lines = screen_text(app).splitlines()
        assert [line[1:5].strip() for line in lines[2:6]] == ["yes", "yes", "none", "NO"]
        text = screen_text(app)
        assert "Where does the answer stand?" in text
        assert "E evidence" in text
        assert "guide.md: Sentence 1 says where the answer" in text
        assert "2 2 full      0.700 140–240 guide.md" in text
        assert "5 not judged" in text
        assert "Hit 1, 0 none: no evidence in it" in text
        await pilot.press("j")
        await until(pilot, shows(app, "Which two [/b] \\x1b[1m parts?"), "a hostile question")
        await until(pilot, shows(app, "E part 1"), "its parts")
        await pilot.press("enter", "j")
        await until(pilot, shows(app, "Hit 2, 2 full: holds [/it] \\x1b[0m"), "the reason")
        assert "\x1b" not in screen_text(app)
        await pilot.press("escape", "j")
        await until(pilot, shows(app, "no evidence: the documents do not answer"), "the words")
        await pilot.press("F")
        await until(pilot, shows(app, "1 failure"), "the failure")
        await until(pilot, shows(app, "What is said at the end?"), "its text")
        await pilot.press("F")
        await until(pilot, shows(app, "4 questions"), "all of them")


async def test_without_hits_it_says_what_they_wait_for(study: Study) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app)
        await pilot.press("left_square_bracket")
        await until(pilot, shows(app, "TBC is failed: guide.md took longer"), "the reason")
        await pilot.press("left_square_bracket")
        await until(pilot, shows(app, "SBC is waiting: its hits come when"), "what it waits for")
        await pilot.press("F")
        await until(pilot, shows(app, "this strategy is not scored"), "why there are none")
        with study.bench.engine.write():
            study.bench.engine.execute("DELETE FROM run WHERE id = ?", (study.run,))
        await until(pilot, shows(app, "This run was deleted"), "that it is gone")


async def test_enter_on_a_hit_opens_it_in_its_document_and_escape_comes_back(
    study: Study,
) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app)
        await pilot.press("enter", "j", "j", "enter")
        await until(pilot, lambda: isinstance(app.screen, BoundariesScreen), "the document")
        assert app.selection.span == (210, 310)
        await until(pilot, shows(app, "chunk 4 of "), "its chunk")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, QuestionsScreen), "the questions")
        await until(pilot, shows(app, "Hit 3"), "the same hit")
        await app.open("boundaries", replace(app.selection, span=(7_000, 7_100)))
        await until(pilot, shows(app, "chunk 101 of "), "a passage far below")
        assert isinstance(app.screen, BoundariesScreen)
        first, end = app.screen.first.visible_span
        assert first < 7_000 < end


def test_failures_are_the_scored_questions_without_a_hit(study: Study) -> None:
    store, config = study.bench.engine, study.bench.configs["FC", "wordllama-256"]
    assert [e.key for e in question_list(store, study.run, config, "5").entries] == [
        "q0", "q1", "q2", "q3",
    ]  # fmt: skip
    failures = question_list(store, study.run, config, "5", failures=True)
    assert ([e.key for e in failures.entries], failures.total) == (["q3"], 1)


def test_a_question_of_another_run_is_not_found(study: Study) -> None:
    config = study.bench.configs["FC", "wordllama-256"]
    assert question_detail(study.bench.engine, study.run, config, 999) is None


async def test_a_wide_screen_has_the_hits_of_several_strategies_side_by_side(
    study: Study,
) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(180, 40)) as pilot:
        await opened(pilot, app)
        await until(pilot, shows(app, "A OFC · 0.600"), "the first")
        text = screen_text(app)
        assert "B FC · 0.400" in text
        assert "C SBC" in text
        assert isinstance(app.screen, QuestionsScreen)
        app.screen.columns[1].focus()
        await pilot.press("j", "right_square_bracket")
        await until(pilot, shows(app, "B TBC"), "another second")
        assert "A OFC" in screen_text(app)
        app.screen.columns[0].focus()
        await pilot.press("a")
        await until(pilot, shows(app, "A TBC"), "the two in each other's place")
        assert "B OFC" in screen_text(app)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: len(app.screen.columns) == 1, "one column")
        await until(pilot, shows(app, "TBC is failed"), "the first alone")


async def test_only_questions_on_which_two_strategies_differ(study: Study) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app)
        await pilot.press("D")
        await until(pilot, shows(app, "2 questions where A and B differ"), "those two")
        assert "A OFC · B FC" in screen_text(app)
        lines = screen_text(app).splitlines()
        assert [line.split()[1:3] for line in lines[2:4]] == [
            ["0.600", "0.400"],
            ["0.300", "0.200"],
        ]
        await pilot.press("a")
        await until(pilot, shows(app, "A FC · B OFC"), "each in the other's place")
        await pilot.press("D")
        await until(pilot, shows(app, "4 questions"), "all of them")


async def test_a_grade_of_ones_own_is_kept_and_can_be_taken_back(study: Study) -> None:
    app = ChunkbenchApp(study.bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app)
        await pilot.press("enter", "j", "K")
        await until(pilot, shows(app, "0 not relevant"), "the scale")
        await pilot.press("1")
        await until(pilot, shows(app, "you: 1 partial"), "the grade")
        (pair,) = pairs_of(study.bench.engine, study.run)
        assert (pair.first, pair.second) == ("evidence", "you")
        assert pair.counts[2][1] == 1
        await pilot.press("K")
        await until(pilot, shows(app, "0 not relevant"), "the scale")
        await pilot.press("2")
        await until(pilot, shows(app, "you: 2 full"), "another grade")
        await pilot.press("K")
        await until(pilot, shows(app, "0 not relevant"), "the scale")
        await pilot.press("escape")
        await pilot.pause(0.2)
        assert app.screen.hit.yours == 2
