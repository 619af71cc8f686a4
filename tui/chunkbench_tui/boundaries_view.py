"""What the boundaries screen shows at one moment, read in one go, off the event loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkbench_store.boundaries import chunk_spans, documents_of_run, evidence_spans
from chunkbench_store.corpora import document_text
from chunkbench_tui.document.coverage import chunking
from chunkbench_tui.selection import read_choice

if TYPE_CHECKING:
    from chunkbench_store.boundaries import DocumentEntry, EvidenceSpan
    from chunkbench_store.database import Store
    from chunkbench_store.strategies import StrategyEntry
    from chunkbench_tui.document.coverage import Chunking
    from chunkbench_tui.selection import Choice, Selection


@dataclass(frozen=True, slots=True)
class BoundariesView:
    """A document under one strategy, or two side by side.

    Attributes:
        place: of the document among `documents`.
        chunking: None while the strategy has not finished the document.
        second: the strategy beside it, None for none; `second_chunking` is its.
    """

    choice: Choice
    documents: tuple[DocumentEntry, ...]
    place: int
    text: str
    evidence: tuple[EvidenceSpan, ...]
    chunking: Chunking | None
    second: StrategyEntry | None
    second_chunking: Chunking | None

    @property
    def document(self) -> DocumentEntry:
        return self.documents[self.place]


def read_boundaries(
    store: Store, selection: Selection, second: int | None, last: BoundariesView | None
) -> BoundariesView | None:
    """The present view; None if there is no such run.

    Args:
        second: the configuration to put beside the selected one, None for none.
        last: the view before; what cannot have changed since is taken from it.
    """
    choice = read_choice(store, selection)
    if choice is None:
        return None
    run, entry = choice.summary.id, choice.strategy
    documents = documents_of_run(store, run, entry.chunk_set)
    place = next((i for i, d in enumerate(documents) if d.id == selection.document), 0)
    document = documents[place].id
    if last is not None and (last.choice.summary.id, last.document.id) == (run, document):
        text, evidence = last.text, last.evidence
        known = {made.chunk_set: made for made in (last.chunking, last.second_chunking) if made}
    else:
        text, evidence = document_text(store, document), evidence_spans(store, run, document)
        known = {}
    beside = next((e for e in choice.strategies if e.config == second), None)
    return BoundariesView(
        choice,
        documents,
        place,
        text,
        evidence,
        _chunking(store, entry, document, known),
        beside,
        None if beside is None else _chunking(store, beside, document, known),
    )


def shown_of(view: BoundariesView | None) -> tuple[object, ...]:
    """What of a view is laid over the text: if it is the same, nothing is to be painted."""
    if view is None:
        return ()
    return (
        view.document.id,
        view.choice.strategy,
        view.chunking,
        view.second,
        view.second_chunking,
        len(view.documents),
    )


def other_chunks(view: BoundariesView, entry: StrategyEntry, by: int) -> StrategyEntry:
    """The next strategy that way with another chunk set: experiments share them."""
    entries = view.choice.strategies
    place = entries.index(entry)
    ways = (entries[(place + by * step) % len(entries)] for step in range(1, len(entries)))
    return next((other for other in ways if other.chunk_set != entry.chunk_set), entry)


def _chunking(
    store: Store, entry: StrategyEntry, document: int, known: dict[int, Chunking]
) -> Chunking | None:
    """A finished document is never chunked again, so what was read once stands."""
    if entry.chunk_set not in known:
        spans = chunk_spans(store, entry.chunk_set, document)
        if spans is None:
            return None
        known[entry.chunk_set] = chunking(entry.label, entry.chunk_set, spans)
    return known[entry.chunk_set]
