"""What the live screen shows at one moment, read in one go, off the event loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkbench_store.live import live_run, memory_curve, runs

if TYPE_CHECKING:
    from chunkbench_store.database import Store
    from chunkbench_store.live import BoardRow, LiveRun

Curve = tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True)
class View:
    """A run, and the memory curve of one of its strategies.

    Attributes:
        curve: (seconds of chunking, bytes above the start).
        curve_of: what the curve belongs to and how far it went; a longer one has another.
    """

    live: LiveRun
    curve: Curve = ()
    curve_of: tuple[int, int, str] | None = None


def read_view(store: Store, run: int | None, config: int | None, last: View | None) -> View | None:
    """The present view; None if there is no such run.

    Args:
        run: None for the newest run, or a living one before it.
        config: the selected configuration; the first of the run where it has none such.
        last: the view before, whose curve is kept while nothing was added to it.
    """
    if run is None:
        known = runs(store)
        if not known:
            return None
        run = next((summary.id for summary in known if summary.alive), known[0].id)
    live = live_run(store, run)
    if live is None:
        return None
    row = _selected(live, config)
    if last is not None and row is not None and last.curve_of == _identity(row):
        return View(live, last.curve, last.curve_of)
    return read_curve(store, live, config)


def read_curve(store: Store, live: LiveRun, config: int | None) -> View:
    """The same run with the curve of this configuration."""
    row = _selected(live, config)
    if row is None:
        return View(live)
    return View(live, tuple(memory_curve(store, row.chunk_set)), _identity(row))


def row_of(live: LiveRun, config: int | None) -> BoardRow | None:
    """The row of a configuration."""
    return next((row for row in live.board if row.config == config), None)


def _selected(live: LiveRun, config: int | None) -> BoardRow | None:
    return row_of(live, config) or (live.board[0] if live.board else None)


def _identity(row: BoardRow) -> tuple[int, int, str]:
    return row.chunk_set, row.chunks, row.state
