"""The part of a report that goes by category of question."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from chunkbench_tui.board import main_measures
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chunkbench_store.categories import CategoryMean
    from chunkbench_store.live import BoardRow

NO_CATEGORY = "no category"


def category_tables(
    board: Sequence[BoardRow], means: Iterable[CategoryMean], cutoff: str
) -> list[str]:
    """A Markdown table for each main measure, a column a category; none where all are of one.

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
    lines: list[str] = []
    for measure in main_measures(cutoff):
        cells = by_measure[measure]
        counts = {category: mean.questions for (_, category), mean in cells.items()}
        if len(counts) < 2:
            continue
        names = [f"{_cell(category or NO_CATEGORY)} ({counts[category]})" for category in counts]
        lines += ["", f"| {measure} | {' | '.join(names)} |", "|---|" + "--:|" * len(names)]
        for row in board:
            found = [cells.get((row.config, category)) for category in counts]
            if any(found):
                values = ["" if mean is None else f"{mean.mean:.3f}" for mean in found]
                lines.append(f"| {_cell(row.label)} | {' | '.join(values)} |")
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
