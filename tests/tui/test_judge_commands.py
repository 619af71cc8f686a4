"""Judges on the command line: how much is asked, what failed, agreement, a check by a person."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from ..ollama_server import OllamaServer, ollama_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECONDS = 120
HOSTILE = "Cats purr \x1b[31m[/bold] \u202eloud."


def tui(*arguments: str | Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from chunkbench_tui.cli import main; main()", *map(str, arguments)],
        input=typed,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def write_corpus(folder: Path, *, evidence: bool) -> Path:
    folder.mkdir()
    (folder / "a.md").write_text(f"{HOSTILE}\n\nThey eat fish.\n\nThey sleep.\n\nThey dream.\n")
    rows: list[dict[str, Any]] = [
        {"id": "q1", "question": "What do cats eat?", "answer": "Fish."},
        {"id": "q2", "question": "What do cats say?", "answer": "They purr."},
    ]
    if evidence:
        rows[0]["evidence"] = [{"document": "a.md", "text": "They eat fish."}]
        rows[1]["evidence"] = [{"document": "a.md", "text": "Cats purr"}]
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def by_words(body: dict[str, Any]) -> str:
    asked = body["messages"][0]["content"]
    grade = 2 if asked.count("ish.") + asked.count("purr") > 1 else 0
    return json.dumps({"score": grade, "reason": "\x1b[31mbecause"})


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, OllamaServer, str]]:
    """A database with a run that a language model judged, its server, and what `run` said."""
    folder = tmp_path_factory.mktemp("judged")
    corpus = write_corpus(folder / "corpus", evidence=True)
    with ollama_server() as server:
        server.answer = lambda body: (
            "no" if "Chunk:\nThey dream." in body["messages"][0]["content"] else by_words(body)
        )
        done = tui(
            "run", corpus, "-s", "PBC", "-s", "FC", "--repeat", "1", "--db", folder / "store.db",
            "--judge", "ollama", "--judge-model", "tiny", "--ollama", server.url,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        server.answer = by_words
        yield folder / "store.db", server, done.stdout + done.stderr


def test_before_a_model_is_asked_it_is_said_how_often_at_most(
    judged: tuple[Path, OllamaServer, str],
) -> None:
    # two strategies, two questions with an answer each, the top 5
    said = " ".join(judged[2].split())
    assert "at most 20 judgements by tiny, about " in said
    assert "prompt tokens; equal texts are judged once. How long that takes is said once" in said
    assert "judge ollama" in judged[2]


def test_what_failed_is_told_and_tried_again_by_resume(
    judged: tuple[Path, OllamaServer, str],
) -> None:
    path, _, said = judged
    failed = "2 of 8 judgements failed: tiny gave no grade that can be read; retry"
    assert f"PBC with wordllama-256: {failed}" in said
    done = tui("resume", "1", "--db", path)
    assert done.returncode == 0, done.stderr
    report = json.loads(tui("report", "1", "--to", "json", "--db", path).stdout)
    assert {row["state"] for row in report["configurations"]} == {"finished"}
    assert report["run"]["judge"] == "ollama"
    again = tui("resume", "1", "--db", path)
    assert (again.returncode, "is finished" in again.stderr) == (2, True)


def test_agreement_lists_every_two_judges(judged: tuple[Path, OllamaServer, str]) -> None:
    path, *_ = judged
    (pair,) = json.loads(tui("agreement", "1", "--json", "--db", path).stdout)
    assert pair["first"] == "evidence"
    assert pair["second"].startswith("ollama tiny:latest@")
    assert pair["passages"] == sum(map(sum, pair["counts"]))
    same = sum(pair["counts"][grade][grade] for grade in range(3))
    assert pair["exact"] == pytest.approx(same / pair["passages"])
    printed = tui("agreement", "1", "--db", path).stdout
    assert f"{pair['passages']} passages" in printed
    assert f"kappa {pair['kappa']:.3f} (linear weights)" in printed


def test_a_person_grades_a_blind_sample_and_may_break_off(
    judged: tuple[Path, OllamaServer, str],
) -> None:
    path, *_ = judged
    first = tui("spot-check", "1", "--count", "4", "--db", path, typed="2\nwhat\n0\nq\n")
    assert first.returncode == 0, first.stderr
    assert "--- 3 of 4 ---" in first.stdout
    for secret in ("What do cats", "a.md", "evidence at", "because", "PBC"):
        assert secret not in first.stdout.partition("evidence  and")[0]
    rest = tui("spot-check", "1", "--count", "4", "--db", path, typed="1\n0\n")
    assert "--- 1 of 2 ---" in rest.stdout
    assert "The sample is graded." in rest.stdout
    assert "evidence  and  you" in rest.stdout
    shown = [line for line in (first.stdout + rest.stdout).splitlines() if "Answer: " in line]
    assert len(shown) == 3 + 2, "the one that was left is shown again, the graded ones are not"
    pairs = json.loads(tui("agreement", "1", "--json", "--db", path).stdout)
    yours = [pair for pair in pairs if "you" in (pair["first"], pair["second"])]
    assert [pair["passages"] for pair in yours] == [4, 4]
    over = tui("spot-check", "1", "--count", "4", "--db", path)
    assert "Answer: " not in over.stdout


def test_a_hostile_document_is_shown_harmless(judged: tuple[Path, OllamaServer, str]) -> None:
    path, *_ = judged
    printed = tui("spot-check", "1", "--count", "50", "--db", path, typed="0\n" * 50).stdout
    assert "\x1b" not in printed
    assert "\u202e" not in printed
    assert "Cats purr \\x1b[31m[/bold] \\u202eloud." in printed


def test_a_proxy_is_called_one_wherever_its_numbers_are(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus", evidence=False)
    path = tmp_path / "store.db"
    done = tui("run", corpus, "-s", "PBC", "--repeat", "1", "--db", path)
    assert done.returncode == 0, done.stderr
    assert "judge support (proxy)" in done.stdout
    assert "The hits are graded by a proxy" in done.stdout
    assert "no question has evidence" in done.stderr
    assert "The hits are graded by a proxy" in tui("report", "1", "--db", path).stdout
    nothing = tui("agreement", "1", "--db", path)
    assert "only support wordllama-256@" in nothing.stdout


@pytest.mark.parametrize("command", ["agreement", "spot-check"])
def test_a_run_that_is_not_there_is_named(
    judged: tuple[Path, OllamaServer, str], command: str
) -> None:
    done = tui(command, "9", "--db", judged[0])
    assert (done.returncode, "there is no run 9" in done.stderr) == (2, True)
