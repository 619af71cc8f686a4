"""The verdict of a real run, as the command line prints it and as it is reported."""

from __future__ import annotations

import csv
import html
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from chunkbench_engine.measures.saying import TEST, say
from chunkbench_engine.measures.verdict import verdict_from
from chunkbench_store.database import open_store
from chunkbench_store.live import live_run

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "sample_corpus" / "constitution"
STRATEGIES = ("PGC", "SGC", "RC", "FC(token_size=20|200)")
NOT_OF_IT = ("experiment", "model", "retrieval", "said", "next_steps", "snippets")
EXPLAINED = f"= cannot be told apart from the first ({TEST})."


def tui(*arguments: str | Path) -> str:
    command = [sys.executable, "-c", "from chunkbench_tui.cli import main; main()"]
    done = subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The database of a finished run, and what the run printed."""
    path = tmp_path_factory.mktemp("verdict") / "store.db"
    specs = [part for spec in STRATEGIES for part in ("-s", spec)]
    return path, tui("run", CORPUS, *specs, "--repeat", "1", "--db", path)


def reported(run: tuple[Path, str], to: str) -> str:
    return tui("report", "1", "--to", to, "--db", run[0])


@pytest.fixture(scope="module")
def content(run: tuple[Path, str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reported(run, "json"))
    return found


@pytest.fixture(scope="module")
def tied(content: dict[str, Any]) -> set[str]:
    """Labels of the configurations tied with the leader: some, but not all."""
    found = {row["label"] for row in content["configurations"] if row["tied"]}
    assert 0 < len(found) < len(content["configurations"]) - 1
    return found


def test_the_leaderboard_ends_with_the_verdict(run: tuple[Path, str], tied: set[str]) -> None:
    path, printed = run
    with open_store(path) as store:
        live = live_run(store, 1)
    assert live is not None
    lines = printed.splitlines()
    for sentence in say(verdict_from(live.verdicts[0].content)):
        assert sentence in lines
    assert EXPLAINED in lines


def test_rows_tied_with_the_first_are_marked(run: tuple[Path, str], tied: set[str]) -> None:
    rows = [line.split() for line in run[1].splitlines() if line[:1].isdigit()]
    assert len(rows) == 5
    assert {row[2] for row in rows if row[1] == "="} == tied


def test_json_holds_the_verdict_and_what_it_says(content: dict[str, Any], tied: set[str]) -> None:
    (verdict,) = content["verdicts"]
    assert verdict["model"] == "wordllama-256"
    assert set(verdict["tied"]) == tied
    (leader,) = [row for row in content["configurations"] if row["p_leader"] is None]
    assert leader["label"] == verdict["leader"]
    assert leader["selection"] == verdict["selection"]
    fields = {key: value for key, value in verdict.items() if key not in NOT_OF_IT}
    assert verdict["said"] == say(verdict_from(fields))


def test_csv_has_a_standing_for_each_row(run: tuple[Path, str], tied: set[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(reported(run, "csv"))))
    assert {row["strategy"] for row in rows if row["tied"] == "True"} == tied
    assert sum(float(row["selection"]) for row in rows) == pytest.approx(1)
    assert [row["p_leader"] for row in rows].count("") == 1


def test_markdown_marks_the_rows_and_lists_the_verdict(
    run: tuple[Path, str], content: dict[str, Any], tied: set[str]
) -> None:
    lines = reported(run, "md").splitlines()
    cells = [line.split(" | ") for line in lines if line.startswith("| ") and "=" in line[:7]]
    assert {row[1] for row in cells} == tied
    assert f"* {EXPLAINED}" in lines
    for sentence in content["verdicts"][0]["said"]:
        assert f"* {sentence}" in lines
    steps = content["verdicts"][0]["next_steps"]
    assert steps
    at = lines.index("### What to try next")
    assert lines[at + 2 : at + 2 + len(steps)] == [f"* {step}" for step in steps]


def test_the_ending_of_the_file_chooses_the_page_which_has_the_leader_as_code_and_the_categories(
    run: tuple[Path, str], content: dict[str, Any], tmp_path: Path
) -> None:
    target = tmp_path / "report.HTML"
    tui("report", "1", "-o", target, "--db", run[0])
    page = html.unescape(target.read_text(encoding="utf-8"))
    (verdict,) = content["verdicts"]
    assert f"<h3>{verdict['leader']} as code</h3>" in page
    for snippet in verdict["snippets"]:
        assert snippet["code"] in page
    for step in verdict["next_steps"]:
        assert f"<li>{step}</li>" in page
    (leader,) = [r for r in content["configurations"] if r["label"] == verdict["leader"]]
    for category, means in leader["by_category"].items():
        assert f">{category} ({means['Hit@5']['questions']})</th>" in page


def test_token_level_measures_are_reported(content: dict[str, Any]) -> None:
    for row in content["configurations"]:
        measures = row["measures"]
        for name in ("TokenRecall@5", "TokenPrecision@5", "IoU@5", "PrecisionOmega"):
            assert 0 < measures[name]["low"] <= measures[name]["value"] <= measures[name]["high"]
        # The union holds all that the retrieved text holds, and what was missed.
        assert measures["IoU@5"]["value"] <= measures["TokenPrecision@5"]["value"]
