"""The part of a report that goes by category of question."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunkbench_engine.run.splits import reported_split
from chunkbench_store.categories import category_means
from chunkbench_store.corpora import questions_of
from chunkbench_tui.board import main_measures
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chunkbench_store.categories import CategoryMean
    from chunkbench_store.database import Store
    from chunkbench_store.live import BoardRow
    from chunkbench_store.runs import RunRow

NO_CATEGORY = "no category"


def category_means_of(store: Store, run: RunRow) -> tuple[CategoryMean, ...]:
    """The means by category, over the questions that the run's leaderboard is over."""
    split = reported_split(questions_of(store, run.question_set), run.settings["judge"])
    return category_means(store, run.id, split)


@dataclass(frozen=True, slots=True)
class CategoryTable:
    """One measure by strategy and category.

    Attributes:
        categories: names, each with the number of its questions.
        rows: label of a strategy and its means, None where there is none.
    """

    measure: str
    categories: tuple[tuple[str, int], ...]
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]


def category_tables(
    board: Sequence[BoardRow], means: Iterable[CategoryMean], cutoff: str
) -> list[CategoryTable]:
    """A table for each main measure; none where all questions are of one category.

    Args:
        board: rows of one experiment, in the order in which they are listed.
        means: of the run.
        cutoff: of the run.
    """
    by_measure: dict[str, dict[tuple[int, str], CategoryMean]] = defaultdict(dict)
    configs = {row.config for row in board}
    for mean in means:
        if mean.config in configs:
            by_measure[mean.measure][mean.config, mean.category] = mean
    tables = []
    for measure in main_measures(cutoff):
        cells = by_measure[measure]
        counts = {category: mean.questions for (_, category), mean in cells.items()}
        if len(counts) < 2:
            continue
        rows = []
        for row in board:
            found = [cells.get((row.config, category)) for category in counts]
            if any(found):
                rows.append((row.label, tuple(mean.mean if mean else None for mean in found)))
        named = tuple((category or NO_CATEGORY, count) for category, count in counts.items())
        tables.append(CategoryTable(measure, named, tuple(rows)))
    return tables


def category_lines(tables: Iterable[CategoryTable]) -> list[str]:
    """The tables in Markdown."""
    lines: list[str] = []
    for table in tables:
        names = [f"{_cell(name)} ({count})" for name, count in table.categories]
        lines += ["", f"| {table.measure} | {' | '.join(names)} |", "|---|" + "--:|" * len(names)]
        for label, means in table.rows:
            values = ["" if mean is None else f"{mean:.3f}" for mean in means]
            lines.append(f"| {_cell(label)} | {' | '.join(values)} |")
    return lines


def categories_of(config: int, means: Iterable[CategoryMean]) -> dict[str, dict[str, Any]]:
    """All means of a configuration by category, for JSON: questions and value of each measure."""
    found: dict[str, dict[str, Any]] = {}
    for mean in means:
        if mean.config == config:
            found.setdefault(mean.category, {})[mean.measure] = {
                "questions": mean.questions,
                "value": mean.mean,
            }
    return found


def _cell(text: str) -> str:
    return shown(text).replace("|", "\\|").replace("<", "&lt;")
