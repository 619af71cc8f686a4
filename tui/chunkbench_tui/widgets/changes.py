"""What of a line is another than what was painted: the rest need not be sent to the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.geometry import Region

if TYPE_CHECKING:
    from rich.style import Style
    from textual.strip import Strip


def changed_region(before: Strip | None, after: Strip, y: int) -> Region | None:
    """The cells of a line that are to be painted; None where there are none.

    It begins and ends at a space, or at an end of the line: never inside a grapheme.

    Args:
        before: what is there; None where that is not known, and all is to be painted.
        y: of the line.
    """
    width = after.cell_length
    if before is None or before.cell_length != width:
        return Region(0, y, width, 1)
    if before is after or before == after:
        return None
    old, new = _characters(before), _characters(after)
    shortest = min(len(old), len(new))
    first = next((i for i in range(shortest) if old[i] != new[i]), shortest)
    last = next((i for i in range(1, shortest + 1) if old[-i] != new[-i]), shortest + 1) - 1
    last = min(last, shortest - first)
    while first and new[first - 1][0] != " ":
        first -= 1
    while last and new[-last][0] != " ":
        last -= 1
    # The space itself is painted too: what follows it may be a mark that stands on it.
    begin = _cells(new[: max(first - 1, 0)])
    end = width - _cells(new[len(new) - last + 1 :] if last else [])
    return Region(begin, y, end - begin, 1)


def _characters(strip: Strip) -> list[tuple[str, Style | None]]:
    return [(character, part.style) for part in strip for character in part.text]


def _cells(characters: list[tuple[str, Style | None]]) -> int:
    return cell_len("".join(character for character, _ in characters))
