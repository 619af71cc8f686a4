"""The keys of the live screen, and when each does something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

from chunkbench_tui.board import ENDED_WITHOUT_RESULT

if TYPE_CHECKING:
    from textual.binding import BindingType

    from chunkbench_store.live import BoardRow, LiveRun

KEYS: list[BindingType] = [
    Binding("s", "sort", "Sort", tooltip="Sort by the next column", id="live.sort"),
    Binding("S", "reverse", "Reverse", show=False, tooltip="Reverse the order", id="live.reverse"),
    Binding("m", "metric", "Measure", tooltip="Put the next measure first", id="live.metric"),
    Binding(
        "b",
        "baseline",
        "Baseline",
        show=False,
        tooltip="Show the differences to this strategy, or none",
        id="live.baseline",
    ),
    Binding("enter", "strategy", "Strategy", tooltip="All that is known of it", id="live.strategy"),
    Binding(
        "v", "boundaries", "Boundaries", tooltip="A document with its chunks", id="live.boundaries"
    ),
    Binding("p", "panel", "Panels", tooltip="Show other panels, or none", id="live.panel"),
    Binding(
        "f",
        "follow",
        "Follow",
        show=False,
        tooltip="Keep the cursor on the first row, or on its strategy",
        id="live.follow",
    ),
    Binding(
        "space", "hold", "Hold", tooltip="Hold the view still; the run goes on", id="live.hold"
    ),
    Binding("P", "pause", "Pause", tooltip="Pause or resume the run", id="live.pause"),
    Binding(
        "x",
        "cancel",
        "Cancel",
        tooltip="Cancel the strategy under the cursor",
        id="live.cancel",
    ),
    Binding(
        "r",
        "retry",
        "Retry",
        tooltip="Try the strategy under the cursor again",
        id="live.retry",
    ),
    Binding(
        "X",
        "stop",
        "Stop run",
        show=False,
        tooltip="Stop the run; P takes it up again later",
        id="live.stop",
    ),
    Binding("escape", "back", "Back", show=False, tooltip="To the list of runs", id="live.back"),
]

_NEED_A_RUN = frozenset(
    (
        "strategy",
        "boundaries",
        "sort",
        "reverse",
        "metric",
        "baseline",
        "panel",
        "follow",
        "hold",
        "pause",
        "cancel",
        "retry",
        "stop",
    )
)


def is_possible(action: str, live: LiveRun | None, row: BoardRow | None) -> bool:
    """Whether an action does something now; its key is not shown otherwise.

    Args:
        row: the strategy under the cursor.
    """
    if action not in _NEED_A_RUN:
        return True
    if live is None:
        return False
    alive = live.summary.alive
    ended = row is not None and row.state in ENDED_WITHOUT_RESULT
    if action in ("strategy", "boundaries"):
        return row is not None
    if action == "metric":
        return live.summary.questions > 0
    if action == "pause":
        return live.summary.state != "finished"
    if action == "stop":
        return alive
    if action == "cancel":
        return alive and row is not None and not ended and row.state != "finished"
    if action == "retry":
        return ended
    return True
