"""The lines of text above and below a document: which it is, and what the current chunk is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_store.boundaries import EvidenceSpan
    from chunkbench_store.strategies import StrategyEntry
    from chunkbench_tui.boundaries_view import BoundariesView
    from chunkbench_tui.document.coverage import Chunking

LEGEND = "┌ begins ║ overlap E evidence"
_PREFIX_SHOWN = 60


def status_text(
    view: BoundariesView,
    chunking: Chunking | None,
    width: int,
    *,
    evidence: bool,
    overlaps: bool,
) -> Content:
    """Strategy, document, and how it was cut.

    Args:
        chunking: what is shown of it, also by a setting that the run does not have.
        width: cells there are: the last part is shortened, or left out, where it does not fit.
    """
    entry = view.document
    tried = chunking is not None and chunking is not view.chunking
    # Which setting is tried, the lines below say.
    name = "what if" if tried else shown(view.choice.name)
    parts: list[str | tuple[str, str]] = [(name, "bold"), f" · {shown(entry.name)}"]
    if len(view.documents) > 1:
        parts.append(f" ({view.place + 1} of {len(view.documents)})")
    parts.append(f" · {cut_text(chunking, entry.characters, overlaps=overlaps)}")
    count = len(view.evidence)
    told = f"{count} {'passage' if count == 1 else 'passages'}" if evidence else "hidden"
    room = width - Content.assemble(*parts).cell_length
    for last in (f" · evidence: {told}", f" · E {count if evidence else 'hidden'}"):
        if cell_len(last) <= room:
            parts.append(last)
            break
    return Content.assemble(*parts)


def cut_text(chunking: Chunking | None, characters: int, *, overlaps: bool = True) -> str:
    """Number of chunks, and the share of the text that stands in several."""
    if chunking is None:
        return "not chunked yet"
    count = len(chunking.spans)
    text = f"{count:,} {'chunk' if count == 1 else 'chunks'}"
    if chunking.overlapping and characters:
        share = f"{chunking.overlapping / characters:.0%}" if overlaps else "hidden"
        text += f", overlap {share}"
    return text


def chunk_text(chunking: Chunking, chunk: int, evidence: Sequence[EvidenceSpan]) -> str:
    """All that is known of one chunk, on a line."""
    spans = chunking.spans
    if not len(spans):
        return "no chunks: the document holds no text"
    start, end = spans.starts[chunk], spans.ends[chunk]
    parts = [
        f"chunk {chunk + 1:,} of {len(spans):,}",
        f"{start:,}–{end:,}",
        f"{spans.tokens[chunk]:,} tokens",
    ]
    keys = dict.fromkeys(shown(e.key) for e in evidence if e.start < end and e.end > start)
    if keys:
        parts.append(f"evidence for {', '.join(keys)}")
    if spans.context_starts[chunk] >= 0:
        given = spans.context_starts[chunk], spans.context_ends[chunk]
        if given != (start, end):
            parts.append(f"a reader is given {given[0]:,}–{given[1]:,}")
    if spans.prefixes and spans.prefixes[chunk]:
        prefix = shown(spans.prefixes[chunk])
        cut = f"{prefix[:_PREFIX_SHOWN]}…" if len(prefix) > _PREFIX_SHOWN else prefix
        parts.append(f"embedded after “{cut}”")
    return " · ".join(parts)


def missing_text(entry: StrategyEntry) -> str:
    """Why a strategy has no chunks of a document."""
    label = shown(entry.label)
    if entry.chunk_state in ("failed", "unavailable", "cancelled"):
        reason = f": {shown(entry.reason)}" if entry.reason else ""
        return f"{label} has not chunked this document, it is {entry.chunk_state}{reason}"
    doing = "is chunking" if entry.chunk_state == "running" else "waits for its turn"
    return f"{label} {doing}: its chunks appear here when it has done this document"
