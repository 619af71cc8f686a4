"""The leaderboard as a table on a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from chunkbench_engine.counted import counted
from chunkbench_engine.judges.choice import EVIDENCE, PROXY, SUPPORT
from chunkbench_tui.console import command, console, say
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from chunkbench_store.live import BoardRow, LiveRun, RunSummary


TIED = "="
"""Beside a row that cannot be told apart from the first."""


def ranked(rows: tuple[BoardRow, ...], measure: str) -> list[BoardRow]:
    """Rows by a measure, best first; those without a value last, in the order of the plan."""
    return sorted(
        rows,
        key=lambda row: (row.value(measure) is None, -(row.value(measure) or 0.0)),
    )


def print_leaderboard(live: LiveRun, db: Path) -> None:
    """One table for each experiment, and what was spent on chunking."""
    for experiment in live.experiments:
        _print_experiment(live, experiment)
    if live.summary.judge == SUPPORT:
        say(f"The hits are graded {PROXY}.")
    sets = {row.chunk_set: row for row in live.board}.values()
    say(
        f"Chunking took {sum(row.paid_seconds for row in sets):.1f} s; the strategies one by one, "
        f"sharing nothing, would have taken {sum(row.cold_seconds for row in sets):.1f} s."
    )
    run = live.summary.id
    say(f"Run {run}: {command(f'report {run} -o report.html', db)}, or the app.")


def verdict_lines(live: LiveRun, experiment: str) -> list[str]:
    """What the marks in an experiment's table mean, and its verdict; nothing until that is there.

    An experiment is a model and a way of retrieving, by its name.
    """
    # Imported here: it computes, and the app starts through the commands.
    from chunkbench_engine.measures import saying
    from chunkbench_engine.measures.verdict import verdict_from

    lines = []
    if any(row.tied for row in live.board if row.experiment == experiment):
        lines.append(f"{TIED} cannot be told apart from the first ({saying.TEST}).")
    for row in live.verdicts:
        if row.experiment == experiment:
            lines += saying.say(verdict_from(row.content))
    return lines


@dataclass(frozen=True, slots=True)
class _Column:
    """A column: what it shows of a row, and the width of console from which on it is shown."""

    header: str
    cell: Callable[[BoardRow], str]
    from_width: int = 0


def _columns(cutoff: str, *, cold_run: bool) -> list[_Column]:
    # Ranks say little of lists that end with a budget.
    recall = "1" if cutoff.isdigit() else cutoff
    first = [_Column(f"R@{recall}", lambda row: _percent(row, f"Recall@{recall}"), 100)]
    if cutoff.isdigit():
        first.insert(0, _Column("P@1", lambda row: _percent(row, "P@1")))
    return [
        _Column(f"nDCG@{cutoff}", lambda row: f"{row.value(f'nDCG@{cutoff}'):.3f}"),
        _Column("95 %", lambda row: _interval(row, f"nDCG@{cutoff}")),
        _Column(f"Hit@{cutoff}", lambda row: _percent(row, f"Hit@{cutoff}")),
        _Column(f"MRR@{cutoff}", lambda row: f"{row.value(f'MRR@{cutoff}') or 0:.3f}", 100),
        *first,
        _Column("ceiling", lambda row: _percent(row, "Ceiling"), 100),
        _Column("tokens", lambda row: f"{row.value(f'Tokens@{cutoff}') or 0:,.0f}"),
        _Column("chunks", lambda row: f"{row.chunks:,}"),
        _Column("cold s", lambda row: f"{row.cold_seconds:.2f}"),
        *([_Column("alone s", _cold_run)] if cold_run else []),
        _Column("peak MB", lambda row: f"{row.peak_bytes / 1e6:.1f}", 110),
        _Column("ms", lambda row: f"{(row.value('Latency-median') or 0) * 1000:.2f}"),
    ]


def _print_experiment(live: LiveRun, experiment: str) -> None:
    summary = live.summary
    measure = f"nDCG@{summary.cutoff}"
    say(
        f"{summary.corpus}: {counted(summary.documents, 'document')}, "
        f"{counted(summary.questions, 'question')}, "
        f"{experiment}, {listed_text(summary)}{_judged(summary.judge)}"
    )
    cold_run = any(row.cold_run_seconds is not None for row in live.board)
    columns = [
        c for c in _columns(summary.cutoff, cold_run=cold_run) if c.from_width <= console.width
    ]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", justify="right")
    table.add_column("")
    table.add_column("strategy", overflow="ellipsis", no_wrap=True)
    for column in columns:
        table.add_column(column.header, justify="right", no_wrap=True)
    board = ranked(tuple(row for row in live.board if row.experiment == experiment), measure)
    measured = [row for row in board if measure in row.measures]
    for rank, row in enumerate(measured, start=1):
        cells = [column.cell(row) for column in columns]
        table.add_row(str(rank), TIED if row.tied else "", Text(shown(row.label)), *cells)
    console.print(table)
    for sentence in verdict_lines(live, experiment):
        say(sentence)
    for row in board:
        if measure not in row.measures:
            say(f"{row.label}: {row.state}, {row.reason}")
    for sentence in remark_lines(board):
        say(sentence)


def remark_lines(board: list[BoardRow]) -> list[str]:
    """What a reader of a table should know of single strategies."""
    same = [f"{row.label} gives the same chunks as {row.same_as}." for row in board if row.same_as]
    notes = [f"{', '.join(labels)}: {note}." for note, labels in _notes(board).items()]
    return same + notes


def listed_text(summary: RunSummary) -> str:
    """What is handed on for a question: `top 5`, or `2,000 tokens of context`."""
    return f"{summary.budget:,} tokens of context" if summary.budget else f"top {summary.k}"


def _judged(judge: str) -> str:
    if judge == EVIDENCE:
        return ""
    return f", judge {judge}{' (proxy)' if judge == SUPPORT else ''}"


def _notes(board: list[BoardRow]) -> dict[str, list[str]]:
    notes: dict[str, list[str]] = {}
    for row in board:
        if row.note:
            notes.setdefault(row.note, []).append(row.label)
    return notes


def _interval(row: BoardRow, measure: str) -> str:
    measured = row.measures[measure]
    if measured.low is None or measured.high is None:
        return ""
    return f"{measured.low:.2f}-{measured.high:.2f}"


def _cold_run(row: BoardRow) -> str:
    return "" if row.cold_run_seconds is None else f"{row.cold_run_seconds:.2f}"


def _percent(row: BoardRow, measure: str) -> str:
    value = row.value(measure)
    return "" if value is None else f"{value * 100:.0f} %"
