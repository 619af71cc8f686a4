"""What a person asks of the engine through the store: pause, resume, stop, cancel, retry."""

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from chunkbench_engine.run.plan import plan_run
from chunkbench_engine.run.settings import Settings
from chunkbench_store.database import Store, open_store
from chunkbench_store.live import run_summary
from chunkbench_store.runs import ask

ROOT = Path(__file__).parents[3]
SETTINGS = Settings(
    corpus=str(ROOT / "sample_corpus" / "biology"),
    strategies=("FC", "RC", "SBC", "SGC", "PBC", "PGC", "FCC", "DFC", "LAC", "OFC"),
    repeat=1,
)
SECONDS = 60
# The strategy that questions are being asked of.
_UNDER_WAY = "SELECT chunk_set FROM config WHERE id = (SELECT max(config) FROM retrieval)"


def _start(path: Path, run: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "chunkbench_engine.run.worker", str(path), str(run)]
    )


def _until(store: Store, query: str, wanted: object = 1) -> None:
    until = time.monotonic() + SECONDS
    while store.value(query) != wanted:
        assert time.monotonic() < until, f"not within {SECONDS} s: {query} = {wanted}"
        time.sleep(0.005)


def _label(store: Store, label: str) -> int:
    return int(store.value("SELECT id FROM chunk_set WHERE label = ?", (label,)))


def test_paused_it_does_nothing_until_it_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        run = plan_run(store, SETTINGS)
        worker = _start(path, run)
        _until(store, "SELECT count(*) > 2 FROM chunk_unit")
        ask(store, run, "pause")
        _until(store, "SELECT state FROM run", "paused")
        time.sleep(1.0)  # the unit under way ends
        before = store.value("SELECT count(*) FROM chunk_unit")
        beat = store.value("SELECT heartbeat_at FROM run")
        time.sleep(2.5)
        assert store.value("SELECT count(*) FROM chunk_unit") == before
        assert store.value("SELECT heartbeat_at FROM run") != beat, "it is alive, and says so"
        ask(store, run, "resume")
        assert worker.wait(SECONDS) == 0
        assert store.value("SELECT state FROM run") == "finished"


def test_stopped_it_ends_and_can_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        run = plan_run(store, SETTINGS)
        worker = _start(path, run)
        _until(store, "SELECT count(*) > 2 FROM chunk_unit")
        ask(store, run, "stop")
        assert worker.wait(SECONDS) == 0
        assert store.value("SELECT state FROM run") == "stopped"
        assert _start(path, run).wait(SECONDS) == 0
        assert store.value("SELECT state FROM run") == "finished"


def test_a_termination_signal_stops_it_as_a_person_would(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        run = plan_run(store, SETTINGS)
        worker = _start(path, run)
        _until(store, "SELECT count(*) > 2 FROM chunk_unit")
        worker.terminate()
        assert worker.wait(SECONDS) == 0
        assert store.value("SELECT state FROM run") == "stopped"


def test_a_cancelled_strategy_is_left_out_and_the_others_go_on(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        run = plan_run(store, SETTINGS)
        ask(store, run, "cancel", _label(store, "OFC"))
        assert _start(path, run).wait(SECONDS) == 0
        states = {
            row[0]: row[1]
            for row in store.rows(
                "SELECT label, config.state FROM config JOIN chunk_set ON chunk_set.id = chunk_set"
            )
        }
        assert states.pop("OFC") == "cancelled"
        assert set(states.values()) == {"finished"}


def test_a_strategy_can_be_tried_again_after_the_end(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        run = plan_run(store, SETTINGS)
        ask(store, run, "cancel", _label(store, "OFC"))
        assert _start(path, run).wait(SECONDS) == 0
        ask(store, run, "retry", _label(store, "OFC"))
        assert _start(path, run).wait(SECONDS) == 0
        assert store.value("SELECT count(*) FROM config WHERE state = 'finished'") == 10
        assert store.value("SELECT count(*) FROM measure WHERE provisional") == 0


def test_a_strategy_cancelled_while_it_is_retrieved_stays_out(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        run = plan_run(store, SETTINGS)
        worker = _start(path, run)
        _until(store, "SELECT count(*) > 3 FROM retrieval")
        chunk_set = store.value(_UNDER_WAY)
        ask(store, run, "cancel", chunk_set)
        assert worker.wait(SECONDS) == 0
        state = store.value("SELECT state FROM config WHERE chunk_set = ?", (chunk_set,))
        measures = store.value(
            "SELECT count(*) FROM measure JOIN config ON config.id = config WHERE chunk_set = ?",
            (chunk_set,),
        )
        # It may have been through before the engine heard of it; it is never half in the pool.
        assert state == "cancelled" if measures == 0 else state in ("finished", "cancelled")
        assert store.value("SELECT count(*) FROM config WHERE state = 'finished'") >= 9


def test_cancelled_and_tried_again_at_once_it_ends_as_if_nothing_had_happened(
    tmp_path: Path,
) -> None:
    results = []
    for disturbed in (False, True):
        path = tmp_path / f"{disturbed}.db"
        with open_store(path) as store:
            run = plan_run(store, SETTINGS)
            worker = _start(path, run)
            if disturbed:
                for moment in (3, 40):
                    _until(store, f"SELECT count(*) > {moment} FROM retrieval")
                    chunk_set = store.value(_UNDER_WAY)
                    ask(store, run, "cancel", chunk_set)
                    ask(store, run, "retry", chunk_set)
            assert worker.wait(SECONDS) == 0
            rows = store.rows(
                "SELECT strategy, measure, question, value FROM question_scores"
                " ORDER BY strategy, measure, question"
            )
            results.append([tuple(row) for row in rows])
    assert results[0] == results[1]


def test_stopped_while_a_strategy_chunks_it_does_not_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sleeper.py").write_text(
        "import time\ndef split(text):\n    time.sleep(600)\n    return [text]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "store.db"
    settings = replace(SETTINGS, strategies=("sleeper:split",), folder=str(tmp_path))
    with open_store(path) as store:
        run = plan_run(store, settings)
        worker = _start(path, run)
        _until(store, "SELECT count(*) FROM chunk_set WHERE state = 'running'")
        ask(store, run, "stop")
        assert worker.wait(SECONDS) == 0
        assert store.value("SELECT state FROM run") == "stopped"


def test_what_was_asked_of_an_engine_that_has_gone_does_not_stop_the_next(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        run = plan_run(store, SETTINGS)
        ask(store, run, "stop")
        assert _start(path, run).wait(SECONDS) == 0
        assert store.value("SELECT state FROM run") == "finished"


def test_an_engine_that_was_killed_is_seen_to_be_lost(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        run = plan_run(store, SETTINGS)
        worker = _start(path, run)
        _until(store, "SELECT count(*) > 0 FROM chunk_unit")
        worker.kill()
        worker.wait()
        with store.write():
            store.execute("UPDATE run SET heartbeat_at = '2020-01-01T00:00:00.000+00:00'")
        summary = run_summary(store, run)
        assert summary is not None
        assert summary.state == "lost"
