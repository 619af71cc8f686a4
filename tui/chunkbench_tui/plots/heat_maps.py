"""Heat maps: strategies by embedding model, and strategies by folder of the corpus."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chunkbench_engine.counted import counted
from chunkbench_tui.plots.grid import Cell, Grid, GridRow, shade_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chunkbench_store.analysis import FolderScoreRow
    from chunkbench_store.live import BoardRow

Key = tuple[str, str]
"""Label of a row, heading of a column."""


def models_grid(board: Sequence[BoardRow], measure: str) -> Grid | None:
    """A measure of each strategy under each experiment; None while nothing is measured."""
    cells = {
        (row.label, row.experiment): Cell(
            f"{value:.3f}", said=_interval(row, measure), config=row.config
        )
        for row in board
        if (value := row.value(measure)) is not None
    }
    values = {
        (row.label, row.experiment): value
        for row in board
        if (value := row.value(measure)) is not None
    }
    headings = tuple(dict.fromkeys(row.experiment for row in board))
    return _grid(cells, values, headings, f"{measure} by embedding model")


def folders_grid(
    board: Sequence[BoardRow], scores: Sequence[FolderScoreRow], measure: str
) -> Grid | None:
    """A measure of each strategy in each folder; None where the corpus has no several.

    Args:
        board: of one experiment.
    """
    labels = {row.config: row.label for row in board}
    found = [row for row in scores if row.config in labels and row.measure == measure]
    values = {(labels[row.config], _folder(row)): row.value for row in found}
    cells = {
        (labels[row.config], _folder(row)): Cell(
            f"{row.value:.3f}",
            said=f"{measure} {row.value:.3f} over {counted(row.questions, 'question')}",
            config=row.config,
        )
        for row in found
    }
    questions = {_folder(row): row.questions for row in found}
    grid = _grid(cells, values, tuple(questions), f"{measure} by the folder of the evidence")
    if grid is None:
        return None
    counts = GridRow(
        "questions",
        tuple(
            Cell(str(count), said=f"{counted(count, 'question')} with all the evidence in it")
            for count in questions.values()
        ),
    )
    return replace(grid, rows=(counts, *grid.rows))


def _folder(row: FolderScoreRow) -> str:
    return row.folder or "."


def _interval(row: BoardRow, measure: str) -> str:
    found = row.measures[measure]
    text = f"{measure} {found.value:.3f}"
    return text if found.low is None else f"{text}, 95 % {found.low:.3f} to {found.high:.3f}"


def _grid(
    cells: Mapping[Key, Cell], values: Mapping[Key, float], headings: tuple[str, ...], note: str
) -> Grid | None:
    """The rows by their mean, best first; shades over all cells together."""
    if not values:
        return None
    low, high = min(values.values()), max(values.values())
    rows: dict[str, list[float]] = {}
    for (label, _), value in values.items():
        rows.setdefault(label, []).append(value)
    best_first = sorted(rows, key=lambda label: -sum(rows[label]) / len(rows[label]))

    def cell(label: str, heading: str) -> Cell:
        key = label, heading
        if key not in cells:
            return Cell("", said="no result")
        found = cells[key]
        return Cell(found.text, shade_of(values[key], low, high), found.said, found.config)

    return Grid(
        "strategy",
        headings,
        tuple(GridRow(label, tuple(cell(label, h) for h in headings)) for label in best_first),
        f"{note}, from {low:.3f} to {high:.3f}",
    )
