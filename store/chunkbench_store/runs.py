"""Runs: their plan, their state, their events, and what a person asks of them."""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunkbench_store.database import now

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_store.database import Store

STAGES = ("chunk", "embed", "retrieve", "judge")
STAGES_WITHOUT_QUESTIONS = STAGES[:2]
HEARTBEAT_SECONDS = 1.0
LOST_AFTER_SECONDS = 10.0
"""A running run whose heartbeat is older than this has lost its engine."""


@dataclass(frozen=True, slots=True)
class NewStrategy:
    """A strategy of a run's plan; `unavailable` is the reason why it cannot be run, if so."""

    label: str
    abbreviation: str
    family: str
    parameters: dict[str, Any]
    unavailable: str = ""


@dataclass(frozen=True, slots=True)
class NewExperiment:
    """An embedding model and a way of retrieving; every strategy is run under each.

    `model` is "" for lexical retrieval, which has none.
    """

    model: str
    retrieval: str = "dense"


@dataclass(frozen=True, slots=True)
class RunRow:
    id: int
    corpus: int
    question_set: int
    state: str
    reason: str
    settings: dict[str, Any]
    manifest: dict[str, Any]
    busy_seconds: float


def put_run(
    store: Store,
    corpus: int,
    question_set: int,
    settings: dict[str, Any],
    manifest: dict[str, Any],
    strategies: Sequence[NewStrategy],
    experiments: Sequence[NewExperiment],
    stages: Sequence[str] = STAGES,
) -> int:
    """Write the whole plan of a run, inside `write()`; its id."""
    run = store.execute(
        "INSERT INTO run (corpus, question_set, state, settings, manifest, created_at)"
        " VALUES (?, ?, 'pending', ?, ?, ?)",
        (corpus, question_set, json.dumps(settings), json.dumps(manifest), now()),
    )
    for position, strategy in enumerate(strategies):
        state = "unavailable" if strategy.unavailable else "waiting"
        chunk_set = store.execute(
            "INSERT INTO chunk_set"
            " (run, position, label, abbreviation, family, parameters, state, reason)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                run,
                position,
                strategy.label,
                strategy.abbreviation,
                strategy.family,
                json.dumps(strategy.parameters),
                state,
                strategy.unavailable,
            ),
        )
        for experiment in experiments:
            store.execute(
                "INSERT INTO config (run, chunk_set, model, retrieval, state, reason)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (
                    run,
                    chunk_set,
                    experiment.model,
                    experiment.retrieval,
                    state,
                    strategy.unavailable,
                ),
            )
    for position, name in enumerate(stages):
        store.execute(
            "INSERT INTO stage (run, position, name, done, total, busy_seconds)"
            " VALUES (?, ?, ?, 0, 0, 0)",
            (run, position, name),
        )
    return run


def run_of(store: Store, run: int) -> RunRow | None:
    row = store.row(
        "SELECT id, corpus, question_set, state, reason, settings, manifest, busy_seconds"
        " FROM run WHERE id = ?",
        (run,),
    )
    if row is None:
        return None
    return RunRow(
        row["id"],
        row["corpus"],
        row["question_set"],
        row["state"],
        row["reason"],
        json.loads(row["settings"]),
        json.loads(row["manifest"]),
        row["busy_seconds"],
    )


def set_run_state(store: Store, run: int, state: str, reason: str = "") -> None:
    """Change a run's state, inside `write()`, with the times that go with it."""
    store.execute("UPDATE run SET state = ?, reason = ? WHERE id = ?", (state, reason, run))
    if state == "running":
        store.execute(
            "UPDATE run SET started_at = coalesce(started_at, ?), finished_at = NULL,"
            " heartbeat_at = ? WHERE id = ?",
            (now(), now(), run),
        )
    elif state in ("finished", "failed", "stopped"):
        store.execute("UPDATE run SET finished_at = ?, worker = NULL WHERE id = ?", (now(), run))


def beat(store: Store, run: int, worker: int, rss: int, elapsed: float) -> None:
    """Say that the engine is alive, inside `write()`."""
    store.execute(
        "UPDATE run SET worker = ?, worker_rss = ?, heartbeat_at = ?,"
        " busy_seconds = busy_seconds + ? WHERE id = ?",
        (worker, rss, now(), elapsed, run),
    )


def add_event(store: Store, run: int, text: str, level: str = "info") -> None:
    """Tell the person what happened, inside `write()`."""
    store.execute(
        "INSERT INTO event (run, at, level, text) VALUES (?, ?, ?, ?)", (run, now(), level, text)
    )


def note_model(store: Store, run: int, name: str, identity: str) -> None:
    """Add to the manifest which weights a model's name stands for, inside `write()`."""
    store.execute(
        "UPDATE run SET manifest = json_patch(manifest, json_object('models', json_object(?, ?)))"
        " WHERE id = ?",
        (name, identity, run),
    )


def set_stage(store: Store, run: int, name: str, done: float, total: float) -> None:
    store.execute(
        "UPDATE stage SET done = ?, total = ? WHERE run = ? AND name = ?", (done, total, run, name)
    )


def add_stage_seconds(store: Store, run: int, name: str, seconds: float) -> None:
    store.execute(
        "UPDATE stage SET busy_seconds = busy_seconds + ? WHERE run = ? AND name = ?",
        (seconds, run, name),
    )


def ask(store: Store, run: int, command: str, chunk_set: int | None = None) -> None:
    """Ask the engine for something: pause, resume, stop; cancel or retry one strategy."""
    with store.write():
        store.execute(
            "INSERT INTO control (run, at, command, chunk_set) VALUES (?, ?, ?, ?)",
            (run, now(), command, chunk_set),
        )


def asked(store: Store, run: int) -> list[tuple[int, str, int | None]]:
    """What is asked and not yet handled: (id, command, chunk set), oldest first."""
    return [
        (row[0], row[1], row[2])
        for row in store.rows(
            "SELECT id, command, chunk_set FROM control"
            " WHERE run = ? AND handled_at IS NULL ORDER BY id",
            (run,),
        )
    ]


def forget_stops(store: Store, run: int) -> None:
    """Drop what stops or pauses an engine and was asked of one that has gone, inside `write()`."""
    store.execute(
        "UPDATE control SET handled_at = ?"
        " WHERE run = ? AND command IN ('stop', 'pause') AND handled_at IS NULL",
        (now(), run),
    )


def mark_handled(store: Store, control: int) -> None:
    store.execute("UPDATE control SET handled_at = ? WHERE id = ?", (now(), control))


def seconds_since(moment: str | None) -> float | None:
    """Age of a stored time, in seconds."""
    if moment is None:
        return None
    age = datetime.datetime.now(datetime.UTC) - datetime.datetime.fromisoformat(moment)
    return age.total_seconds()


def delete_run(store: Store, run: int) -> None:
    """Forget a run and all it has produced, inside `write()`."""
    store.execute("DELETE FROM run WHERE id = ?", (run,))
    store.execute("DELETE FROM question_set WHERE id NOT IN (SELECT question_set FROM run)")
    store.execute("DELETE FROM corpus WHERE id NOT IN (SELECT corpus FROM run)")
    store.execute("DELETE FROM document_text WHERE sha256 NOT IN (SELECT sha256 FROM document)")
