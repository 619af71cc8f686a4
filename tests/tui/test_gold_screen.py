"""The gold builder as a person uses it: the file it writes is the file that a run accepts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from chunkbench_engine.documents.corpus import load_corpus
from chunkbench_engine.questions.check import check_files
from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.screens.gold import GoldScreen

from .watching import screen_text, shows, until

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Bench
    from textual.pilot import Pilot

    from ..ollama_server import OllamaServer

GUIDE = """# Guide

The first part is about rivers. A river flows to the sea. The end.

核の中に遺伝子がある。細胞は膜を持つ。

Escape \x1b[31mred\x07 and [/markup] stay text. The end.
"""
OTHER = "Lakes are still.\n\nThe deepest lake is Baikal, in Siberia.\n"


def gold(app: ChunkbenchApp) -> GoldScreen:
    assert isinstance(app.screen, GoldScreen)
    return app.screen


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "guide.md").write_text(GUIDE, encoding="utf-8")
    (folder / "other.md").write_text(OTHER, encoding="utf-8")
    return folder


def rows_of(corpus: Path) -> list[dict[str, Any]]:
    text = (corpus / "questions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


async def opened(pilot: Pilot[None], app: ChunkbenchApp) -> None:
    await pilot.press("8")
    await until(pilot, shows(app, "Gold · docs"), "the gold builder")
    await until(pilot, lambda: gold(app).passage.text, "the document")


async def asked(pilot: Pilot[None], app: ChunkbenchApp, question: str) -> None:
    """Type a question for what is selected, and save it."""
    await pilot.press("enter")
    await until(pilot, shows(app, "enter saves"), "the form")
    await pilot.press(*("space" if letter == " " else letter for letter in question), "ctrl+s")
    await until(pilot, lambda: isinstance(app.screen, GoldScreen), "the end of the form")
    await until(pilot, shows(app, question), "the question in the list")


async def test_a_selected_passage_and_its_question_are_in_the_file_that_a_run_accepts(
    bench: Bench, corpus: Path
) -> None:
    foreign = '{"source": "ours",  "input": "Old?", "answers": ["yes"]}'
    (corpus / "questions.jsonl").write_text(foreign + "\n")
    app = ChunkbenchApp(bench.path, corpus)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, shows(app, "New run"), "the form of a new run")
        await pilot.press("ctrl+g")
        await until(pilot, shows(app, "1 of the 30 advised · 1 without evidence"), "the progress")
        selector = gold(app).passage
        # a sentence, by its key, extended by one more
        await pilot.press("right_curly_bracket", "right_curly_bracket", "s")
        assert selector.text[slice(*selector.span)] == "核の中に遺伝子がある。"
        await pilot.press("s")
        assert selector.text[slice(*selector.span)] == "核の中に遺伝子がある。細胞は膜を持つ。"
        await until(pilot, shows(app, "occurs once"), "the word that it can be evidence")
        await asked(pilot, app, "Cell?")
        # lines and words, by motions
        assert selector.view.lines_away(selector.caret, 2, 0) == GUIDE.index("Escape")
        await pilot.press("j", "j", *["b"] * 4, "v", *["w"] * 3)
        picked = selector.text[slice(*selector.span)]
        assert "\x1b[31mred\x07" in picked
        assert "\x1b" not in screen_text(app)
        assert "\\x1b[31mred" in screen_text(app)
        await asked(pilot, app, "Red?")
        await until(pilot, shows(app, "3 of the 30 advised"), "the progress")
    lines = (corpus / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines[0] == foreign
    questions, problems = check_files([corpus / "questions.jsonl"], load_corpus(corpus))
    assert not problems
    assert [question.text for question in questions] == ["Old?", "Cell?", "Red?"]
    (passage,) = questions[1].evidence[0]
    assert GUIDE[passage.start : passage.end] == "核の中に遺伝子がある。細胞は膜を持つ。"
    (passage,) = questions[2].evidence[0]
    assert GUIDE[passage.start : passage.end] == picked


async def test_a_passage_that_occurs_twice_is_said_extended_or_kept_by_its_offsets(
    bench: Bench, corpus: Path
) -> None:
    app = ChunkbenchApp(bench.path, corpus)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app)
        selector = gold(app).passage
        second = GUIDE.rindex("The end.")
        selector.select(second, second + 8)
        await until(pilot, shows(app, "also in line 3"), "the other place")
        await asked(pilot, app, "End?")
        selector.select(second, second + 8)
        await pilot.press("x")
        assert selector.text[slice(*selector.span)] == "text. The end."
        await until(pilot, shows(app, "occurs once"), "the extension")
    (row,) = rows_of(corpus)
    (evidence,) = row["evidence"]
    assert evidence == {
        "document": "guide.md",
        "start": second,
        "end": second + 8,
        "text": "The end.",
    }
    assert not check_files([corpus / "questions.jsonl"], load_corpus(corpus)).problems


async def test_questions_are_edited_deleted_and_brought_back_and_work_goes_on_where_it_stopped(
    bench: Bench, corpus: Path
) -> None:
    app = ChunkbenchApp(bench.path, corpus)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app)
        await pilot.press("full_stop")
        await until(pilot, lambda: gold(app).passage.text == OTHER, "the other document")
        # two passages for one question
        await pilot.press("s", "enter")
        await until(pilot, shows(app, "enter saves"), "the form")
        await pilot.press("W", "h", "y", "ctrl+n")
        await until(pilot, lambda: isinstance(app.screen, GoldScreen), "the document again")
        await pilot.press("right_curly_bracket", "s")
        await until(pilot, shows(app, "passage 2 ·"), "the second passage")
        await pilot.press("enter")
        await until(pilot, shows(app, "2. The deepest"), "the form with both")
        await pilot.press("ctrl+s")
        await until(pilot, shows(app, "2 passages"), "the row")
        (row,) = rows_of(corpus)
        assert row["category"] == "multi-part"
        assert [slot["text"] for slot in row["evidence"]] == [
            "Lakes are still.",
            "The deepest lake is Baikal, in Siberia.",
        ]
        await pilot.press("e")
        await until(pilot, shows(app, "enter saves"), "the form")
        await pilot.press("end", "question_mark", "enter")
        await until(pilot, shows(app, "Why?"), "the edited question")
        await until(pilot, lambda: rows_of(corpus)[0]["question"] == "Why?", "the file")
        await pilot.press("D")
        await until(pilot, lambda: rows_of(corpus) == [], "the deletion")
        await until(pilot, shows(app, "0 of the 30 advised"), "the empty list")
        await pilot.press("u")
        await until(pilot, lambda: rows_of(corpus), "the question again")
        await until(pilot, shows(app, "1 of the 30"), "the list")
        await pilot.press("u")
        await until(pilot, lambda: rows_of(corpus)[0]["question"] == "Why", "the first words")
        await pilot.press("g", "j", "j")
        caret = gold(app).passage.caret
        assert caret > 0
    again = ChunkbenchApp(bench.path)
    async with again.run_test(size=(80, 24)) as pilot:
        await opened(pilot, again)
        assert gold(again).passage.text == OTHER
        assert gold(again).passage.caret == caret


async def test_evidence_is_found_for_a_question_and_accepted(bench: Bench, corpus: Path) -> None:
    (corpus / "questions.jsonl").write_text('{"id": "q1", "question": "Which lake is deepest?"}\n')
    app = ChunkbenchApp(bench.path, corpus)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app)
        await pilot.press("f")
        await until(pilot, shows(app, "A accepts"), "a candidate")
        await until(pilot, lambda: gold(app).passage.text == OTHER, "its document")
        await until(pilot, lambda: gold(app).passage.span[1], "its selection")
        await pilot.press("A")
        await until(pilot, lambda: "evidence" in rows_of(corpus)[0], "the evidence")
        await until(pilot, lambda: gold(app).offer is None, "the end of the offer")
    assert rows_of(corpus) == [
        {
            "id": "q1",
            "question": "Which lake is deepest?",
            "evidence": [
                {"document": "other.md", "text": "The deepest lake is Baikal, in Siberia."}
            ],
        }
    ]


async def test_a_language_model_proposes_and_the_person_accepts_or_rejects(
    bench: Bench, corpus: Path, ollama: OllamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    offers = {"Siberia": "The deepest lake is Baikal", "rivers": "A river flows to the sea."}

    def answer(body: dict[str, Any]) -> str:
        excerpt = body["messages"][0]["content"].split("-----\n")[1]
        word, evidence = next((w, e) for w, e in offers.items() if w in excerpt)
        return json.dumps({"question": f"What of {word}?", "evidence": evidence, "answer": "a"})

    ollama.answer = answer
    monkeypatch.setenv("OLLAMA_HOST", ollama.url)
    app = ChunkbenchApp(bench.path, corpus)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app)
        await pilot.press("M")
        await until(pilot, shows(app, "enter asks"), "the form")
        await pilot.press("ctrl+a", "ctrl+k", *"tiny", "enter")
        await until(pilot, shows(app, "R rejects: What of"), "a suggestion")
        await until(pilot, lambda: gold(app).passage.span[1], "its evidence")
        await pilot.press("A")
        await until(pilot, lambda: (corpus / "questions.jsonl").exists(), "the file")
        await until(pilot, shows(app, "R rejects: What of"), "the next suggestion")
        await pilot.press("escape")
    (row,) = rows_of(corpus)
    assert row["synthetic"] is True
    assert row["model"].startswith("tiny:latest@")
    questions, problems = check_files([corpus / "questions.jsonl"], load_corpus(corpus))
    assert not problems
    assert questions[0].synthetic


async def test_the_mouse_selects_and_what_cannot_be_opened_is_said(
    bench: Bench, corpus: Path
) -> None:
    app = ChunkbenchApp(bench.path, corpus / "missing.md")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("escape", "8")
        await until(pilot, shows(app, "does not exist"), "the sentence")
        assert "Press o" in screen_text(app)
        await pilot.press("o")
        await until(pilot, shows(app, "esc leaves"), "the form")
        await pilot.press("ctrl+a", "ctrl+k")
        app.screen.query_one("#corpus").value = str(corpus)  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, shows(app, "Gold · docs"), "the documents")
        selector = gold(app).passage
        await until(pilot, lambda: selector.text == GUIDE, "the document")
        await pilot.mouse_down(selector.view, offset=(5, 2))
        await pilot.hover(selector.view, offset=(13, 2))
        await pilot.mouse_up(selector.view, offset=(13, 2))
        assert selector.text[slice(*selector.span)] == "The first"
