"""Asking for a strategy to join a run, from the app or the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.errors import BadInput
from chunkbench_store import additions
from chunkbench_store.live import run_summary
from chunkbench_store.runs import set_run_state
from chunkbench_tui.board import ENDED_WITHOUT_RESULT
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_store.database import Store
    from chunkbench_store.live import BoardRow, LiveRun


def ask_for_strategies(store: Store, run: int, labels: Sequence[str]) -> bool:
    """Ask for them, all or none; whether an engine is there to hear it, else the run awaits one.

    Args:
        labels: the strategies as the run would have them (`ConfiguredStrategy.label`).

    Raises:
        BadInput: there is no such run, or it has one of the strategies already.
    """
    if run_summary(store, run) is None:
        raise BadInput(f"there is no run {run}: see chunkbench-tui runs")
    known, waiting = additions.labels_of(store, run), additions.specs_waiting(store, run)
    for label in labels:
        if label in known:
            raise BadInput(f"{label} is in run {run} already: change a parameter first")
        if label in waiting:
            raise BadInput(f"{label} is being added to run {run} already")
    for label in labels:
        additions.ask_for_strategy(store, run, label)
    # Looked at after asking: an engine that ends now has either heard of it, or is not alive.
    summary = run_summary(store, run)
    alive = summary is not None and summary.alive
    if not alive:
        with store.write():
            set_run_state(store, run, "pending")
    return alive


def added_row(live: LiveRun, added: tuple[str, int]) -> BoardRow | None:
    """The row of a setting under the model and retrieval of the strategy it was tried on.

    Args:
        added: its label, and the configuration that it was tried on.
    """
    label, original = added
    experiment = next((row.experiment for row in live.board if row.config == original), None)
    rows = (row for row in live.board if row.label == label and row.experiment == experiment)
    return next(rows, None)


def added_text(live: LiveRun, added: tuple[str, int], measure: str) -> str:
    """How a setting that was added stands against the one it was tried on."""
    label, original = added
    row = added_row(live, added)
    if row is None:
        return f"adding {shown(label)}…"
    value = row.value(measure)
    before = next((other.value(measure) for other in live.board if other.config == original), None)
    if row.state in ENDED_WITHOUT_RESULT:
        return f"{shown(label)} {row.state}"
    if value is None or before is None:
        return f"{shown(label)}: {row.state}…"
    return f"{shown(label)} {value - before:+.3f}"
