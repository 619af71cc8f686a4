"""Finding words in a document, in steps that leave the rest of the app its turns."""

from __future__ import annotations

import re
from array import array

from chunkbench_tui.document.coverage import Passages

MOST_FOUND = 100_000
"""Places that are kept; a document with more of them is not read through that way."""
_STEP = 262_144
"""Characters that are searched in one go: a search holds the interpreter."""
_LONGEST = 4_096
"""Characters of a place, at most, that begins near the end of a step."""


def places_of(text: str, words: str) -> Passages:
    """Where the words stand, at most the first `MOST_FOUND` places.

    White space matches any other, so that words are found across the end of a line. Capitals
    count only if there is one among the words.
    """
    parts = [re.escape(part) for part in words.split()]
    starts, ends = array("i"), array("i")
    if not parts:
        return Passages(starts, ends)
    pattern = re.compile(r"\s+".join(parts), re.IGNORECASE if words == words.lower() else 0)
    place = 0
    while place < len(text) and len(starts) < MOST_FOUND:
        stop = place + _STEP
        found = pattern.search(text, place, stop + _LONGEST)
        if found is None or found.start() >= stop:
            place = stop
            continue
        starts.append(found.start())
        ends.append(found.end())
        place = found.end()
    return Passages(starts, ends)
