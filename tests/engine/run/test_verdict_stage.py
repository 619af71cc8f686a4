"""A run ends with a verdict for each model, over the right questions, and only then."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from typer.testing import CliRunner

from chunkbench_engine.measures.verdict import verdict_from
from chunkbench_engine.run.plan import plan_run
from chunkbench_engine.run.settings import Settings
from chunkbench_store.additions import ask_for_strategy
from chunkbench_store.analysis import Analysis, analysis_of, forget_analysis, is_analysed
from chunkbench_store.database import open_store
from chunkbench_store.live import live_run
from chunkbench_store.results import forget_measures, scores_of
from chunkbench_tui.command_line import command_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkbench_store.database import Store
    from chunkbench_store.live import LiveRun

ROOT = Path(__file__).parents[3]
MODELS = ("wordllama-256", "wordllama-64")
# The last two give the whole document as one chunk: equal chunk sets.
STRATEGIES = ("SGC", "FC", "RC(chunk_size=900000)", "RC(chunk_size=990000)")
TOKEN_LEVEL = ("TokenRecall@5", "TokenPrecision@5", "IoU@5", "PrecisionOmega")
SECONDS = 120


def carry_out(path: Path, corpus: Path) -> None:
    with open_store(path) as store:
        settings = Settings(str(corpus), strategies=STRATEGIES, models=MODELS, repeat=1)
        run = plan_run(store, settings)
        work = [sys.executable, "-m", "chunkbench_engine.run.worker", str(path), str(run)]
        assert subprocess.run(work, timeout=SECONDS, check=False).returncode == 0


def live(store: Store) -> LiveRun:
    found = live_run(store, 1)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A finished run over questions without splits."""
    path = tmp_path_factory.mktemp("whole") / "store.db"
    carry_out(path, ROOT / "sample_corpus" / "biology")
    with open_store(path) as store:
        yield store


