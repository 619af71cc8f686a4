"""`compare` and `export-baseline`: is a run better than another, and a gate for CI."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from chunkbench_engine.errors import BadInput
from chunkbench_store.database import default_path, open_store
from chunkbench_tui.commands.options import AsJson, Db, Run
from chunkbench_tui.console import command, console, say, say_error, write

if TYPE_CHECKING:
    from chunkbench_engine.compare.comparison import Comparison, Difference, Pair
    from chunkbench_engine.compare.gate import Failure
    from chunkbench_engine.compare.side import Side

_COLUMNS = (
    ("measure", 12),
    ("base", 7),
    ("now", 7),
    ("difference", 10),
    ("95 %", 16),
    ("p", 7),
)


def compare(
    base: Annotated[
        str, typer.Argument(metavar="BASE", help="Number of a run, or a baseline file.")
    ],
    run: Annotated[str, typer.Argument(metavar="RUN", help="Number of a run, or a baseline file.")],
    base_strategy: Annotated[
        str,
        typer.Option(
            "--base", metavar="SPEC", help="BASE's strategy to compare with, else the same one."
        ),
    ] = "",
    with_strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--with", metavar="SPEC", help="RUN's strategy to compare, else all; may be repeated."
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="MEASURE", help="As Recall@5, else the main ones; may be repeated."),
    ] = None,
    fail_if: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION",
            help="Exit with status 1 if a difference is so, as 'ndcg@5 < -0.02' or "
            "'recall@5 < 0 significant'; may be repeated.",
        ),
    ] = None,
    as_json: AsJson = False,
    db: Db = None,
) -> None:
    """Compare two runs, strategy by strategy.

    Only over the questions that both were asked.
    """
    from chunkbench_engine.compare.comparison import compare as compared
    from chunkbench_engine.compare.gate import failures, parse_gate

    gates = [parse_gate(text) for text in fail_if or ()]
    path = db or default_path()
    found = compared(
        _side(base, path),
        _side(run, path),
        base_strategy=_label(base_strategy),
        with_strategies=[_label(name) for name in with_strategy or ()],
        measures=measure or (),
        also=[str(gate.measure) for gate in gates],
    )
    failed = failures(gates, found)
    if as_json:
        content = {
            **found.as_dict(),
            "gates": [str(gate) for gate in gates],
            "failures": [asdict(failure) for failure in failed],
        }
        write(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    else:
        _print(found)
    _say_gates(len(gates), failed, to_errors=as_json)
    if failed:
        raise typer.Exit(1)


def export_baseline(
    number: Run,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="JSON file to write.")
    ],
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy", "-s", metavar="SPEC", help="Strategy to keep, else all; may be repeated."
        ),
    ] = None,
    db: Db = None,
) -> None:
    """Write a run's scores to a file to compare with."""
    from chunkbench_engine.compare.baseline import baseline_text

    path = db or default_path()
    side = _side(str(number), path)
    text = baseline_text(side, [_label(name) for name in strategy or ()])
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {error.strerror}") from error
    again = command(f"compare {shlex.quote(str(output))} RUN", path)
    say(f"{output} is written. Compare a later run with it: {again}")


def _side(named: str, db: Path) -> Side:
    """A run by its number, or a baseline by its file."""
    from chunkbench_engine.compare.baseline import read_baseline
    from chunkbench_engine.compare.side import side_of_run

    if named.isascii() and named.isdigit():
        with open_store(db, create=False) as store:
            return side_of_run(store, int(named))
    if not Path(named).is_file():
        raise BadInput(f"{named} is neither the number of a run nor a baseline file")
    return read_baseline(Path(named))


def _label(spec: str) -> str:
    """A strategy's label, whichever way it was written; anyone's own code is not imported."""
    from chunkbench_engine.chunkers.spec import parse_spec

    return parse_spec(spec).label if spec else ""


def _print(found: Comparison) -> None:
    over = f"{found.questions} shared questions"
    over += f" of {found.split}" if found.split else ""
    say(f"{found.run} compared with {found.base}: {found.corpus}, {over}")
    for entry in found.unlike:
        if entry.matters:
            say(f"! {entry.said}")
    for note in found.notes:
        say(f"! {note}")
    for lost in found.lost:
        say(f"! {lost}.")
    several = len({pair.experiment for pair in found.pairs}) > 1
    names = [f"{p.name} ({p.experiment})" if several else p.name for p in found.pairs]
    moved = [any(d.difference for d in pair.differences) for pair in found.pairs]
    say("")
    if any(moved):
        for name, pair, has in zip(names, found.pairs, moved, strict=True):
            if has:
                _print_pair(name, pair)
        say("")
        holm = f", Holm-corrected over {sum(moved)} strategies" if sum(moved) > 1 else ""
        say(
            "Difference: the mean now less the mean of the base (shares in percentage points), "
            f"with its paired bootstrap interval; p of a paired permutation test{holm}."
        )
    alike = [name for name, has in zip(names, moved, strict=True) if not has]
    if alike:
        say(f"No difference in any of the measures compared: {', '.join(alike)}.")
    for title, labels in (("Only in " + found.base, found.only_base),
                          ("Only in " + found.run, found.only_run)):  # fmt: skip
        if labels:
            say(f"{title}: {', '.join(labels)}.")
    for entry in found.unlike:
        if not entry.matters:
            say(entry.said)
    if not found.unlike:
        say("The manifests agree.")


def _print_pair(name: str, pair: Pair) -> None:
    say(name)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    # Widths that most values fit, so that the blocks stand under each other.
    for title, width in _COLUMNS:
        right = title != "measure"
        table.add_column(title, justify="right" if right else "left", no_wrap=True, min_width=width)
    table.add_column("", no_wrap=True)
    for difference in pair.differences:
        table.add_row(*difference_cells(difference))
    console.print(table)


def difference_cells(difference: Difference) -> tuple[str, ...]:
    """A measure's name, both means, the difference, its interval, p, and what that says."""
    from chunkbench_engine.measures.measure import parse_measure

    measure = parse_measure(difference.measure)

    def signed(value: float) -> str:
        text = measure.format(abs(value)).removesuffix(" %")
        return text if not text.strip("0.,") else f"{'-' if value < 0 else '+'}{text}"

    interval, p = "", ""
    if difference.low is not None and difference.high is not None:
        interval = f"{signed(difference.low)} to {signed(difference.high)}"
    if difference.p is not None:
        p = "< 0.001" if difference.p < 0.001 else f"{difference.p:.3f}"
    return (
        difference.measure,
        measure.format(difference.base),
        measure.format(difference.run),
        signed(difference.difference),
        interval,
        p,
        difference.direction,
    )


def _say_gates(gates: int, failed: list[Failure], *, to_errors: bool) -> None:
    """Which gate failed and by how much; nothing where there is none."""
    tell = say_error if to_errors else say
    for failure in failed:
        tell(f"FAILED {failure.said}")
    if gates and not failed:
        tell("Passed: no difference is as --fail-if says.")
