"""Anyone's chunkers in a run: each fails alone, and what they lose is said."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chunkbench_engine.run.settings import Settings
from chunkbench_store.database import Store, open_store

OWN = """
import os
import time
import threading

def good(text, size=60):
    return [text[at:at + size] for at in range(0, len(text), size)]

def lossy(text):
    return ["In short: it is about cats.", *text.split("\\n\\n")[:1]]

def picky(text):
    if len(text) < 100:
        raise ValueError("too short")
    return [text]

def failing(text):
    raise ValueError("no luck")

def nothing(text):
    pass

def nonsense(text):
    return 7

def beyond(text):
    return [(0, 10_000)]

def never(text):
    while True:
        time.sleep(0.01)

def stubborn(text):
    threading.Thread(target=never, args=(text,)).start()
    return never(text)

def gone(text):
    os._exit(0)

def no_chunk(text):
    return []
"""
NAMES = (
    "RC", "own:good", "own:good >> SBC", "own:lossy", "own:picky", "own:failing", "own:nothing",
    "own:nonsense", "own:beyond", "own:never", "own:stubborn", "own:gone", "own:no_chunk",
)  # fmt: skip


def engine(module: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", f"chunkbench_engine.run.{module}", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def settings(folder: Path, *strategies: str) -> Settings:
    return Settings(
        corpus=str(folder / "docs"),
        strategies=strategies,
        models=("wordllama-64",),
        repeat=1,
        document_seconds=1.0,
    )


def plan(folder: Path, settings: Settings) -> subprocess.CompletedProcess[str]:
    store = str(folder / "store.db")
    return engine("plan", store, json.dumps(settings.as_dict()), folder=folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    docs = folder / "docs"
    docs.mkdir()
    for number, animal in enumerate(("cat", "dog", "hen")):
        (docs / f"{animal}.md").write_text(
            f"The {animal} is animal number {number}. It sleeps in the yard all day long.\n\n"
            f"In the evening the {animal} comes to the door. Nobody knows what it wants there.\n"
        )
    rows = [
        {
            "question": f"Which number has the {animal}?",
            "evidence": [{"document": f"{animal}.md", "text": f"The {animal} is animal number"}],
        }
        for animal in ("cat", "dog", "hen")
    ]
    (docs / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "own.py").write_text(OWN)
    return folder


@pytest.fixture(scope="module")
def done(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The store of a run that was planned where `own.py` is, and carried out from elsewhere."""
    planned = plan(folder, settings(folder, *NAMES))
    assert planned.returncode == 0, planned.stderr
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    worker = engine("worker", str(folder / "store.db"), planned.stdout.strip(), folder=elsewhere)
    assert worker.returncode == 0, worker.stderr
    with open_store(folder / "store.db") as store:
        yield store


def outcome(store: Store, label: str) -> tuple[Any, ...]:
    row = store.row("SELECT state, reason FROM chunk_set WHERE label = ?", (label,))
    assert row is not None
    return tuple(row)


@pytest.mark.parametrize("label", ["RC", "own:good", "own:good >> SBC", "own:lossy", "own:picky"])
def test_what_can_be_chunked_is_measured_to_the_end(done: Store, label: str) -> None:
    assert outcome(done, label) == ("done", "")
    state = done.value(
        "SELECT config.state FROM config JOIN chunk_set ON chunk_set.id = chunk_set"
        " WHERE label = ?",
        (label,),
    )
    assert state == "finished"


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        ("own:failing", "given cat.md, it raised ValueError: no luck (own.py, line "),
        ("own:nothing", "given cat.md, it returned nothing (None): it must return "),
        ("own:nonsense", "given cat.md, it returned a value of type int: it must return "),
        ("own:beyond", "given cat.md, it returned the span (0, 10000), which is outside "),
        ("own:never", "took longer than 1 seconds over one document: stopped"),
        ("own:stubborn", "took longer than 1 seconds over one document: stopped"),
        ("own:gone", "ended without a word"),
        ("own:no_chunk", "it returned no chunk for any of the documents"),
    ],
)
def test_what_cannot_be_chunked_fails_alone_with_a_sentence(
    done: Store, label: str, reason: str
) -> None:
    state, said = outcome(done, label)
    assert state == "failed"
    assert said.startswith(reason)


def test_the_run_is_finished_all_the_same(done: Store) -> None:
    assert done.value("SELECT state FROM run") == "finished"


def test_what_was_lost_is_told_once_for_all_documents(done: Store) -> None:
    texts = [row[0] for row in done.rows("SELECT text FROM event WHERE text GLOB 'own:lossy*'")]
    assert len(texts) == 2
    assert texts[0].startswith("own:lossy: 3 of 6 chunks (")
    assert texts[0].endswith(" are not in the document's text and were left out")
    assert texts[1].startswith("own:lossy: its chunks leave out 5")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("own_nowhere:split", "there is no module own_nowhere, neither in "),
        ("own:goood", "own.py) has no goood; did you mean good?"),
        ("own:good(length=3)", "own:good is called with a text and length, but: "),
    ],
)
def test_a_run_with_a_callable_that_is_not_there_is_not_planned(
    folder: Path, spec: str, said: str
) -> None:
    planned = plan(folder, settings(folder, "RC", spec))
    assert planned.returncode == 2
    assert said in planned.stderr
    assert len(planned.stderr.splitlines()) == 1


def test_what_a_module_prints_does_not_spoil_the_plan(folder: Path) -> None:
    (folder / "own_loud.py").write_text("print('hello')\ndef split(text):\n    return [text]\n")
    planned = plan(folder, settings(folder, "own_loud:split"))
    assert planned.returncode == 0
    assert planned.stdout.strip().isdigit()
