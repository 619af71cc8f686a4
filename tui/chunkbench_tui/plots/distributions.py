"""How each strategy's questions are spread over the scale of a score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkbench_tui.plots.grid import Cell, Grid, GridRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_store.analysis import ScoreBinRow
    from chunkbench_store.live import BoardRow

_EIGHTHS = " ▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class Distribution:
    """A strategy's questions by their score.

    Attributes:
        label: not yet safe to show.
        counts: questions in each tenth of the scale from 0 to 1.
        mean: of the score; `deviation` its standard deviation, `worst` the mean of the worst tenth
            of the questions, `zero_hit` the share without a full answer; None where not known.
    """

    config: int
    label: str
    counts: tuple[int, ...]
    mean: float | None
    deviation: float | None
    worst: float | None
    zero_hit: float | None


def distributions_of(
    board: Sequence[BoardRow], bins: Sequence[ScoreBinRow], cutoff: str
) -> tuple[Distribution, ...]:
    """Of the configurations that have one, the best mean first."""
    counts: dict[int, list[int]] = {}
    for row in bins:
        if row.measure == f"nDCG@{cutoff}":
            counts.setdefault(row.config, []).append(row.questions)
    found = [
        Distribution(
            row.config,
            row.label,
            tuple(counts[row.config]),
            row.value(f"nDCG@{cutoff}"),
            row.value(f"nDCG-sd@{cutoff}"),
            row.value(f"nDCG-worst@{cutoff}"),
            row.value(f"ZeroHit@{cutoff}"),
        )
        for row in board
        if row.config in counts
    ]
    return tuple(sorted(found, key=lambda d: -(d.mean or 0.0)))


def distribution_grid(found: Sequence[Distribution], cutoff: str) -> Grid | None:
    """A row of columns for each strategy, all on one scale; None where there is none."""
    if not found:
        return None
    most = max(count for d in found for count in d.counts)
    tenths = len(found[0].counts)
    return Grid(
        "strategy",
        (*(f"{n / tenths:.1f}" for n in range(tenths)), "mean", "sd", "worst", "no hit"),
        tuple(GridRow(d.label, (*_columns(d, most), *_numbers(d, cutoff))) for d in found),
        f"questions by nDCG@{cutoff}, in tenths of it; worst: mean of the worst tenth",
    )


def _columns(found: Distribution, most: int) -> list[Cell]:
    tenths, total = len(found.counts), sum(found.counts)
    return [
        Cell(
            f"{_EIGHTHS[-(-count * 8 // most)]}{count:>3}" if count else "",
            None,
            f"{count} of {total} questions from {n / tenths:.1f} to "
            + ("1" if n == tenths - 1 else f"below {(n + 1) / tenths:.1f}"),
            found.config,
        )
        for n, count in enumerate(found.counts)
    ]


def _numbers(found: Distribution, cutoff: str) -> list[Cell]:
    said = (
        (found.mean, f"mean nDCG@{cutoff}"),
        (found.deviation, f"standard deviation of nDCG@{cutoff} over the questions"),
        (found.worst, f"mean nDCG@{cutoff} of the worst tenth of the questions"),
        (found.zero_hit, f"share of questions without a full answer in the top {cutoff}"),
    )
    return [
        Cell("", None, f"{what}: not known", found.config)
        if value is None
        else Cell(f"{value:.2f}", None, f"{what} {value:.3f}", found.config)
        for value, what in said
    ]
