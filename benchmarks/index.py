"""Embedded Qdrant beside its client's local mode: upserts, and medians of exact search.

    python benchmarks/index.py [POINTS ...]

Random unit vectors of 256 dimensions, k = 5. The client's local mode commits every point by
itself, so its upserts take minutes beyond some tens of thousands of points.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.index.edge import open_edge
from chunkbench_engine.index.server import open_local

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkbench_engine.index.index import Index, Payload

DIMENSIONS = 256
QUERIES = 100


def measure(open_index: Callable[[Path, int], Index], points: int) -> tuple[float, float]:
    """Seconds of all upserts, and the median seconds of a search."""
    rows = np.random.default_rng(0).normal(size=(points, DIMENSIONS)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    with tempfile.TemporaryDirectory() as folder:
        index = open_index(Path(folder) / "index", DIMENSIONS)
        payloads: list[Payload] = [
            {"document": "a.md", "start": i, "end": i + 400} for i in range(points)
        ]
        begun = time.perf_counter()
        for first in range(0, points, 1024):
            part = slice(first, min(first + 1024, points))
            index.upsert(rows[part], range(part.start, part.stop), payloads[part])
        upsert = time.perf_counter() - begun
        searches = []
        for query in rows[:QUERIES]:
            begun = time.perf_counter()
            index.search(query, 5)
            searches.append(time.perf_counter() - begun)
        index.close()
    return upsert, float(np.median(searches))


def main() -> None:
    sizes = [int(argument) for argument in sys.argv[1:]] or [5_000, 50_000]
    print(f"{'points':>8}  {'backend':<12}{'upsert':>10}  {'search (median)':>16}")
    for points in sizes:
        for name, open_index in (("edge", open_edge), ("local mode", open_local)):
            upsert, search = measure(open_index, points)
            print(f"{points:>8}  {name:<12}{upsert:>8.2f} s  {1000 * search:>13.2f} ms")


if __name__ == "__main__":
    main()
