"""Strategies that are added to a run after it was planned. Writes happen inside `write()`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from chunkbench_store.database import now

if TYPE_CHECKING:
    from chunkbench_store.database import Store
    from chunkbench_store.runs import NewStrategy


def ask_for_strategy(store: Store, run: int, spec: str) -> None:
    """Ask the engine to add a strategy to a run; takes its own transaction."""
    with store.write():
        store.execute(
            "INSERT INTO control (run, at, command, spec) VALUES (?, ?, 'add', ?)",
            (run, now(), spec),
        )


def spec_asked(store: Store, control: int) -> str:
    """The spec of the strategy that is asked for."""
    return str(store.value("SELECT spec FROM control WHERE id = ?", (control,)))


def specs_waiting(store: Store, run: int) -> list[str]:
    """Specs that were asked for and that the engine has not yet taken up."""
    return [
        row[0]
        for row in store.rows(
            "SELECT spec FROM control WHERE run = ? AND command = 'add' AND handled_at IS NULL"
            " ORDER BY id",
            (run,),
        )
    ]


def labels_of(store: Store, run: int) -> set[str]:
    """Labels of all strategies of a run."""
    return {row[0] for row in store.rows("SELECT label FROM chunk_set WHERE run = ?", (run,))}


def put_added_strategy(store: Store, run: int, strategy: NewStrategy, language_model: str) -> int:
    """Plan a strategy under every experiment of the run, after its others; the chunk set's id.

    The manifest records its parameters, and when it was added.

    Args:
        language_model: the one it asks; "" if it asks none.
    """
    chunk_set = store.execute(
        "INSERT INTO chunk_set (run, position, label, abbreviation, family, parameters)"
        " VALUES (?, (SELECT max(position) + 1 FROM chunk_set WHERE run = ?), ?, ?, ?, ?)",
        (
            run,
            run,
            strategy.label,
            strategy.abbreviation,
            strategy.family,
            json.dumps(strategy.parameters),
        ),
    )
    # In the order in which the experiments were planned.
    store.execute(
        "INSERT INTO config (run, chunk_set, model, retrieval) SELECT run, ?, model, retrieval"
        " FROM config WHERE run = ? GROUP BY model, retrieval ORDER BY min(id)",
        (chunk_set, run),
    )
    changes = {
        "strategies": {strategy.label: strategy.parameters},
        "added": {strategy.label: now()},
    }
    if language_model:
        changes["language_model"] = language_model
    store.execute(
        "UPDATE run SET manifest = json_patch(manifest, ?) WHERE id = ?",
        (json.dumps(changes), run),
    )
    return chunk_set
