"""Ways of retrieving, asked for and reported on the command line: real processes, a real run."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CORPUS = Path(__file__).parents[2] / "sample_corpus" / "constitution"
EXPERIMENTS = ("lexical", "wordllama-64", "wordllama-64 + lexical")


def tui(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from chunkbench_tui.cli import main; main()"]
    return subprocess.run(
        [*command, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The database of a finished run, and what the run printed."""
    path = tmp_path_factory.mktemp("retrieval") / "store.db"
    retrieval = ("--retrieval", "lexical", "--retrieval", "dense", "--retrieval", "hybrid")
    arguments = ("-s", "FC", "-s", "PGC", "-m", "wordllama-64", "--repeat", "1", "--db", path)
    done = tui("run", CORPUS, *retrieval, *arguments)
    assert done.returncode == 0, done.stderr
    return path, done.stdout


def report(run: tuple[Path, str], to: str) -> str:
    return tui("report", "1", "--to", to, "--db", run[0]).stdout


def test_run_prints_a_table_for_each_experiment_in_the_order_asked(run: tuple[Path, str]) -> None:
    titles = [line for line in run[1].splitlines() if line.startswith("constitution: ")]
    assert len(titles) == len(EXPERIMENTS)
    for title, experiment in zip(titles, EXPERIMENTS, strict=True):
        assert f"questions, {experiment}, top 5" in title


def test_the_reports_keep_the_experiments_apart(run: tuple[Path, str]) -> None:
    lines = report(run, "md").splitlines()
    titles = [line for line in lines if line.startswith("## ") and not line.endswith(" as code")]
    assert titles == [f"## {experiment}" for experiment in EXPERIMENTS]
    assert sum(line.startswith("| 1 |") for line in lines) == len(EXPERIMENTS)
    rows = list(csv.DictReader(io.StringIO(report(run, "csv"))))
    assert [(row["strategy"], row["model"], row["retrieval"]) for row in rows] == [
        (strategy, *experiment)
        for strategy in ("FC", "PGC")
        for experiment in (("", "lexical"), ("wordllama-64", "dense"), ("wordllama-64", "hybrid"))
    ]
    content = json.loads(report(run, "json"))
    assert {row["experiment"] for row in content["configurations"]} == set(EXPERIMENTS)
    assert [verdict["experiment"] for verdict in content["verdicts"]] == list(EXPERIMENTS)
    manifest = content["manifest"]["retrieval"]
    assert manifest["kinds"] == ["lexical", "dense", "hybrid"]
    assert "BM25" in manifest["lexical"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--retrieval", "bm25"), "--retrieval bm25 is none of dense, lexical, hybrid, rerank"),
        (("--reranker", "some/model"), "--reranker is of use only with --retrieval rerank"),
        (("--retrieval", "rerank"), "cross-encoder/ms-marco-MiniLM-L6-v2"),
    ],
)
def test_what_cannot_be_run_is_one_sentence(
    arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    done = tui("run", CORPUS, *arguments, "--db", tmp_path / "store.db", **offline)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
