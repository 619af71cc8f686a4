"""`agreement`: how far the judges of a run agree, passage by passage."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

from chunkbench_engine.errors import BadInput
from chunkbench_engine.run.spot_check import answers_of
from chunkbench_store.database import Store, default_path, open_store
from chunkbench_store.judgements import judges_of, pairs_of
from chunkbench_store.runs import run_of
from chunkbench_tui.commands.options import AsJson, Db, Run
from chunkbench_tui.console import command, say, write

if TYPE_CHECKING:
    from chunkbench_store.judgements import Pair

FEW = 30
"""Passages below which kappa says little."""


def agreement(
    number: Run,
    as_json: AsJson = False,
    db: Db = None,
) -> None:
    """Compare the grades of every two judges of a run."""
    with open_store(db or default_path(), create=False) as store:
        run = run_of(store, number)
        if run is None:
            raise BadInput(f"there is no run {number}: see chunkbench-tui runs")
        gradable = bool(answers_of(store, run))
        pairs, judges = list(pairs_of(store, number)), judges_of(store, number)
    if as_json:
        write(json.dumps([_content(pair) for pair in pairs], indent=2, ensure_ascii=False) + "\n")
        return
    if not pairs:
        has = f"only {judges[0]} has" if judges else "no judge has"
        say(f"There is nothing to compare: {has} graded what run {number} retrieved.")
        if gradable:
            grade = command(f"spot-check {number}", db or default_path())
            say(f"{grade} lets you grade a sample yourself.")
    for pair in pairs:
        _print_pair(pair)


def print_agreement(store: Store, run: int, judge: str) -> None:
    """How far a judge agrees with each of the others."""
    for pair in pairs_of(store, run):
        if judge in (pair.first, pair.second):
            _print_pair(pair)


def _content(pair: Pair) -> dict[str, object]:
    from chunkbench_engine.measures.agreement import agreement as agreement_of

    return {**dataclasses.asdict(pair), **dataclasses.asdict(agreement_of(pair.counts))}


def _print_pair(pair: Pair) -> None:
    from chunkbench_engine.measures.agreement import agreement as agreement_of

    found = agreement_of(pair.counts)
    say(f"{pair.first}  and  {pair.second}")
    few = f"; fewer than {FEW} passages say little" if found.passages < FEW else ""
    say(
        f"  {found.passages:,} passages, {found.exact * 100:.1f} % the same grade, "
        f"kappa {_number(found.kappa)} (linear weights), Pearson r {_number(found.pearson)}{few}"
    )
    say(f"  {'':>12}" + "".join(f"{f'second {grade}':>10}" for grade in range(3)))
    for grade, row in enumerate(pair.counts):
        say(f"  {f'first {grade}':>12}" + "".join(f"{count:>10,}" for count in row))


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
