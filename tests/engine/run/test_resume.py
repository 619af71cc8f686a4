"""A worker killed at any moment and started again ends as if nothing had happened."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from chunkbench_engine.run.plan import plan_run
from chunkbench_engine.run.settings import Settings
from chunkbench_store.database import Store, open_store

ROOT = Path(__file__).parents[3]
SETTINGS = Settings(
    corpus=str(ROOT / "sample_corpus" / "biology"),
    strategies=("FC", "RC", "SGC", "SEBC", "PCC", "LCSI", "PGC >> FC(token_size=200)"),
    retrieval=("dense", "lexical", "hybrid"),
    chunker_model="wordllama-256",
    repeat=1,
)
SECONDS = 120

# What is the same in every run of the same plan: all but times, sizes in memory and row ids.
RESULTS = {
    "chunks": 'SELECT label, ordinal, name, start, chunk."end", context_start, prefix, tokens'
    " FROM chunk JOIN chunk_set ON chunk_set.id = chunk_set JOIN document d ON d.id = document"
    " ORDER BY label, ordinal",
    "hits": 'SELECT label, model, retrieval, key, rank, name, start, hit."end", judged_start,'
    " tokens, score FROM hit JOIN config ON config.id = config"
    " JOIN chunk_set ON chunk_set.id = chunk_set"
    " JOIN question ON question.id = question JOIN document d ON d.id = document"
    " ORDER BY label, model, retrieval, key, rank",
    "judgements": 'SELECT key, name, start, judgement."end", grade, reason FROM judgement'
    " JOIN question ON question.id = question JOIN document d ON d.id = document"
    ' ORDER BY key, name, start, judgement."end"',
    "measures": "SELECT label, model, retrieval, measure.name, value, low, high, provisional"
    " FROM measure"
    " JOIN config ON config.id = config JOIN chunk_set ON chunk_set.id = chunk_set"
    " WHERE measure.name NOT GLOB 'Latency*' AND measure.name NOT GLOB 'Search*'"
    " ORDER BY label, model, retrieval, measure.name",
    "scores": "SELECT * FROM question_scores"
    " ORDER BY strategy, model, retrieval, question, measure",
    "standings": "SELECT label, model, retrieval, selection, p_leader, tied FROM standing"
    " JOIN config ON config.id = config JOIN chunk_set ON chunk_set.id = chunk_set"
    " ORDER BY label, model, retrieval",
    "sizes": "SELECT label, model, retrieval, index_bytes, over_window, config.state FROM config"
    " JOIN chunk_set ON chunk_set.id = chunk_set"
    " ORDER BY label, model, retrieval",
}

# A finished unit, and when: none of these may ever change.
UNITS = {
    "a strategy over a document": "SELECT chunk_set, document, done_at FROM chunk_unit",
    "the hits of a question": "SELECT config, question, done_at FROM retrieval",
    "a judgement": 'SELECT question, document, start, "end", done_at FROM judgement',
}

# Moments to kill at, by what is then in the store.
MOMENTS = {
    "before anything is done": "SELECT count(*) FROM run WHERE state = 'running'",
    "while chunking": "SELECT count(*) > 3 FROM chunk_unit",
    "while embedding": "SELECT count(*) FROM config WHERE state IN ('embedding', 'indexed')",
    "while retrieving": "SELECT count(*) > 20 FROM retrieval",
    "after the first judgement": "SELECT count(*) FROM judgement",
    "when some are finished": "SELECT count(*) >= 4 FROM config WHERE state = 'finished'",
}


def _start(path: Path, run: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "chunkbench_engine.run.worker", str(path), str(run)],
        start_new_session=True,
    )


def _wait_for(store: Store, process: subprocess.Popen[bytes], condition: str) -> bool:
    """Wait until the store fulfils a condition; False if the worker ended before."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        if store.value(condition):
            return True
        if process.poll() is not None:
            return False
        time.sleep(0.001)
    raise AssertionError(f"not within {SECONDS} s: {condition}")


def _results(store: Store) -> dict[str, list[tuple[object, ...]]]:
    found = {}
    for name, query in RESULTS.items():
        rows = [tuple(row) for row in store.rows(query)]
        if name == "scores":  # its second column is a row id
            rows = [(row[0], *row[2:]) for row in rows]
        found[name] = rows
    return found


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path = tmp_path_factory.mktemp("undisturbed") / "store.db"
    with open_store(path) as store:
        run = plan_run(store, SETTINGS)
        assert _start(path, run).wait(SECONDS) == 0
        assert store.value("SELECT state FROM run") == "finished"
        yield store


def test_an_undisturbed_run_repeats_exactly(undisturbed: Store, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        assert _start(path, plan_run(store, SETTINGS)).wait(SECONDS) == 0
        assert _results(store) == _results(undisturbed)


def test_nothing_is_retrieved_that_the_index_could_not_give(undisturbed: Store) -> None:
    """Late passages too, which are made when a question is asked (LCSI)."""
    above = undisturbed.rows(
        "SELECT r.strategy, r.retrieval, r.question, r.measure, r.value FROM question_scores r"
        " JOIN question_scores c ON c.config = r.config AND c.question = r.question"
        " WHERE c.measure = 'Ceiling'"
        " AND (r.measure GLOB 'Recall@*' AND r.value > c.value"
        " OR r.measure GLOB 'nDCG-index@*' AND r.value > 1 + 1e-12)"
    )
    assert [tuple(row) for row in above] == []


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_and_started_again(moment: str, undisturbed: Store, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        run = plan_run(store, SETTINGS)
        worker = _start(path, run)
        assert _wait_for(store, worker, MOMENTS[moment]), "it ended before the moment came"
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        assert store.value("SELECT state FROM run") == "running", "a kill leaves no word"
        done = {unit: {tuple(r) for r in store.rows(query)} for unit, query in UNITS.items()}
        assert _start(path, run).wait(SECONDS) == 0
        assert store.value("SELECT state FROM run") == "finished"
        for unit, query in UNITS.items():
            now = {tuple(row) for row in store.rows(query)}
            assert done[unit] <= now, f"{unit} was done again"
        assert _results(store) == _results(undisturbed)


def test_killed_again_and_again(undisturbed: Store, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        run = plan_run(store, SETTINGS)
        for condition in MOMENTS.values():
            worker = _start(path, run)
            _wait_for(store, worker, condition)
            worker.kill()
            worker.wait()
        assert _start(path, run).wait(SECONDS) == 0
        assert _results(store) == _results(undisturbed)


def test_a_run_has_one_engine_only(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        run = plan_run(store, SETTINGS)
        first = _start(path, run)
        _wait_for(store, first, "SELECT count(*) FROM chunk_unit")
        second = subprocess.run(
            [sys.executable, "-m", "chunkbench_engine.run.worker", str(path), str(run)],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
        )
        assert "has an engine already" in second.stderr
        assert first.wait(SECONDS) == 0
