"""What the top k costs a reader, in tokens, and what it is made of."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkbench_engine.measures.intervals import difference, intersection, union

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from chunkbench_engine.chunkers.chunk import Span
    from chunkbench_engine.judges.judge import RetrievedChunk
    from chunkbench_engine.questions.question import Passage


class ContextCost(NamedTuple):
    """Tokens of one question's top k.

    Attributes:
        tokens: all of them, text that comes twice counted twice.
        evidence: tokens of evidence, where it comes first.
        repeated: tokens of text that a higher rank already gave.

    `evidence` and `repeated` never overlap: evidence that comes again is repetition.
    """

    tokens: int
    evidence: int
    repeated: int

    @property
    def evidence_share(self) -> float:
        """Share of the tokens that is evidence; 0 if nothing was retrieved."""
        return self.evidence / self.tokens if self.tokens else 0.0

    @property
    def repeated_share(self) -> float:
        """Share of the tokens that repeats text already retrieved; 0 if nothing was retrieved."""
        return self.repeated / self.tokens if self.tokens else 0.0


def context_cost(
    retrieved: Sequence[RetrievedChunk],
    evidence: Iterable[Passage],
    token_starts: Mapping[str, NDArray[np.int64]],
) -> ContextCost:
    """Tokens in the retrieved spans, and how many of them are evidence or repetition.

    Spans are split by character; a token belongs to the piece in which it begins, so that the
    pieces of a text always add up to the text.

    Args:
        retrieved: the top k, in rank order.
        evidence: all passages of all slots of the question.
        token_starts: by document id, the first character of each token, ascending.
    """
    wanted: dict[str, list[Span]] = defaultdict(list)
    for passage in evidence:
        wanted[passage.document].append((passage.start, passage.end))
    goal = {document: union(spans) for document, spans in wanted.items()}
    given: dict[str, list[Span]] = defaultdict(list)
    total = useful = repeated = 0
    for chunk in retrieved:
        starts = token_starts[chunk.document]
        span = [(chunk.start, chunk.end)]
        fresh = difference(span, given[chunk.document])
        tokens = _count(span, starts)
        total += tokens
        repeated += tokens - _count(fresh, starts)
        useful += _count(intersection(fresh, goal.get(chunk.document, [])), starts)
        given[chunk.document] = union([*given[chunk.document], *span])
    return ContextCost(total, useful, repeated)


def _count(pieces: Sequence[Span], starts: NDArray[np.int64]) -> int:
    if not pieces:
        return 0
    edges = np.searchsorted(starts, np.array(pieces, dtype=np.int64))
    return int((edges[:, 1] - edges[:, 0]).sum())
