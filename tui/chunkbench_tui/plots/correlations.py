"""The correlation matrix: which measures go together over the configurations of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.errors import BadInput
from chunkbench_engine.measures.measure import FAMILIES, parse_measure
from chunkbench_tui.plots.grid import Cell, Grid, GridRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_store.analysis import CorrelationRow

_FAMILY_ORDER = list(FAMILIES)


def correlation_grid(correlations: Sequence[CorrelationRow]) -> Grid | None:
    """Pearson's r of each two measures; None where there is none that is known.

    Measures that are the same everywhere go with nothing, and are left out.
    """
    known = [row for row in correlations if row.r is not None]
    if not known:
        return None
    names = measure_order({name for row in known for name in (row.first, row.second)})
    pairs = {(row.first, row.second): row for row in correlations}

    def cell(one: str, other: str) -> Cell:
        if one == other:
            return Cell("1", said=title(one))
        row = pairs[min(one, other), max(one, other)]
        if row.r is None:
            return Cell("", said=f"{title(one)} and {title(other)}: not known")
        return Cell(r_text(row.r), row.r, said_of(row))

    everywhere = {name for row in correlations for name in (row.first, row.second)}
    left_out = len(everywhere) - len(names)
    note = "Pearson's r over the run's configurations"
    if left_out:
        note += f"; left out: {left_out} without spread"
    return Grid(
        "measure",
        tuple(str(number) for number in range(1, len(names) + 1)),
        tuple(
            GridRow(f"{number:>2} {title(one)}", tuple(cell(one, other) for other in names))
            for number, one in enumerate(names, 1)
        ),
        note,
    )


def said_of(row: CorrelationRow) -> str:
    """A correlation in words."""
    r = "not known" if row.r is None else f"r = {row.r:+.3f}"
    over = f"over {row.configurations} configurations"
    return f"{title(row.first)} and {title(row.second)}: {r} {over}"


def r_text(r: float) -> str:
    """A correlation in four cells: `.87`, `-.42`, `1.0`."""
    text = f"{r:.2f}"
    return text[:-1] if abs(float(text)) == 1 else text.replace("0.", ".", 1)


def strongest(correlations: Sequence[CorrelationRow]) -> list[CorrelationRow]:
    """Those that are known, the strongest first."""
    known = [(abs(row.r), row) for row in correlations if row.r is not None]
    return [row for _, row in sorted(known, key=lambda pair: -pair[0])]


def title(name: str) -> str:
    """A measure, or a column of costs, by the name it has on the screen."""
    return name.replace("_", " ")


def measure_order(names: set[str]) -> list[str]:
    """Quality, context, chunks, time; then sizes and costs."""

    def place(name: str) -> tuple[int, int, str]:
        try:
            measure = parse_measure(name)
        except BadInput:  # a cost, or a measure of a later version
            return len(_FAMILY_ORDER), 0, name
        return _FAMILY_ORDER.index(measure.family), measure.k or 0, name

    return sorted(names, key=place)
