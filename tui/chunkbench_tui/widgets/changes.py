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

    They begin and end at a space, or at an end of the line: never inside a grapheme.

    Args:
        before: what is there; None where that is not known, and all is to be painted.
        y: of the line.
    """
    width = after.cell_length
    whole = Region(0, y, width, 1)
    if before is None or before.cell_length != width:
        return whole
    old, new = _characters(before), _characters(after)
    if old == new:
        return None
    if not all(cell_len(character) for character, _ in (*old, *new)):
        return whole  # marks and joiners: a space may be the base of one
    shortest = min(len(old), len(new))
    first = next((i for i in range(shortest) if old[i] != new[i]), shortest)
    most = shortest - first
    last = next((i for i in range(most) if old[-i - 1] != new[-i - 1]), most)
    while first and new[first - 1][0] != " ":
        first -= 1
    while last and new[-last][0] != " ":
        last -= 1
    begin, end = _cells(new[:first]), width - _cells(new[len(new) - last :])
    return Region(begin, y, end - begin, 1) if begin < end else whole


def _characters(strip: Strip) -> list[tuple[str, Style | None]]:
    return [(character, part.style) for part in strip for character in part.text]


def _cells(characters: list[tuple[str, Style | None]]) -> int:
    return cell_len("".join(character for character, _ in characters))
