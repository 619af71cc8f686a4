"""A strategy that joins a run ends as if it had been planned from the start."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chunkbench_engine.run.plan import plan_run
from chunkbench_engine.run.settings import Settings
from chunkbench_engine.run.worker import work
from chunkbench_store.additions import ask_for_strategy
from chunkbench_store.database import Store, open_store

SECONDS = 120
ADDED = "FC(token_size=30)"
SETTINGS = Settings(
    corpus="",
    strategies=("RC(chunk_size=200)", "FC"),
    retrieval=("dense", "lexical"),
    chunker_model="wordllama-256",
    repeat=1,
)
# All that a person reads, but for times; nothing of it by row ids.
RESULTS = (
    'SELECT label, ordinal, start, chunk."end", tokens FROM chunk'
    " JOIN chunk_set ON chunk_set.id = chunk_set ORDER BY label, ordinal",
    "SELECT strategy, model, retrieval, measure, question, value FROM question_scores"
    " ORDER BY strategy, model, retrieval, measure, question",
    "SELECT strategy, model, retrieval, state, ndcg, ndcg_low, ndcg_high, hit, ceiling, provisional"
    " FROM leaderboard ORDER BY strategy, model, retrieval",
    "SELECT label, model, retrieval, selection, p_leader, tied FROM standing"
    " JOIN config ON config.id = config JOIN chunk_set ON chunk_set.id = chunk_set"
    " ORDER BY label, model, retrieval",
    "SELECT state, (SELECT count(*) FROM verdict) FROM run",
)
FINISHED_UNITS = (
    "SELECT chunk_set, document, done_at FROM chunk_unit",
    "SELECT config, question, done_at FROM retrieval",
)
MOMENTS = {
    "before it is planned": "SELECT state = 'running' FROM run",
    "when it is planned": f"SELECT count(*) FROM chunk_set WHERE label = '{ADDED}'",
    "while it is indexed": "SELECT count(*) FROM config WHERE state IN ('embedding', 'indexed')",
    "when it is measured": f"SELECT count(*) FROM leaderboard WHERE strategy = '{ADDED}' AND ndcg",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("corpus")
    names = ["heron", "otter", "badger", "lynx", "stork", "viper"]
    text = "".join(
        f"## The {name}\n\nThe {name} lives near river {n}. It eats {n + 3} fish a day, and "
        f"sleeps under the {names[n - 1]}'s tree until the evening comes.\n\n"
        for n, name in enumerate(names)
    )
    (folder / "animals.md").write_text(text)
    (folder / "questions.jsonl").write_text(
        "".join(
            json.dumps(
                {
                    "question": f"How much does the {name} eat?",
                    "evidence": [{"document": "animals.md", "text": f"It eats {n + 3} fish a day"}],
                }
            )
            + "\n"
            for n, name in enumerate(names)
        )
    )
    return str(folder)


def _results(store: Store) -> list[list[tuple[object, ...]]]:
    return [[tuple(row) for row in store.rows(query)] for query in RESULTS]


def _start(store: Store) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "chunkbench_engine.run.worker", str(store.path), "1"],
        start_new_session=True,
    )


@pytest.fixture(scope="module")
def before(corpus: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, to be copied."""
    path = tmp_path_factory.mktemp("before") / "store.db"
    with open_store(path) as store:
        work(store, plan_run(store, replace(SETTINGS, corpus=corpus)))
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@pytest.fixture
def run(before: Path, tmp_path: Path) -> Iterator[Store]:
    (tmp_path / "store.db").write_bytes(before.read_bytes())
    with open_store(tmp_path / "store.db") as store:
        yield store


@pytest.fixture(scope="module")
def planned(corpus: str, tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """The results of a run that had all strategies from the start."""
    path = tmp_path_factory.mktemp("planned") / "store.db"
    all_of_them = (*SETTINGS.strategies, ADDED)
    with open_store(path) as store:
        work(store, plan_run(store, replace(SETTINGS, corpus=corpus, strategies=all_of_them)))
        return list(_results(store))


def test_added_at_the_end_it_is_as_if_planned_and_recorded(
    run: Store, planned: list[object]
) -> None:
    done = [{tuple(row) for row in run.rows(query)} for query in FINISHED_UNITS]
    for spec in (ADDED, "FC", "NO", "FC(token_size=3) , RC"):
        ask_for_strategy(run, 1, spec)
    work(run, 1)
    assert _results(run) == planned
    for query, units in zip(FINISHED_UNITS, done, strict=True):
        assert units <= {tuple(row) for row in run.rows(query)}, "done again"
    manifest = json.loads(run.value("SELECT manifest FROM run"))
    assert list(manifest["added"]) == [ADDED]
    assert manifest["strategies"][ADDED] == {"token_size": 30, "overlap": 0}
    errors = [row[0] for row in run.rows("SELECT text FROM event WHERE level = 'error'")]
    assert len(errors) == 3
    assert errors[0] == "FC was not added: FC is in run 1 already: change a parameter first"


def test_added_while_the_engine_is_at_work_it_joins(
    corpus: str, planned: list[object], tmp_path: Path
) -> None:
    with open_store(tmp_path / "store.db") as store:
        plan_run(store, replace(SETTINGS, corpus=corpus))
        worker = _start(store)
        _wait_for(store, worker, "SELECT count(*) FROM chunk_unit")
        ask_for_strategy(store, 1, ADDED)
        assert worker.wait(SECONDS) == 0
        assert _results(store) == planned


def test_killed_and_started_again_and_again_it_ends_the_same(
    run: Store, planned: list[object]
) -> None:
    ask_for_strategy(run, 1, ADDED)
    for condition in MOMENTS.values():
        worker = _start(run)
        _wait_for(run, worker, condition)
        worker.kill()
        worker.wait()
    assert _start(run).wait(SECONDS) == 0
    assert _results(run) == planned


def _wait_for(store: Store, worker: subprocess.Popen[bytes], condition: str) -> None:
    until = time.monotonic() + SECONDS
    while not store.value(condition) and worker.poll() is None:
        assert time.monotonic() < until, f"not within {SECONDS} s: {condition}"
        time.sleep(0.001)
