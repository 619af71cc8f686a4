"""Token-level measures over ranges of characters, counted as Chroma's evaluation counts them.

Smith & Troynikov 2024, *Evaluating Chunking Strategies for Retrieval*. The measures are named
after tokens and counted in characters, there and here. What decides the numbers:

* evidence counts once, however many retrieved chunks give it; the retrieved text counts as often
  as it is given, so that overlapping chunks cost precision;
* retrieved chunks of other documents count as retrieved text;
* of two passages of evidence that overlap, the common part counts twice in what was to be found;
* for precision-omega a chunk that only touches a passage, end to end, counts as one needed for it.

A slot with alternatives, which the publication does not know, counts with the alternative that
alone scores highest, the first of equals.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkbench_engine.measures.intervals import intersection, union

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from chunkbench_engine.chunkers.chunk import Span
    from chunkbench_engine.judges.judge import RetrievedChunk
    from chunkbench_engine.judges.spans import Spans
    from chunkbench_engine.questions.question import Passage, Slot


class TokenLevel(NamedTuple):
    """Measures of one question's top k, each from 0 to 1; 0 where nothing was retrieved.

    Attributes:
        recall: share of the evidence that was retrieved.
        precision: share of the retrieved text that is evidence.
        iou: evidence retrieved, as a share of the retrieved text and the evidence missed together.
    """

    recall: float
    precision: float
    iou: float


def token_level(retrieved: Sequence[RetrievedChunk], evidence: Sequence[Slot]) -> TokenLevel:
    """Recall, precision and intersection over union of one question.

    Args:
        retrieved: the top k; their order does not matter.
        evidence: the slots of the question, at least one.
    """
    given: dict[str, list[Span]] = defaultdict(list)
    for chunk in retrieved:
        given[chunk.document].append((chunk.start, chunk.end))
    covered = {document: union(spans) for document, spans in given.items()}
    passages = _one_of_each(evidence, lambda passage: _found([passage], covered) / _length(passage))
    found = _found(passages, covered)
    wanted = sum(map(_length, passages))
    missed = sum(_length(passage) - _found([passage], covered) for passage in passages)
    text = sum(chunk.end - chunk.start for chunk in retrieved)
    if text == 0:
        return TokenLevel(0.0, 0.0, 0.0)
    return TokenLevel(found / wanted, found / text, found / (text + missed))


def precision_omega(index: Spans, evidence: Sequence[Slot]) -> float:
    """Precision with perfect retrieval: of exactly those chunks of an index that hold evidence.

    Evidence that no chunk holds counts as text beside it. Linear in the chunks of the documents
    with evidence.

    Args:
        index: what a reader could be given, of every chunk.
        evidence: the slots of the question, at least one.
    """
    passages = _one_of_each(evidence, lambda passage: _omega([passage], index))
    return _omega(passages, index)


def _one_of_each(evidence: Sequence[Slot], score: Callable[[Passage], float]) -> list[Passage]:
    """The passage of each slot that scores highest alone."""
    if not evidence:
        raise ValueError("a question without evidence has no token-level measures")
    return [slot[0] if len(slot) == 1 else max(slot, key=score) for slot in evidence]


def _found(passages: Sequence[Passage], covered: dict[str, list[Span]]) -> int:
    """Characters of evidence, each counted once, that lie in the covered spans."""
    return sum(
        _size(intersection(spans, covered.get(document, [])))
        for document, spans in _by_document(passages).items()
    )


def _omega(passages: Sequence[Passage], index: Spans) -> float:
    found = needed = 0
    for document, goal in _by_document(passages).items():
        rows = index.rows(document)
        start, end = index.start[rows], index.end[rows]
        touched = np.zeros(len(rows), dtype=bool)
        for passage in passages:
            if passage.document == document:
                touched |= (start <= passage.end) & (passage.start <= end)
        chunks = union(zip(start[touched].tolist(), end[touched].tolist(), strict=True))
        found += _size(intersection(goal, chunks))
        needed += _size(union([*chunks, *goal]))
    return found / needed


def _by_document(passages: Iterable[Passage]) -> dict[str, list[Span]]:
    spans: dict[str, list[Span]] = defaultdict(list)
    for passage in passages:
        spans[passage.document].append((passage.start, passage.end))
    return {document: union(found) for document, found in spans.items()}


def _length(passage: Passage) -> int:
    return passage.end - passage.start


def _size(spans: Iterable[Span]) -> int:
    return sum(end - start for start, end in spans)
