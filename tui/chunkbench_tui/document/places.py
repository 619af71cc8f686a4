"""Places in a document as a person writes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

_PLACE = re.compile(r"(#?)([\d,_ ]*\d(?:\.\d+)?)\s*(%?)")


def offset_of(place: str, length: int, chunk_starts: Sequence[int]) -> int:
    """The offset meant by `1234`, `50%` or `#14` (the chunk of that number, from 1).

    Raises:
        BadInput: it is none of these, or lies outside the document.
    """
    match = _PLACE.fullmatch(place.strip())
    if match is None or (match[1] and match[3]):
        raise BadInput(
            f"{place!r} is no place: write an offset (1234), a share (50%) or a chunk (#14)"
        )
    number = float(re.sub(r"[,_ ]", "", match[2]))
    if match[3]:
        if number > 100:
            raise BadInput(f"{place} is beyond the end of the document")
        return min(int(length * number / 100), max(length - 1, 0))
    if match[1]:
        if not 1 <= number <= len(chunk_starts):
            raise BadInput(f"there is no chunk {place}: the document has {len(chunk_starts):,}")
        return chunk_starts[int(number) - 1]
    if number >= length:
        raise BadInput(f"{place} is beyond the end of the document: it has {length:,} characters")
    return int(number)
