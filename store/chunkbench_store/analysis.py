"""What the engine has concluded from a run's measures, for plots and reports.

The tables are written as a whole when the last strategy is judged, and emptied as soon as a
measure changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

    from chunkbench_store.database import Store

ANALYSED = ("frontier", "folder_score", "score_bin")
"""Tables with rows of one configuration."""


@dataclass(frozen=True, slots=True)
class FrontierRow:
    """A configuration that no other of its experiment beats.

    Attributes:
        quality: name of a measure of which more is better.
        cost: name of a measure or of a column (`index_bytes`, `cold_seconds`) of which less is.
    """

    config: int
    quality: str
    cost: str


@dataclass(frozen=True, slots=True)
class CorrelationRow:
    """Pearson's r of two measures, `first` before `second` in the alphabet.

    Attributes:
        r: None where one of them is the same everywhere, or too few configurations have both.
        configurations: that have both.
    """

    first: str
    second: str
    r: float | None
    configurations: int


@dataclass(frozen=True, slots=True)
class FolderScoreRow:
    """A mean over the questions whose evidence lies in one folder below the corpus."""

    config: int
    folder: str
    measure: str
    value: float
    questions: int


@dataclass(frozen=True, slots=True)
class ScoreBinRow:
    """Questions with a score in one tenth of the scale from 0 to 1; `bin` is from 0 to 9."""

    config: int
    measure: str
    bin: int
    questions: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """All of it for one run; empty until the run's measures stand.

    Attributes:
        folder_scores: empty where all documents lie in one folder.
    """

    frontier: tuple[FrontierRow, ...] = ()
    correlations: tuple[CorrelationRow, ...] = ()
    folder_scores: tuple[FolderScoreRow, ...] = ()
    score_bins: tuple[ScoreBinRow, ...] = ()

    def on_frontier(self, quality: str, cost: str) -> frozenset[int]:
        """The configurations on the frontier of one quality against one cost."""
        return frozenset(
            row.config for row in self.frontier if (row.quality, row.cost) == (quality, cost)
        )


def put_analysis(store: Store, run: int, analysis: Analysis) -> None:
    """Keep the analysis of a run in place of an earlier one, inside `write()`."""
    forget_analysis(store, run)
    store.insert_many(
        "INSERT INTO frontier VALUES (?, ?, ?)",
        [(row.config, row.quality, row.cost) for row in analysis.frontier],
    )
    store.insert_many(
        "INSERT INTO correlation VALUES (?, ?, ?, ?, ?)",
        [(run, c.first, c.second, c.r, c.configurations) for c in analysis.correlations],
    )
    store.insert_many(
        "INSERT INTO folder_score VALUES (?, ?, ?, ?, ?)",
        [(f.config, f.folder, f.measure, f.value, f.questions) for f in analysis.folder_scores],
    )
    store.insert_many(
        "INSERT INTO score_bin VALUES (?, ?, ?, ?)",
        [(row.config, row.measure, row.bin, row.questions) for row in analysis.score_bins],
    )


def forget_analysis(store: Store, run: int) -> None:
    """A measure has changed: what was concluded no longer holds."""
    for table in ANALYSED:
        store.execute(
            f"DELETE FROM {table} WHERE config IN (SELECT id FROM config WHERE run = ?)",  # noqa: S608
            (run,),
        )
    store.execute("DELETE FROM correlation WHERE run = ?", (run,))


def is_analysed(store: Store, run: int) -> bool:
    """Whether the analysis of a run is kept; the best configuration is always on a frontier."""
    return bool(
        store.value(
            "SELECT EXISTS (SELECT 1 FROM frontier"
            " JOIN config ON config.id = frontier.config WHERE run = ?)",
            (run,),
        )
    )


def analysis_of(store: Store, run: int) -> Analysis:
    """The analysis of a run."""

    def of_configs(columns: str, table: str) -> list[sqlite3.Row]:
        return store.rows(
            f"SELECT {columns} FROM {table} JOIN config ON config.id = {table}.config"  # noqa: S608
            f" WHERE run = ? ORDER BY {columns}",
            (run,),
        )

    return Analysis(
        frontier=tuple(
            FrontierRow(*row) for row in of_configs("config, quality, cost", "frontier")
        ),
        correlations=tuple(
            CorrelationRow(*row)
            for row in store.rows(
                "SELECT first, second, r, configurations FROM correlation WHERE run = ?"
                " ORDER BY first, second",
                (run,),
            )
        ),
        folder_scores=tuple(
            FolderScoreRow(*row)
            for row in of_configs("config, folder, measure, value, questions", "folder_score")
        ),
        score_bins=tuple(
            ScoreBinRow(*row) for row in of_configs("config, measure, bin, questions", "score_bin")
        ),
    )
