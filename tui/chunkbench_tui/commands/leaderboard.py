"""The leaderboard as a table on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from chunkbench_tui.console import console, say
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from chunkbench_store.live import BoardRow, LiveRun


def ranked(rows: tuple[BoardRow, ...], measure: str) -> list[BoardRow]:
    """Rows by a measure, best first; those without a value last, in the order of the plan."""
    return sorted(
        rows,
        key=lambda row: (row.value(measure) is None, -(row.value(measure) or 0.0)),
    )


def print_leaderboard(live: LiveRun) -> None:
    """One table for each embedding model, and what was spent on chunking."""
    for model in live.summary.models:
        _print_model(live, model)
    chunking = next((stage for stage in live.stages if stage.name == "chunk"), None)
    cold = sum({row.chunk_set: row.cold_seconds for row in live.board}.values())
    if chunking is not None:
        say(
            f"Chunking took {chunking.busy_seconds:.1f} s; the strategies one by one, sharing "
            f"nothing, would have taken {cold:.1f} s."
        )
    say(f"Run {live.summary.id}: chunkbench-tui report {live.summary.id} --to md, or the app.")


def _print_model(live: LiveRun, model: str) -> None:
    summary = live.summary
    k = summary.k
    say(
        f"{summary.corpus}: {summary.documents} documents, {summary.questions} questions, "
        f"{model}, top {k}"
    )
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for header, right in (
        ("", True),
        ("STRATEGY", False),
        (f"NDCG@{k}", True),
        ("95 %", False),
        (f"HIT@{k}", True),
        (f"MRR@{k}", True),
        ("P@1", True),
        ("CEIL", True),
        ("TOK", True),
        ("CHUNKS", True),
        ("COLD S", True),
        ("MS", True),
    ):
        table.add_column(header, justify="right" if right else "left", no_wrap=True)
    unmeasured = []
    for rank, row in enumerate(
        ranked(tuple(r for r in live.board if r.model == model), f"nDCG@{k}"), start=1
    ):
        main = row.measures.get(f"nDCG@{k}")
        if main is None:
            unmeasured.append(row)
            continue
        table.add_row(
            str(rank),
            Text(shown(row.label)),
            f"{main.value:.3f}",
            f"{main.low:.2f}-{main.high:.2f}" if main.low is not None else "",
            _percent(row, f"Hit@{k}"),
            f"{row.value(f'MRR@{k}') or 0:.3f}",
            _percent(row, "P@1"),
            _percent(row, "Ceiling"),
            f"{row.value(f'Tokens@{k}') or 0:,.0f}",
            f"{row.chunks:,}",
            f"{row.cold_seconds:.2f}",
            f"{(row.value('Latency-median') or 0) * 1000:.2f}",
        )
    console.print(table)
    for row in unmeasured:
        say(f"{row.label}: {row.state}, {row.reason}")
    for row in live.board:
        if row.model == model and row.same_as:
            say(f"{row.label} gives the same chunks as {row.same_as}.")
        if row.model == model and row.note:
            say(f"{row.label}: {row.note}.")


def _percent(row: BoardRow, measure: str) -> str:
    value = row.value(measure)
    return "" if value is None else f"{value * 100:.0f}"
