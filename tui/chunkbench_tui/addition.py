"""Asking for a strategy to join a run, from the app or the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.errors import BadInput
from chunkbench_store import additions
from chunkbench_store.live import run_summary

if TYPE_CHECKING:
    from chunkbench_store.database import Store


def ask_for_strategy(store: Store, run: int, label: str) -> bool:
    """Ask for it; whether an engine is there to hear it.

    Args:
        label: the strategy as the run would have it (`ConfiguredStrategy.label`).

    Raises:
        BadInput: there is no such run, or it has the strategy already.
    """
    if run_summary(store, run) is None:
        raise BadInput(f"there is no run {run}: see chunkbench-tui runs")
    if label in additions.labels_of(store, run):
        raise BadInput(f"{label} is in run {run} already: change a parameter first")
    if label in additions.specs_waiting(store, run):
        raise BadInput(f"{label} is being added to run {run} already")
    additions.ask_for_strategy(store, run, label)
    # Looked at after asking: an engine that ends now has either heard of it, or is not alive.
    summary = run_summary(store, run)
    return summary is not None and summary.alive
