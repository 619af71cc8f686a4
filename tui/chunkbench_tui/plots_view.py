"""What the plots screen shows at one moment, read in one go, off the event loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkbench_store.analysis import Analysis, analysis_of
from chunkbench_store.live import board_of
from chunkbench_tui.selection import read_choice

if TYPE_CHECKING:
    from chunkbench_store.database import Store
    from chunkbench_store.live import BoardRow
    from chunkbench_tui.selection import Choice, Selection


@dataclass(frozen=True, slots=True)
class PlotsView:
    """A run with its measures, and what the engine has concluded from them."""

    choice: Choice
    board: tuple[BoardRow, ...]
    analysis: Analysis

    @property
    def experiments(self) -> tuple[str, ...]:
        """Names of those with a measure, in the order of the plan."""
        return tuple(dict.fromkeys(row.experiment for row in self.board if row.measures))

    @property
    def lacks_analysis(self) -> bool:
        """Whether the run was finished by a version that kept none."""
        return self.choice.summary.state == "finished" and self.analysis == Analysis()

    def of_experiment(self, experiment: str) -> tuple[BoardRow, ...]:
        return tuple(row for row in self.board if row.experiment == experiment)


def read_plots(store: Store, selection: Selection) -> PlotsView | None:
    """The present view; None if there is no such run."""
    choice = read_choice(store, selection)
    if choice is None:
        return None
    run = choice.summary.id
    return PlotsView(choice, board_of(store, run), analysis_of(store, run))
