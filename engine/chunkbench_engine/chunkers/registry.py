"""All strategies, by abbreviation."""

from __future__ import annotations

from itertools import chain

from chunkbench_engine.chunkers import windows

REGISTRY = {entry.abbr: entry for entry in chain(windows.ENTRIES)}
"""Every strategy that a specification can name."""

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
