"""`add`: one more strategy, or a sweep, for a run that was planned without it."""

from __future__ import annotations

from typing import Annotated

import typer

from chunkbench_engine.errors import BadInput
from chunkbench_engine.run.launch import start_engine
from chunkbench_engine.run.settings import settings_from
from chunkbench_store.database import Store, default_path, open_store
from chunkbench_store.runs import run_of
from chunkbench_tui.addition import ask_for_strategies
from chunkbench_tui.commands.options import Db, Run
from chunkbench_tui.commands.run import watch
from chunkbench_tui.console import command, say


def add(
    number: Run,
    strategy: Annotated[
        list[str],
        typer.Option(
            "--strategy", "-s", metavar="SPEC", help="Strategy or sweep; may be repeated."
        ),
    ],
    detach: Annotated[bool, typer.Option("--detach", help="Ask for it and leave.")] = False,
    db: Db = None,
) -> None:
    """Add strategies to a run.

    What the run has done already is not done again.
    """
    path = db or default_path()
    with open_store(path, create=False) as store:
        labels = _labels(store, number, strategy)
        alive = ask_for_strategies(store, number, labels)
    if not alive:
        start_engine(path, number)
    if detach:
        joined = ", ".join(labels)
        say(f"{joined} joins run {number}. Watch it with {command('open', path)}.")
        return
    raise typer.Exit(watch(path, number))


def _labels(store: Store, run: int, specs: list[str]) -> list[str]:
    """Of every strategy that the specs name; all are checked before any is asked for."""
    from chunkbench_engine.chunkers.spec import parse_specs
    from chunkbench_engine.run.addition import check_addition

    row = run_of(store, run)
    if row is None:
        raise BadInput(f"there is no run {run}: see chunkbench-tui runs")
    folder = settings_from(row.settings).folder
    labels = list(dict.fromkeys(s.label for spec in specs for s in parse_specs(spec)))
    return [check_addition(store, run, label, folder).label for label in labels]
