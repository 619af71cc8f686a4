"""What a plot's axes stand for: costs across, quality up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkbench_store.live import BoardRow


@dataclass(frozen=True, slots=True)
class Axis:
    """A measure or a cost of configurations.

    Attributes:
        name: as it is stored.
        title: what it says, for a person.
        unit: of the numbers on the axis; "" for a score between 0 and 1.
        factor: from the stored value to that unit.
    """

    name: str
    title: str
    unit: str = ""
    factor: float = 1.0

    @property
    def heading(self) -> str:
        return f"{self.title}, {self.unit}" if self.unit else self.title

    def value(self, row: BoardRow) -> float | None:
        """In the axis' unit; None where the configuration has none."""
        found = _COLUMNS[self.name](row) if self.name in _COLUMNS else row.value(self.name)
        return None if found is None else found * self.factor

    def text(self, value: float) -> str:
        """A value in the axis' unit, with the unit."""
        return f"{number_text(value)} {self.unit}" if self.unit else f"{value:.3f}"


_COLUMNS = {
    "index_bytes": lambda row: row.index_bytes,
    "cold_seconds": lambda row: row.cold_seconds,
}


def cost_axes(cutoff: str) -> tuple[Axis, ...]:
    """What quality is held against, in the order of the key."""
    handed_on = f"context of the top {cutoff}" if cutoff.isdigit() else "context used"
    return (
        Axis("index_bytes", "index size", "MB", 1e-6),
        Axis("Latency-median", "query time, median", "ms", 1e3),
        Axis("cold_seconds", "chunking time alone", "s"),
        Axis(f"Tokens@{cutoff}", handed_on, "tokens"),
    )


def quality_axes(cutoff: str) -> tuple[Axis, ...]:
    """The measures of quality that the engine keeps frontiers of."""
    names = (
        f"nDCG@{cutoff}",
        f"nDCG-index@{cutoff}",
        f"Hit@{cutoff}",
        f"MRR@{cutoff}",
        "P@1",
        f"Recall@{cutoff}",
    )
    return tuple(Axis(name, name) for name in dict.fromkeys(names))


def number_text(value: float) -> str:
    """A number with three digits that count, and no more zeros than that."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) < 1 else f"{value:.{1 if abs(value) >= 10 else 2}f}"
