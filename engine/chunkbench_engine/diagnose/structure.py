"""What the chunks of one document show by themselves, without vectors."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.diagnose.coverage import characters, uncovered
from chunkbench_engine.diagnose.finding import MOST_OF_A_DOCUMENT, Finding
from chunkbench_engine.diagnose.fragments import fragments, wordless
from chunkbench_engine.diagnose.kinds import KINDS_BY_STRUCTURE
from chunkbench_engine.measures.chunks import examine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_engine.chunkers.chunk import Chunk, Span
    from chunkbench_engine.measures.chunks import Block, Cuts


@dataclass(frozen=True, slots=True)
class Structure:
    """One document under one strategy.

    Attributes:
        cuts: how boundaries fell.
        counts: of each kind of finding; also of `characters`, those that are not white space.
        findings: at most `MOST_OF_A_DOCUMENT` of a kind, worst first.
    """

    cuts: Cuts
    counts: dict[str, int]
    findings: tuple[Finding, ...]


def structure(
    text: str,
    chunks: Sequence[Chunk],
    tokens: Sequence[int],
    sentences: Sequence[Span],
    blocks: Sequence[Block],
) -> Structure:
    """Look at the chunks of one document.

    Args:
        text: its canonical text.
        chunks: ordered by start.
        tokens: of each chunk.
        sentences: ordered and disjoint.
        blocks: Markdown's, ordered by start.
    """
    seen = examine(text, [chunk.span for chunk in chunks], sentences, blocks)
    found: dict[str, list[Finding]] = defaultdict(list)

    def add(kind: str, place: int, value: float = 0.0) -> None:
        found[kind].append(Finding(kind, chunks[place].span, place + 1, value))

    cut = seen.begin_inside + 2 * seen.end_inside
    for row in np.flatnonzero(cut):
        add("cut_sentences", int(seen.places[row]), int(cut[row]))
    for place in seen.places[seen.headings_left].tolist():
        add("stranded_headings", place)
    for kind, blocks_cut in (("cut_tables", seen.tables_cut), ("cut_fences", seen.fences_cut)):
        for start, end in blocks_cut.tolist():
            sharing = [n for n, c in enumerate(chunks) if c.start < end and start < c.end]
            first = sharing[0] + 1 if sharing else None
            found[kind].append(Finding(kind, (start, end), first, len(sharing)))
    for place in fragments(text, chunks, tokens):
        add("fragments", place, tokens[place])
    for place, chunk in enumerate(chunks):
        if wordless(text, chunk):
            add("wordless", place)
    gaps = uncovered(text, [chunk.span for chunk in chunks])
    found["uncovered"] = [
        Finding("uncovered", gap, None, characters(text[slice(*gap)])) for gap in gaps
    ]
    counts = {kind: len(found[kind]) for kind in KINDS_BY_STRUCTURE}
    counts["uncovered"] = int(sum(entry.value for entry in found["uncovered"]))
    counts["characters"] = characters(text)
    worst = {kind: sorted(entries, key=_goodness) for kind, entries in found.items()}
    return Structure(
        seen.counts(),
        counts,
        tuple(entry for entries in worst.values() for entry in entries[:MOST_OF_A_DOCUMENT]),
    )


def _goodness(finding: Finding) -> float:
    """Orders findings of a kind, worst first: of fragments the shortest, else the greatest."""
    return finding.value if finding.kind == "fragments" else -finding.value
