"""What the top k costs: tokens, evidence among them, repetition among them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.judges.judge import RetrievedChunk
from chunkbench_engine.measures.context import ContextCost, context_cost
from chunkbench_engine.questions.question import Passage

# A token every 2 characters, 50 of them in each document.
STARTS = {name: np.arange(0, 100, 2) for name in ("a", "b")}


def cost(chunks: list[RetrievedChunk], *evidence: Passage) -> ContextCost:
    return context_cost(chunks, evidence, STARTS)


def test_by_hand() -> None:
    chunks = [
        RetrievedChunk("a", 0, 20),  # 10 tokens, 5 of them evidence
        RetrievedChunk("a", 10, 30),  # 10 tokens: 5 seen before (the evidence), 5 new
        RetrievedChunk("b", 0, 20),  # 10 tokens of another document
    ]
    found = cost(chunks, Passage("a", 10, 20))
    assert found == ContextCost(30, 5, 5)
    assert found.evidence_share == pytest.approx(1 / 6)
    assert found.repeated_share == pytest.approx(1 / 6)


def test_the_same_context_given_twice_is_half_repetition() -> None:
    found = cost([RetrievedChunk("a", 0, 40), RetrievedChunk("a", 0, 40)], Passage("a", 0, 40))
    assert (found.evidence_share, found.repeated_share) == (0.5, 0.5)


def test_passages_that_overlap_are_counted_once() -> None:
    found = cost([RetrievedChunk("a", 0, 40)], Passage("a", 0, 10), Passage("a", 4, 20))
    assert found.evidence == 10


def test_nothing_retrieved_costs_nothing() -> None:
    found = cost([], Passage("a", 0, 10))
    assert (found.tokens, found.evidence_share, found.repeated_share) == (0, 0.0, 0.0)


CHUNK = st.builds(
    lambda d, start, length: RetrievedChunk(d, start, min(100, start + length)),
    st.sampled_from("ab"),
    st.integers(0, 99),
    st.integers(1, 60),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(CHUNK, max_size=6), st.lists(CHUNK, max_size=4))
def test_fresh_and_repeated_tokens_add_up_and_fresh_ones_are_the_distinct_ones(
    chunks: list[RetrievedChunk], evidence: list[RetrievedChunk]
) -> None:
    found = cost(chunks, *(Passage(e.document, e.start, e.end) for e in evidence))

    def tokens(span: RetrievedChunk) -> set[tuple[str, int]]:
        return {
            (span.document, int(s)) for s in STARTS[span.document] if span.start <= s < span.end
        }

    read = [tokens(chunk) for chunk in chunks]
    distinct = set().union(*read)
    assert found.tokens == sum(map(len, read))
    assert found.tokens - found.repeated == len(distinct)
    assert found.evidence == len(distinct & set().union(*map(tokens, evidence)))
