"""All strategies, by abbreviation."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from chunkbench_engine.chunkers import (
    adaptive,
    boundaries,
    cluster,
    contextual,
    headings,
    hybrids,
    late,
    markdown,
    packed,
    paragraphs,
    recursive,
    semantic,
    sentences,
    topics,
    whole,
    windows,
    words,
)

if TYPE_CHECKING:
    from chunkbench_engine.chunkers.entry import Entry

PAPER = (
    "FCC", "FC", "OFC", "SWC", "LAC", "SBC", "SGC", "PBC", "PGC",
    "RC", "RTF", "PCC",
    "SEBC", "SSTC", "TBC", "SBDC",
    "DFC", "CDAC", "SVAC",
    "LCSI", "LCPI", "LCTS",
    "HSmFC", "HSSC", "HSVFC",
    "HSnFC", "HSGC", "HPFC", "HPGC", "HRC", "HFCF", "HOFC", "HDFC", "HCDC",
)  # fmt: skip
"""The paper's strategies that need no language model, in the order of its Table 1."""

_MODULES = (
    windows,
    sentences,
    paragraphs,
    recursive,
    semantic,
    topics,
    adaptive,
    late,
    hybrids,
    boundaries,
    packed,
    headings,
    markdown,
    words,
    cluster,
    contextual,
    whole,
)
_FOUND: dict[str, Entry] = {
    entry.abbr: entry for entry in chain.from_iterable(m.ENTRIES for m in _MODULES)
}

REGISTRY: dict[str, Entry] = {abbr: _FOUND[abbr] for abbr in dict.fromkeys((*PAPER, *_FOUND))}
"""Every strategy that a specification can name: the paper's in its order, then the others."""
