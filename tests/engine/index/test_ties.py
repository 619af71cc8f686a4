from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.index.ties import Hit, best


@settings(max_examples=100, deadline=None)
@given(
    scores=st.lists(st.sampled_from([0.9, 0.5, 0.5000000004, 0.25, 0.0, -0.0, -0.5]), max_size=60),
    k=st.integers(1, 12),
    shuffle=st.randoms(use_true_random=False),
)
def test_the_best_are_the_same_whatever_order_the_engine_gives_equal_scores_in(
    scores: list[float], k: int, shuffle: object
) -> None:
    def fetch(limit: int) -> list[Hit]:
        hits = list(enumerate(scores))
        shuffle.shuffle(hits)  # type: ignore[attr-defined]
        return sorted(hits, key=lambda hit: -hit[1])[:limit]

    rounded = [(ordinal, round(score, 6) + 0.0) for ordinal, score in enumerate(scores)]
    assert best(fetch, k) == sorted(rounded, key=lambda hit: (-hit[1], hit[0]))[:k]


def test_no_more_is_fetched_than_the_ties_ask_for() -> None:
    asked = []

    def fetch(limit: int) -> list[Hit]:
        asked.append(limit)
        return [(ordinal, 1.0 - ordinal / 1000) for ordinal in range(1000)][:limit]

    best(fetch, 5)
    assert asked == [6]
