"""The points of a Pareto plot: what each configuration gives, and costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from chunkbench_store.live import BoardRow
    from chunkbench_tui.plots.axes import Axis


@dataclass(frozen=True, slots=True)
class Point:
    """A configuration between two axes.

    Attributes:
        label: as written; not yet safe to show.
        x: cost, in its axis' unit.
        y: quality.
        low: end of the quality's 95 % interval, None where it has none; `high` likewise.
        on_frontier: whether no other of its experiment is as good for less, or better for the
            same.
    """

    config: int
    label: str
    x: float
    y: float
    low: float | None
    high: float | None
    on_frontier: bool


def points_of(
    rows: Sequence[BoardRow], x: Axis, y: Axis, frontier: Collection[int]
) -> tuple[Point, ...]:
    """The configurations that have both values: those of the frontier first, then the best first.

    Args:
        rows: of one experiment.
        frontier: the configurations that are on it.
    """
    found = []
    for row in rows:
        across, up = x.value(row), y.value(row)
        if across is not None and up is not None:
            measured = row.measures.get(y.name)
            found.append(
                Point(
                    row.config,
                    row.label,
                    across,
                    up,
                    measured.low if measured else None,
                    measured.high if measured else None,
                    row.config in frontier,
                )
            )
    return tuple(sorted(found, key=lambda point: (not point.on_frontier, -point.y, point.x)))
