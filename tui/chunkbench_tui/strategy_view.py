"""What the strategy screen shows at one moment, read in one go, off the event loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkbench_store.diagnosis import findings_of
from chunkbench_store.live import board_of, memory_curve
from chunkbench_store.strategies import strategy_detail
from chunkbench_tui.findings import in_order
from chunkbench_tui.selection import read_choice

if TYPE_CHECKING:
    from chunkbench_store.database import Store
    from chunkbench_store.diagnosis import PlacedFinding
    from chunkbench_store.live import BoardRow
    from chunkbench_store.strategies import StrategyDetail
    from chunkbench_tui.selection import Choice, Selection


MOST_FINDINGS = 25
"""Findings of one kind that are listed."""


@dataclass(frozen=True, slots=True)
class StrategyView:
    """One configuration of a run.

    Attributes:
        curve: (seconds of chunking, bytes above the start).
        findings: what ails its chunks, what matters most first.
    """

    choice: Choice
    row: BoardRow
    detail: StrategyDetail
    curve: tuple[tuple[float, int], ...]
    findings: tuple[PlacedFinding, ...] = ()


def read_strategy(
    store: Store, selection: Selection, last: StrategyView | None = None
) -> StrategyView | None:
    """The present view; None if there is no such run.

    Args:
        last: the view before, whose findings are kept while no other was counted.
    """
    choice = read_choice(store, selection)
    if choice is None:
        return None
    entry, summary = choice.strategy, choice.summary
    row = next(row for row in board_of(store, summary.id) if row.config == entry.config)
    detail = strategy_detail(store, entry.config, summary.cutoff)
    if detail is None:
        return None
    curve = tuple(memory_curve(store, entry.chunk_set))
    if last and (last.row.config, last.row.diagnosis) == (row.config, row.diagnosis):
        findings = last.findings
    else:
        findings = in_order(findings_of(store, row.config, MOST_FINDINGS))
    return StrategyView(choice, row, detail, curve, findings)
