"""`questions check`, `find` and `suggest`, as a person or a CI job uses them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import typer

from chunkbench_engine.documents.corpus import load_corpus
from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.questions.check import check_files
from chunkbench_tui.commands.questions_check import check
from chunkbench_tui.commands.questions_find import find
from chunkbench_tui.commands.questions_suggest import suggest

if TYPE_CHECKING:
    from pathlib import Path

    from ..ollama_server import OllamaServer

TEXT = (
    "# Lakes\n\nLakes are still waters, \x1b[1mmostly. The deepest lake is Baikal, in Siberia.\n\n"
    "The largest lake is the Caspian Sea, which some call a sea. It is salty.\n"
)
LAKE = {"document": "lakes.md", "text": "The deepest lake is Baikal, in Siberia."}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "lakes.md").write_text(TEXT)
    return folder


def write_rows(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def answers(monkeypatch: pytest.MonkeyPatch, *typed: str) -> None:
    """What the person types; then the end of the input."""
    left = iter(typed)

    def read(_: str = "") -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)


def test_check_is_a_gate_with_the_text_to_paste(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = {"question": "Which lake is deepest?", "evidence": [LAKE]}
    near = {"document": "lakes.md", "text": "The deepest lake is lake Baikal in Siberia"}
    file = write_rows(corpus / "questions.jsonl", good, {"question": "Where?", "evidence": [near]})
    with pytest.raises(typer.Exit) as left:
        check(file)
    assert left.value.exit_code == 1
    said = capsys.readouterr().out
    assert "row 2 (questions-2)" in said
    assert '"The deepest lake is Baikal, in Siberia' in said
    assert "1 of 2 question rows cannot be used" in said
    with pytest.raises(typer.Exit):
        check(file, corpus, as_json=True)
    report = json.loads(capsys.readouterr().out)
    assert (report["ok"], report["rows"], report["usable"]) == (False, 2, 1)
    assert report["problems"][0]["row"] == 2
    write_rows(file, good, {"question": "How salty?", "synthetic": True})
    check(file)
    said = capsys.readouterr().out
    assert "All 2 question rows can be used" in said
    assert "1 without evidence" in said
    assert "1 proposed by a language model" in said
    assert "2 answerable of the 30 advised" in said


def test_check_fails_where_nothing_could_be_graded(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_rows(corpus / "questions.jsonl", {"question": "Why?"})
    with pytest.raises(typer.Exit):
        check(file)
    assert "questions.jsonl: " in capsys.readouterr().out
    with pytest.raises(BadInput, match="does not exist"):
        check(corpus / "none.jsonl")


def test_the_exit_status_reaches_the_shell(corpus: Path) -> None:
    file = write_rows(corpus / "questions.jsonl", {"question": ""})
    program = "from chunkbench_tui.cli import main; main()"
    command = [sys.executable, "-c", program, "questions", "check"]
    bad = subprocess.run([*command, file], capture_output=True, text=True, check=False)
    assert (bad.returncode, "its question is empty" in bad.stdout) == (1, True)
    none = subprocess.run([*command, "none.csv"], capture_output=True, text=True, check=False)
    assert (none.returncode, "does not exist" in none.stderr) == (2, True)


def test_find_writes_what_was_chosen_and_leaves_the_input_alone(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = corpus / "questions.csv"
    file.write_text("id,question,source\na,Which lake is deepest?,us\nb,Is the sea salty?,us\n")
    before = file.read_bytes()
    with pytest.raises(BadInput, match="--output NEW"):
        find(file)
    to = corpus.parent / "found.jsonl"
    answers(monkeypatch, "9", "1", "1p")
    find(file, output=to)
    said = capsys.readouterr().out
    assert "lakes.md:3" in said
    assert "\x1b" not in said
    assert "Evidence chosen for 2 of 2 questions" in said
    assert file.read_bytes() == before
    rows = [json.loads(line) for line in to.read_text().splitlines()]
    assert rows[0] == {
        "id": "a",
        "question": "Which lake is deepest?",
        "source": "us",
        "evidence": [LAKE],
    }
    assert rows[1]["evidence"][0]["text"].startswith("The largest lake")
    assert rows[1]["evidence"][0]["text"].endswith("It is salty.")
    assert not check_files([to], load_corpus(corpus)).problems
    with pytest.raises(BadInput, match="is there already"):
        find(file, output=to)


def test_find_keeps_what_was_chosen_before_it_was_left(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_rows(
        corpus / "questions.jsonl",
        {"question": "Which lake is deepest?"},
        {"question": "Is the sea salty?"},
    )
    answers(monkeypatch, "1")
    find(file, output=file)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [row.get("evidence") for row in rows] == [[LAKE], None]


def test_find_lists_its_candidates_for_a_program(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_rows(
        corpus / "questions.jsonl",
        {"question": "Which lake is deepest?"},
        {"question": "On Mars?", "category": "unanswerable"},
    )
    find(file, count=2, as_json=True)
    (offered,) = json.loads(capsys.readouterr().out)
    assert offered["id"] == "questions-1"
    first = offered["candidates"][0]
    assert first["text"] == TEXT[first["start"] : first["end"]] == LAKE["text"]


def _suggesting(ollama: OllamaServer) -> None:
    def answer(body: dict[str, Any]) -> str:
        excerpt = body["messages"][0]["content"].split("-----\n")[1]
        sentences = re.findall(r"[A-Z][^.]{12,}\.", excerpt)
        number = len(ollama.asked) % len(sentences)
        evidence = sentences[number]
        question = f"What of {' '.join(evidence.split()[1:5])}?"
        return json.dumps({"question": question, "evidence": evidence, "answer": ""})

    ollama.answer = answer


def test_suggest_writes_questions_that_pass_the_check_marked_as_synthetic(
    corpus: Path,
    ollama: OllamaServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    _suggesting(ollama)
    to = tmp_path / "suggested.jsonl"
    suggest(corpus, to, "tiny", count=2, ollama=[ollama.url])
    assert "marked as synthetic" in capsys.readouterr().out
    rows = [json.loads(line) for line in to.read_text().splitlines()]
    assert rows
    assert all(row["synthetic"] and row["model"].startswith("tiny:latest@") for row in rows)
    assert len({row["id"] for row in rows}) == len(rows)
    assert not check_files([to], load_corpus(corpus)).problems
    with pytest.raises(BadInput, match="is there already"):
        suggest(corpus, to, "tiny", count=2, ollama=[ollama.url])
    reviewed = tmp_path / "reviewed.jsonl"
    answers(monkeypatch, "e", "My own words?", "r")
    suggest(corpus, reviewed, "tiny", count=2, review=True, ollama=[ollama.url])
    (row,) = [json.loads(line) for line in reviewed.read_text().splitlines()]
    assert row["question"] == "My own words?"


def test_suggest_says_how_to_start_ollama(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with pytest.raises(Unavailable, match="ollama serve"):
        suggest(corpus, tmp_path / "s.jsonl", "tiny", count=2, ollama=["http://127.0.0.1:9"])
    assert not (tmp_path / "s.jsonl").exists()
