"""What the screens are about: one run, strategy, document and question, whichever is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkbench_store.live import run_summary
from chunkbench_store.strategies import latest_run, strategies_of_run

if TYPE_CHECKING:
    from chunkbench_store.database import Store
    from chunkbench_store.live import RunSummary
    from chunkbench_store.strategies import StrategyEntry


@dataclass(frozen=True, slots=True)
class Selection:
    """Ids of the store; None where nothing was chosen: then it is the first there is.

    Attributes:
        span: characters of the document that are to stand out; (0, 0) for none.
        added: label of a setting that joins the run, and the configuration that it was tried on.
    """

    run: int | None = None
    config: int | None = None
    document: int | None = None
    question: int | None = None
    span: tuple[int, int] = (0, 0)
    added: tuple[str, int] | None = None

    def in_run(self, run: int | None) -> Selection:
        """The same for a run; another run has other strategies, documents and questions."""
        return self if run == self.run else Selection(run)


@dataclass(frozen=True, slots=True)
class Choice:
    """A run with its strategies, best first, and the one that is chosen."""

    summary: RunSummary
    strategies: tuple[StrategyEntry, ...]
    place: int

    @property
    def strategy(self) -> StrategyEntry:
        return self.strategies[self.place]

    @property
    def name(self) -> str:
        """The strategy's label, with its experiment where the run has several."""
        several = len({entry.experiment for entry in self.strategies}) > 1
        entry = self.strategy
        return f"{entry.label} ({entry.experiment})" if several else entry.label

    def neighbour(self, by: int) -> StrategyEntry:
        """The strategy so many places on; after the last comes the first."""
        return self.strategies[(self.place + by) % len(self.strategies)]


def no_run_text(selection: Selection) -> str:
    """What to do where there is no such run."""
    if selection.run is not None:
        return "This run was deleted.\n\nPress 1 for the list of runs."
    return (
        "No run to show yet.\n\nPress 2 to choose a folder of documents and start one,\n"
        "or 1 for the list of runs."
    )


def read_choice(store: Store, selection: Selection) -> Choice | None:
    """The run and strategy that are selected, or the first there are; None if there is no run.

    The first run is the one under way, else the newest; the first strategy is the best so far.
    """
    run = selection.run if selection.run is not None else latest_run(store)
    summary = None if run is None else run_summary(store, run)
    if run is None or summary is None:
        return None
    strategies = strategies_of_run(store, run)
    place = next((i for i, e in enumerate(strategies) if e.config == selection.config), 0)
    return Choice(summary, strategies, place)
