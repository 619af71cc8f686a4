"""What covers a text: swept once, and then the same as looking at every chunk."""

from __future__ import annotations

from array import array

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_store.boundaries import ChunkSpans
from chunkbench_tui.document.coverage import NO_CHUNK, chunking, merged, sweep

SPANS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 20)).map(lambda s: (s[0], s[0] + s[1])),
    max_size=12,
).map(sorted)


@settings(max_examples=100, deadline=None)
@given(SPANS)
def test_every_offset_has_the_chunks_that_lie_over_it(spans: list[tuple[int, int]]) -> None:
    coverage = sweep([s for s, _ in spans], [e for _, e in spans])
    for offset in range(90):
        over = [chunk for chunk, (start, end) in enumerate(spans) if start <= offset < end]
        assert coverage.at(offset) == (over[-1] if over else NO_CHUNK, len(over))


@settings(max_examples=50, deadline=None)
@given(SPANS, st.integers(0, 60), st.integers(1, 20))
def test_merged_spans_hold_the_same_characters(
    spans: list[tuple[int, int]], start: int, length: int
) -> None:
    spans = [span for span in spans if span[0] < span[1]]
    passages = merged(spans)
    for offset in range(90):
        assert passages.holds(offset) == any(s <= offset < e for s, e in spans)
    touched = any(s < start + length and e > start for s, e in spans)
    assert bool(passages.over(start, start + length)) == touched


def test_the_characters_in_several_chunks_are_counted() -> None:
    columns = [array("i", column) for column in ((0, 8, 30), (10, 20, 40), (1, 1, 1))]
    nothing = array("i", [-1, -1, -1])
    made = chunking("OFC", 1, ChunkSpans(*columns, nothing, nothing))
    assert made.overlapping == 2
    assert [made.chunk_at(offset) for offset in (0, 8, 29, 99)] == [0, 1, 1, 2]
