"""Two real runs from a file, compared on the command line: numbers, gate, baseline, exit status."""

from __future__ import annotations

import json
import math
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from chunkbench_engine.errors import BadInput
from chunkbench_tui.command_line import command_line

if TYPE_CHECKING:
    from chunkbench_engine.run.settings import Settings

ROOT = Path(__file__).parents[2]
SECONDS = 120
BENCH = """\
corpus = "constitution"
strategies = ["RC(chunk_size=400, overlap=0)", "mine:split(size=300)"]
repeat = 1
"""
MINE = """\
def split(text, size):
    return [text[at : at + size] for at in range(0, len(text), size)]
"""


def tui(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """As the installed command, which does not look for modules in the working folder."""
    main = "from chunkbench_tui.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-P", "-c", main, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        cwd=cwd,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run file, and a database with two runs of it: between them the code changed.

    The first run is started from elsewhere, the second from its folder.
    """
    base = tmp_path_factory.mktemp("compare")
    project = base / "project"
    shutil.copytree(ROOT / "sample_corpus" / "constitution", project / "constitution")
    (project / "bench.toml").write_text(BENCH)
    (project / "mine.py").write_text(MINE)
    # what lies in the folder by chance is none of the program's own modules
    (project / "secrets.py").write_text("raise SystemExit('the wrong module')\n")
    refused = tui("run", project / "bench.toml", "--db", base / "store.db", cwd=base)
    assert refused.returncode == 2
    assert f"mine:split, which is split of {project / 'mine.py'}" in refused.stderr
    assert "if you trust it add --trust" in refused.stderr
    assert not (base / "store.db").exists()
    first = tui("run", project / "bench.toml", "--trust", "--db", base / "store.db", cwd=base)
    assert first.returncode == 0, first.stderr
    (project / "mine.py").write_text(MINE.replace("size):", "size):\n    size //= 2"))
    second = tui("run", "bench.toml", "--trust", "--db", base / "store.db", cwd=project)
    assert second.returncode == 0, second.stderr
    return base


def compared(folder: Path, *arguments: str) -> dict[str, Any]:
    done = tui("compare", *arguments, "--json", "--db", folder / "store.db")
    assert done.returncode == 0, done.stderr
    content: dict[str, Any] = json.loads(done.stdout)
    return content


def differences(content: dict[str, Any], strategy: str) -> dict[str, dict[str, Any]]:
    (pair,) = [pair for pair in content["pairs"] if pair["run"] == strategy]
    return {row["measure"]: row for row in pair["differences"]}


def test_the_same_strategy_does_not_differ_and_the_changed_one_does(folder: Path) -> None:
    content = compared(folder, "1", "2")
    assert content["comparable"]
    same = differences(content, "RC(chunk_size=400, overlap=0)")
    assert {row["difference"] for row in same.values()} == {0}
    assert {row["p"] for row in same.values()} == {1}
    changed = differences(content, "mine:split(size=300)")
    assert changed["Tokens@5"]["difference"] < 0
    assert changed["Tokens@5"]["direction"] == "better"
    (unlike,) = content["unlike"]
    assert re.fullmatch(r"The code of mine:split has changed: \w{12}, now \w{12}\.", unlike["said"])


def test_the_numbers_can_be_recomputed_from_the_stored_grades(folder: Path) -> None:
    """In plain Python over plain SQL, nDCG against the higher of the two runs' ideals."""
    database = sqlite3.connect(folder / "store.db")
    gains: dict[tuple[int, str, str], list[float]] = {}
    for run, label, question, grade in database.execute(
        "SELECT config.run, label, question.key, grade FROM hit"
        " JOIN config ON config.id = hit.config JOIN chunk_set ON chunk_set.id = chunk_set"
        " JOIN question ON question.id = hit.question"
        " JOIN judgement j ON j.question = hit.question AND j.document = hit.document"
        ' AND j.start = judged_start AND j."end" = judged_end ORDER BY rank'
    ):
        gains.setdefault((run, label, question), []).append(grade)

    def dcg(row: list[float]) -> float:
        return sum(g / math.log2(i + 1) for i, g in enumerate(row[:5], 1))

    questions = {question for _, _, question in gains}
    labels = {label for _, label, _ in gains}
    ideal = {
        q: max(
            dcg(sorted((g for label in labels for g in gains[run, label, q]), reverse=True))
            for run in (1, 2)
        )
        for q in questions
    }
    found = differences(compared(folder, "1", "2"), "mine:split(size=300)")
    for side, run in (("base", 1), ("run", 2)):
        rows = {q: gains[run, "mine:split(size=300)", q] for q in questions}
        ndcg = sum(dcg(row) / ideal[q] if ideal[q] else 0.0 for q, row in rows.items())
        assert found["nDCG@5"][side] == pytest.approx(ndcg / len(questions), abs=1e-9)
        hit = sum(2 in row for row in rows.values()) / len(questions)
        assert found["Hit@5"][side] == pytest.approx(hit, abs=1e-12)
        assert found["Hit@5"]["questions"] == len(questions)


def test_a_failed_gate_is_status_1_with_the_expression_and_by_how_much(folder: Path) -> None:
    db = folder / "store.db"
    done = tui("compare", "1", "2", "--fail-if", "tokens@5 < -10 significant", "--db", db)
    assert done.returncode == 1
    assert "FAILED Tokens@5 < -10 significant: Tokens@5 of mine:split(size=300)" in done.stdout
    assert "beyond the limit" in done.stdout
    passed = tui("compare", "1", "2", "--fail-if", "tokens@5 > 10", "--db", db)
    assert passed.returncode == 0
    assert "Passed" in passed.stdout
    unknown = tui("compare", "1", "2", "--fail-if", "tokns@5 > 10", "--db", db)
    assert unknown.returncode == 2
    assert "Tokens is meant?" in unknown.stderr


def test_a_baseline_says_the_same_as_its_run(folder: Path) -> None:
    path = folder / "baseline.json"
    strategy = "mine:split(size=300)"
    done = tui("export-baseline", "1", "-s", strategy, "-o", path, "--db", folder / "store.db")
    assert done.returncode == 0, done.stderr
    with_file = compared(folder, str(path), "2")
    assert [pair["run"] for pair in with_file["pairs"]] == [strategy]
    alone = compared(folder, "1", "2", "--base", strategy, "--with", strategy)
    assert differences(with_file, strategy) == differences(alone, strategy)
    assert with_file["only_run"] == ["RC(chunk_size=400, overlap=0) (wordllama-256)"]


def test_two_strategies_of_one_run_are_compared(folder: Path) -> None:
    both = ("--base", "mine:split(size=300)", "--with", "RC(overlap=0, chunk_size=400)")
    (pair,) = compared(folder, "1", "1", *both)["pairs"]
    assert (pair["base"], pair["run"]) == (both[1], "RC(chunk_size=400, overlap=0)")


def test_what_is_typed_counts_before_what_is_in_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And where no code is left to run, none is to be trusted."""
    planned: list[tuple[Settings, Path | None]] = []

    async def plan(_: Path, settings: Settings, beside: Path | None) -> int:
        planned.append((settings, beside))
        return 1

    monkeypatch.setattr("chunkbench_tui.commands.run.create_run", plan)
    monkeypatch.setattr("chunkbench_tui.commands.run.start_engine", lambda *_: None)
    file = folder / "project" / "bench.toml"
    options = ["-s", "DOC", "-k", "2", "-q", "q.jsonl", "--detach", "--db", str(folder / "new.db")]
    done = CliRunner().invoke(command_line(), ["run", str(file), *options])
    assert done.exit_code == 0, done.output
    ((settings, beside),) = planned
    assert (settings.k, settings.repeat, settings.strategies) == (2, 1, ("DOC",))
    assert settings.corpus == str(file.parent / "constitution")
    assert settings.questions == (str(Path.cwd() / "q.jsonl"),)
    assert beside == file.parent
    with pytest.raises(BadInput, match="--trust goes with a run file"):
        CliRunner().invoke(command_line(), ["run", str(folder), "--trust"], catch_exceptions=False)


def test_the_report_and_the_snippet_give_the_best_as_code(folder: Path) -> None:
    db = folder / "store.db"
    report = tui("report", "1", "--db", db).stdout
    assert "as code\n\n```python\n# chunkbench-tui: the same chunks." in report
    verdict = json.loads(tui("report", "1", "--to", "json", "--db", db).stdout)["verdicts"][0]
    assert verdict["snippets"][0]["library"] == "chunkbench"
    printed = tui("snippet", "1", "--for", "chunkbench", "--db", db)
    assert repr(verdict["leader"]) in printed.stdout
    assert verdict["leader"] in printed.stderr
