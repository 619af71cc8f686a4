"""Strategies that ask a language model within a run, with a server that is there or is not."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from chunkbench_engine.run.plan import plan_run
from chunkbench_engine.run.settings import Settings
from chunkbench_store.database import Store, open_store
from chunkbench_store.runs import ask

from ...ollama_server import OllamaServer, free_port, obedient, ollama_server

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SECONDS = 120


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.md").write_text("# Cats\n\nCats purr. They sleep a lot.\n\nThey eat fish.\n")
    (folder / "b.md").write_text("# Banks\n\nBanks lend. Some fail.\n\nThen savers run.\n")
    question = {
        "id": "q1",
        "question": "What do cats eat?",
        "evidence": [{"document": "a.md", "text": "They eat fish."}],
    }
    (folder / "questions.jsonl").write_text(json.dumps(question) + "\n")
    return folder


def plan(store: Store, corpus: Path, url: str, strategies: Sequence[str]) -> int:
    settings = Settings(
        str(corpus),
        strategies=tuple(strategies),
        ollama=(url,),
        language_model="tiny",
        repeat=1,
    )
    return plan_run(store, settings)


def work(store: Store, run: int) -> None:
    command = [sys.executable, "-m", "chunkbench_engine.run.worker", str(store.path), str(run)]
    assert subprocess.run(command, timeout=SECONDS, check=False).returncode == 0


def states(store: Store) -> dict[str, tuple[str, str]]:
    rows = store.rows(
        "SELECT label, config.state, config.reason FROM config"
        " JOIN chunk_set ON chunk_set.id = chunk_set"
    )
    return {row[0]: (row[1], row[2]) for row in rows}


def chunks(store: Store) -> list[tuple[Any, ...]]:
    return [
        tuple(row)
        for row in store.rows(
            'SELECT label, ordinal, document, start, "end", prefix FROM chunk'
            " JOIN chunk_set ON chunk_set.id = chunk_set WHERE chunk_set.run = "
            "(SELECT max(id) FROM run) ORDER BY label, ordinal"
        )
    ]


def test_they_are_ranked_with_the_others_and_a_second_run_asks_nothing(
    ollama: OllamaServer, corpus: Path, tmp_path: Path
) -> None:
    def answer(body: dict[str, Any]) -> str:
        asked = json.dumps(body["messages"])
        if "<passage>" in asked:
            time.sleep(0.1)
        return "Banks? No comment." if "Banks" in asked else obedient(body["format"], asked)

    ollama.answer = answer
    strategies = ["CTX(PBC)", "LBDC", "FC", "PBC >> LSTC(max=20)"]
    with open_store(tmp_path / "store.db") as store:
        work(store, plan(store, corpus, ollama.url, strategies))
        assert states(store) == dict.fromkeys(strategies, ("finished", ""))
        first = chunks(store)
        prefixes = [row[5] for row in first if row[0] == "CTX(PBC)"]
        assert [bool(prefix) for prefix in prefixes] == [True] * 3 + [False] * 3
        asked = len(ollama.asked)
        warnings = {row[0] for row in store.rows("SELECT text FROM event WHERE level = 'warning'")}
        assert warnings >= {
            "LBDC: 1 of 2 windows got no usable answer: no boundary there",
            "PBC >> LSTC(max=20): 1 of 2 windows got no usable answer: no boundary there",
            "CTX(PBC): 3 of 6 contexts got no usable answer: those chunks have none",
        }
        manifest = json.loads(store.value("SELECT manifest FROM run"))
        assert manifest["language_model"] == "tiny"

        work(store, plan(store, corpus, ollama.url, strategies))
        assert chunks(store) == first
        assert len(ollama.asked) == asked
        (before, _), (after, paid) = store.rows(
            "SELECT own_seconds, paid_seconds FROM chunk_set WHERE label = 'CTX(PBC)' ORDER BY id"
        )
        assert before > 0
        assert after > paid, "what is known costs what it did, but is not paid again"


def test_without_a_server_they_are_unavailable_and_a_failure_is_told_until_it_is_mended(
    corpus: Path, tmp_path: Path
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with open_store(tmp_path / "store.db") as store:
        run = plan(store, corpus, url, ["LBDC", "FC"])
        work(store, run)
        reason = f"no Ollama server at {url}: start it with ollama serve"
        assert states(store) == {"LBDC": ("unavailable", reason), "FC": ("finished", "")}

        strategy = store.value("SELECT id FROM chunk_set WHERE label = 'LBDC'")
        ask(store, run, "retry", strategy)
        with ollama_server(port) as server:
            server.faults.extend(["", "refuse"])  # it is warmed up on a text of its own
            work(store, run)
            reason = f"Ollama at {url} refuses to answer: invalid format"
            assert states(store)["LBDC"] == ("failed", reason)

            ask(store, run, "retry", strategy)
            work(store, run)
        assert states(store) == dict.fromkeys(["LBDC", "FC"], ("finished", ""))
