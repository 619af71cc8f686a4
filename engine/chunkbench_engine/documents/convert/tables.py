"""Tables as Markdown writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as a Markdown table whose head is the first row; "" if all cells are empty.

    A cell is one line there: its line ends become spaces, its bars are escaped.
    """
    clean = [[" ".join(cell.split()).replace("|", "\\|") for cell in row] for row in rows]
    width = max((len(row) for row in clean), default=0)
    if not any(cell for row in clean for cell in row):
        return ""
    head, *body = [[*row, *[""] * (width - len(row))] for row in clean]
    return "\n".join(_line(row) for row in (head, ["---"] * width, *body))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