@pytest.fixture(scope="module")
def split(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The same, with every third question in dev, and the others in test."""
    corpus = tmp_path_factory.mktemp("split") / "biology"
    shutil.copytree(ROOT / "sample_corpus" / "biology", corpus)
    file = corpus / "questions.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    for number, row in enumerate(rows):
        row["split"] = "test" if number % 3 else "dev"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    carry_out(corpus.parent / "store.db", corpus)
    with open_store(corpus.parent / "store.db") as store:
        yield store


def test_each_model_has_its_verdict_in_the_order_of_the_models(finished: Store) -> None:
    assert [row.model for row in live(finished).verdicts] == list(MODELS)
    for row in live(finished).verdicts:
        board = [entry for entry in live(finished).board if entry.model == row.model]
        best = max(board, key=lambda entry: entry.value("nDCG@5") or 0.0)
        verdict = verdict_from(row.content)
        assert verdict.leader == best.label
        assert verdict.mean == pytest.approx(best.value("nDCG@5"))


def test_the_board_says_who_is_tied_with_the_leader(finished: Store) -> None:
    for row in live(finished).verdicts:
        verdict = verdict_from(row.content)
        board = [entry for entry in live(finished).board if entry.model == row.model]
        leaders = [entry for entry in board if entry.p_leader is None]
        assert [entry.label for entry in leaders] == [verdict.leader]
        for entry in board:
            assert entry.tied == (entry.p_leader is not None and entry.p_leader >= 0.05)
        distinct = [entry.selection or 0.0 for entry in board if not entry.same_as]
        assert sum(distinct) == pytest.approx(1)


def test_equal_chunk_sets_are_one_contender(finished: Store) -> None:
    for row in live(finished).verdicts:
        verdict = verdict_from(row.content)
        assert len(verdict.in_play) + len(verdict.ruled_out) == 3
    same = [entry for entry in live(finished).board if entry.label.startswith("RC")]
    assert {entry.same_as for entry in same} == {"", STRATEGIES[2]}
    assert len({(e.model, e.selection) for e in same}) == len(MODELS)


def test_without_splits_all_questions_are_reported_and_the_sweep_is_noted(finished: Store) -> None:
    answerable = finished.value("SELECT count(DISTINCT question) FROM evidence")
    for row in live(finished).verdicts:
        verdict = verdict_from(row.content)
        assert (verdict.split, verdict.questions, verdict.chosen) == ("", answerable, None)
        assert any("Several settings were run of RC" in note for note in verdict.notes)
        assert any("are few" in note for note in verdict.notes)


def test_with_splits_every_mean_is_over_test_alone(split: Store) -> None:
    for entry in live(split).board:
        for measure in ("nDCG@5", "Hit@5", "Recall@1", *TOKEN_LEVEL):
            scores = scores_of(split, entry.config, measure)
            test = {
                row[0]
                for row in split.rows(
                    "SELECT DISTINCT question.id FROM question"
                    " JOIN evidence ON evidence.question = question.id WHERE split = 'test'"
                )
            }
            assert test < scores.keys(), "scores are kept for dev too"
            mean = np.mean([value for key, value in scores.items() if key in test])
            assert entry.value(measure) == pytest.approx(mean)


def test_with_splits_the_verdict_says_what_dev_would_have_chosen(split: Store) -> None:
    dev = [row[0] for row in split.rows("SELECT id FROM question WHERE split = 'dev'")]
    for row in live(split).verdicts:
        verdict = verdict_from(row.content)
        assert verdict.split == "test"
        assert verdict.chosen is not None
        board = {entry.label: entry for entry in live(split).board if entry.model == row.model}
        means = {}
        for label, entry in board.items():
            scores = scores_of(split, entry.config, "nDCG@5")
            means[label] = np.mean([scores[key] for key in dev if key in scores])
        assert means[verdict.chosen.label] == max(means.values())
        assert verdict.chosen.dev == pytest.approx(max(means.values()))
        reported = board[verdict.chosen.label].value("nDCG@5")
        assert verdict.chosen.reported == pytest.approx(reported)
        assert not any("Several settings" in note for note in verdict.notes)


def test_while_measures_are_provisional_there_is_no_verdict(
    finished: Store, tmp_path: Path
) -> None:
    path = tmp_path / "store.db"
    with sqlite3.connect(path) as copy:
        finished.connection.backup(copy)
    # A strategy that joins opens the pool again.
    command = [sys.executable, "-m", "chunkbench_engine.run.worker", str(path), "1"]
    seen = set()
    with open_store(path) as store:
        before = live(store)
        ask_for_strategy(store, 1, "FC(token_size=70)")
        with subprocess.Popen(command) as worker:
            until = time.monotonic() + SECONDS
            while worker.poll() is None:
                assert time.monotonic() < until
                row = store.row(
                    "SELECT EXISTS (SELECT 1 FROM measure WHERE provisional = 1),"
                    " EXISTS (SELECT 1 FROM verdict), EXISTS (SELECT 1 FROM standing)"
                )
                assert row is not None
                seen.add(tuple(row))
        assert worker.returncode == 0
        assert seen == {(0, 1, 1), (1, 0, 0)}
        after = live(store)
        assert len(after.verdicts) == len(before.verdicts)
        assert len(after.board) > len(before.board)
        assert not after.provisional


def test_the_analysis_is_kept_when_the_measures_stand(finished: Store) -> None:
    found, board = analysis_of(finished, 1), live(finished).board
    for model in MODELS:
        rows = [row for row in board if row.model == model]
        for cost, price in (
            ("index_bytes", [row.index_bytes for row in rows]),
            ("cold_seconds", [row.cold_seconds for row in rows]),
            ("Tokens@5", [row.value("Tokens@5") for row in rows]),
            ("Latency-median", [row.value("Latency-median") for row in rows]),
        ):
            members = found.on_frontier("nDCG@5", cost)
            on_it = [row for row in rows if row.config in members]
            assert max(row.value("nDCG@5") for row in on_it) == max(
                row.value("nDCG@5") for row in rows
            )
            cheapest = [r for r, p in zip(rows, price, strict=True) if p == min(price)]
            assert any(row.config in members for row in cheapest)
    hits = {(row.first, row.second): row for row in found.correlations}["Hit@5", "nDCG@5"]
    expected = np.corrcoef(
        [row.value("Hit@5") for row in board], [row.value("nDCG@5") for row in board]
    )[0, 1]
    assert hits.r == pytest.approx(expected, abs=1e-9)
    assert hits.configurations == len(board)
    assert found.folder_scores == ()  # all its documents lie in one folder


def test_robustness_is_over_the_questions_reported(split: Store) -> None:
    found = analysis_of(split, 1)
    for entry in live(split).board:
        scores = [
            row[0]
            for row in split.rows(
                "SELECT value FROM score JOIN question ON question.id = score.question"
                " WHERE config = ? AND measure = 'nDCG@5' AND split = 'test'",
                (entry.config,),
            )
        ]
        assert entry.value("nDCG-sd@5") == pytest.approx(np.std(scores, ddof=1))
        worst = sorted(scores)[: -(-len(scores) // 10)]
        assert entry.value("nDCG-worst@5") == pytest.approx(np.mean(worst))
        bins = [row.questions for row in found.score_bins if row.config == entry.config]
        assert bins == np.histogram(scores, 10, (0, 1))[0].tolist()


def test_a_run_that_kept_no_analysis_has_it_after_resume(finished: Store, tmp_path: Path) -> None:
    """As one of an older version: nothing is chunked, embedded or judged again."""
    path = tmp_path / "older.db"
    finished.connection.execute("VACUUM INTO ?", (str(path),))
    expected, measures = analysis_of(finished, 1), live(finished).board
    with open_store(path) as store:
        with store.write():
            forget_analysis(store, 1)
        assert not is_analysed(store, 1)
        assert CliRunner().invoke(command_line(), ["resume", "1", "--db", str(path)]).exit_code == 0
        assert analysis_of(store, 1) == expected
        assert live(store).board == measures
    again = CliRunner().invoke(command_line(), ["resume", "1", "--db", str(path)])
    assert "is finished" in str(again.exception)


def test_what_was_concluded_is_forgotten_with_the_measures(finished: Store, tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    finished.connection.execute("VACUUM INTO ?", (str(path),))
    with open_store(path) as store:
        config = live(store).board[0].config
        with store.write():
            forget_measures(store, config)
        found = analysis_of(store, 1)
        assert config not in {row.config for row in found.score_bins}
        with store.write():
            forget_analysis(store, 1)
        assert analysis_of(store, 1) == Analysis()
