"""What a report says of frontiers, robustness and correlations."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from chunkbench_tui.plots.axes import Axis, cost_axes
from chunkbench_tui.plots.correlations import title
from chunkbench_tui.plots.points import points_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chunkbench_store.analysis import Analysis
    from chunkbench_store.live import BoardRow, LiveRun

_MOST_ROBUSTNESS = 10
"""Rows of the table of robustness: the best by their mean."""


def analysis_dict(live: LiveRun, analysis: Analysis) -> dict[str, Any]:
    """All of it, with the names of strategies and experiments in place of ids."""
    rows = {row.config: row for row in live.board}

    def named(entries: Sequence[Any]) -> list[dict[str, Any]]:
        found = []
        for entry in entries:
            row, values = rows[entry.config], dataclasses.asdict(entry)
            del values["config"]
            found.append({"strategy": row.label, "experiment": row.experiment, **values})
        return found

    return {
        "frontier": named(analysis.frontier),
        "folder_scores": named(analysis.folder_scores),
        "score_bins": named(analysis.score_bins),
        "correlations": [dataclasses.asdict(row) for row in analysis.correlations],
    }


def frontier_lines(
    board: Sequence[BoardRow], analysis: Analysis, cutoff: str, cell: Callable[[str], str]
) -> list[str]:
    """For each cost the strategies of an experiment that are worth it, the cheapest first.

    Args:
        board: of one experiment.
        cell: makes a text safe in the report's format.
    """
    quality = f"nDCG@{cutoff}"
    lines = []
    for cost in cost_axes(cutoff):
        points = points_of(
            board, cost, Axis(quality, quality), analysis.on_frontier(quality, cost.name)
        )
        members = sorted((p for p in points if p.on_frontier), key=lambda point: point.x)
        if members:
            named = (f"{cell(p.label)} ({cost.text(p.x)}, {p.y:.3f})" for p in members)
            lines.append(f"| {cost.title} | {', '.join(named)} |")
    if not lines:
        return []
    return [
        "",
        "### Worth their cost",
        "",
        f"No other has as much {quality} for less, or more for the same.",
        "",
        f"| cost | cheapest first, with cost and {quality} |",
        "|---|---|",
        *lines,
    ]


def robustness_lines(
    board: Sequence[BoardRow], cutoff: str, cell: Callable[[str], str]
) -> list[str]:
    """How even the best strategies of an experiment are over the questions."""
    names = (f"nDCG@{cutoff}", f"nDCG-sd@{cutoff}", f"nDCG-worst@{cutoff}", f"ZeroHit@{cutoff}")
    rows = [row for row in board if all(name in row.measures for name in names)]
    if not rows:
        return []
    best = sorted(rows, key=lambda row: -(row.value(names[0]) or 0.0))[:_MOST_ROBUSTNESS]
    lines = [
        f"| {cell(row.label)} | " + " | ".join(f"{row.value(n):.3f}" for n in names) + " |"
        for row in best
    ]
    return [
        "",
        "### Robustness",
        "",
        "The spread over the questions, the worst tenth of them, and those without a full answer.",
        "",
        f"| strategy | nDCG@{cutoff} | standard deviation | worst tenth | no hit |",
        "|---|--:|--:|--:|--:|",
        *lines,
    ]


def related_measures(cutoff: str) -> tuple[str, ...]:
    """Costs and the shape of the chunks, which quality may go with."""
    return (f"Tokens@{cutoff}", "ChunkTokens-mean", "BeginInside", "EndInside", "Latency-median",
            "chunks", "index_bytes", "cold_seconds", "peak_bytes")  # fmt: skip


def correlation_lines(analysis: Analysis, cutoff: str) -> list[str]:
    """What goes with nDCG over the run: costs and the shape of the chunks."""
    quality = f"nDCG@{cutoff}"
    pairs = {frozenset((row.first, row.second)): row for row in analysis.correlations}
    found = [(name, pairs.get(frozenset((name, quality)))) for name in related_measures(cutoff)]
    said = [f"{title(name)} {row.r:+.2f}" for name, row in found if row and row.r is not None]
    if not said:
        return []
    over = next(row.configurations for _, row in found if row and row.r is not None)
    return ["", f"Correlation with {quality} over {over} configurations: {', '.join(said)}."]
