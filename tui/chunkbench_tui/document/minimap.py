"""A document in a few rows: how finely it is cut, where chunks overlap, where evidence is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from chunkbench_tui.document.painting import Layers

_BARS = " ▁▂▃▄▅▆▇█"


class MapRow(NamedTuple):
    """An equal share of the document's characters.

    Attributes:
        bar: how many chunks begin in it, on the scale of the row with the most.
        overlap: `║` where chunks overlap.
        evidence: `E` where something answers a question.
    """

    bar: str
    overlap: str
    evidence: str


def minimap(length: int, rows: int, layers: Layers) -> tuple[MapRow, ...]:
    """The rows of a document of so many characters, from top to bottom."""
    if not length or rows <= 0:
        return ()
    begun, doubled, marked = [0] * rows, [False] * rows, [False] * rows

    def row_of(offset: int) -> int:
        return min(offset * rows // length, rows - 1)

    if layers.chunking is not None:
        for start in layers.chunking.spans.starts:
            begun[row_of(start)] += 1
        coverage = layers.chunking.coverage
        for place, depth in enumerate(coverage.depths):
            if depth > 1 and layers.overlaps:
                first, end = coverage.edges[place], coverage.edges[place + 1]
                for row in range(row_of(first), row_of(end - 1) + 1):
                    doubled[row] = True
    evidence = layers.evidence
    for start, end in zip(evidence.starts, evidence.ends, strict=True):
        for row in range(row_of(start), row_of(end - 1) + 1):
            marked[row] = True
    most = max(begun)
    return tuple(
        MapRow(
            _BARS[-(-count * (len(_BARS) - 1) // most)] if most else " ",
            "║" if double else " ",
            "E" if mark else " ",
        )
        for count, double, mark in zip(begun, doubled, marked, strict=True)
    )


def rows_seen(span: tuple[int, int], length: int, rows: int) -> range:
    """The rows that hold a span of a document of so many characters."""
    first, end = span
    length = max(length, 1)
    return range(first * rows // length, max(end - 1, first) * rows // length + 1)
