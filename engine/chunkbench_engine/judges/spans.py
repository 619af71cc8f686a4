"""Many spans of many documents, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


class Spans:
    """Judged spans, in the order given.

    Attributes:
        start: `(n,)` int64, first character of each.
        end: `(n,)` int64, one past the last character.

    Args:
        spans: (document id, start, end) of each.
    """

    def __init__(self, spans: Iterable[tuple[str, int, int]]) -> None:
        documents: dict[str, list[int]] = {}
        bounds: list[tuple[int, int]] = []
        for row, (document, start, end) in enumerate(spans):
            documents.setdefault(document, []).append(row)
            bounds.append((start, end))
        table = np.array(bounds, dtype=np.int64).reshape(-1, 2)
        self.start: NDArray[np.int64] = table[:, 0].copy()
        self.end: NDArray[np.int64] = table[:, 1].copy()
        self._rows = {name: np.array(rows, dtype=np.int64) for name, rows in documents.items()}

    def __len__(self) -> int:
        return len(self.start)

    def rows(self, document: str) -> NDArray[np.int64]:
        """Positions of the spans that lie in a document, ascending; empty if there are none."""
        return self._rows.get(document, np.empty(0, dtype=np.int64))
