"""The embedder before its cache: what is embedded, what it costs, what is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.embedders import cached as cached_module
from chunkbench_engine.embedders.cache import VectorCache
from chunkbench_engine.embedders.cached import BATCH, CachedEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from chunkbench_engine.chunkers.chunk import Span


class Clock:
    """A clock that only moves when an embedder works."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(cached_module.time, "perf_counter", lambda: self.now)


class Counting:
    """An embedder of two dimensions that takes a second a character, and remembers its work."""

    worth_caching = True
    dimensions = 2
    window = None

    def __init__(self, clock: Clock, id: str = "counting@1") -> None:  # noqa: A002
        self.id = id
        self.clock = clock
        self.batches: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.batches.append(list(texts))
        self.clock.now += sum(len(text) + 1 for text in texts)
        return np.array([[len(t), sum(map(ord, t))] for t in texts], np.float32).reshape(-1, 2)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    @property
    def embedded(self) -> list[str]:
        return [text for batch in self.batches for text in batch]


class Contextual(Counting):
    """The same, with token vectors: a pass over a document takes a second a character."""

    def embed_spans(self, text: str, spans: Sequence[Span]) -> NDArray[np.float32]:
        self.batches.append([text])
        self.clock.now += len(text)
        return np.array([[start, len(text)] for start, _ in spans], np.float32).reshape(-1, 2)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def cache(tmp_path: Path) -> VectorCache:
    return VectorCache(tmp_path / "cache.db")


def test_a_second_time_nothing_is_embedded_and_the_cost_is_the_same(
    clock: Clock, cache: VectorCache
) -> None:
    texts = ["one", "three", "", "seven"]
    first = CachedEmbedder(Counting(clock), cache).embed_costed(texts)
    model = Counting(clock)
    again = CachedEmbedder(model, cache).embed_costed(texts)
    assert model.embedded == []
    np.testing.assert_array_equal(again.values, first.values)
    assert first.seconds == pytest.approx(17)
    assert again.seconds == pytest.approx(17)


def test_each_text_is_charged_by_its_length(clock: Clock, cache: VectorCache) -> None:
    CachedEmbedder(Counting(clock), cache).embed(["one", "seventeen", "three"])
    cached = CachedEmbedder(Counting(clock), cache)
    assert cached.embed_costed(["one"]).seconds == pytest.approx(4)
    assert cached.embed_costed(["seventeen"]).seconds == pytest.approx(10)


def test_only_what_is_missing_is_embedded(clock: Clock, cache: VectorCache) -> None:
    CachedEmbedder(Counting(clock), cache).embed(["one", "two"])
    model = Counting(clock)
    vectors = CachedEmbedder(model, cache).embed_costed(["two", "three", "one"])
    assert model.embedded == ["three"]
    np.testing.assert_array_equal(vectors.values, Counting(clock).embed(["two", "three", "one"]))
    assert vectors.seconds == pytest.approx(4 + 6 + 4)


def test_equal_texts_are_embedded_and_charged_once(clock: Clock, cache: VectorCache) -> None:
    model = Counting(clock)
    vectors = CachedEmbedder(model, cache).embed_costed(["same", "same", "other", "same"])
    assert sorted(model.embedded) == ["other", "same"]
    assert vectors.values.shape == (4, 2)
    assert vectors.seconds == pytest.approx(5 + 6)


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> VectorCache:
    """A cache that knows some of the texts from the examples before."""
    return VectorCache(tmp_path_factory.mktemp("cache") / "cache.db")


@settings(max_examples=50, deadline=None)
@given(texts=st.lists(st.text("abc", max_size=3), max_size=20))
def test_vectors_come_in_the_order_of_the_texts(growing: VectorCache, texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        clock = Clock(monkeypatch)
        values = CachedEmbedder(Counting(clock), growing).embed(texts)
        np.testing.assert_array_equal(values, Counting(clock).embed(texts))


def test_what_was_embedded_before_a_failure_is_kept(clock: Clock, cache: VectorCache) -> None:
    class Failing(Counting):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if len(self.batches) == 2:
                raise KeyboardInterrupt
            return super().embed(texts)

    texts = [f"text {number:04}" for number in range(3 * BATCH)]
    with pytest.raises(KeyboardInterrupt):
        CachedEmbedder(Failing(clock), cache).embed(texts)
    model = Counting(clock)
    CachedEmbedder(model, cache).embed(texts)
    assert len(model.embedded) == BATCH


def test_a_model_that_is_not_worth_caching_is_measured_but_not_cached(
    clock: Clock, cache: VectorCache, tmp_path: Path
) -> None:
    class Cheap(Counting):
        worth_caching = False

    model = Cheap(clock)
    cached = CachedEmbedder(model, cache)
    assert cached.embed_costed(["one", "one"]).seconds == 8
    cached.embed(["one"])
    assert model.embedded == ["one", "one", "one"]
    assert list(tmp_path.iterdir()) == []


def test_models_do_not_share_vectors(clock: Clock, cache: VectorCache) -> None:
    CachedEmbedder(Counting(clock, "counting@1"), cache).embed(["one"])
    model = Counting(clock, "counting@2")
    CachedEmbedder(model, cache).embed(["one"])
    assert model.embedded == ["one"]


def test_spans_are_kept_with_their_document(clock: Clock, cache: VectorCache) -> None:
    spans = [(0, 4), (4, 9), (0, 4)]
    first = CachedEmbedder(Contextual(clock), cache).embed_spans_costed("some text", spans)
    assert first.seconds == pytest.approx(9)

    model = Contextual(clock)
    cached = CachedEmbedder(model, cache)
    again = cached.embed_spans_costed("some text", spans)
    np.testing.assert_array_equal(again.values, first.values)
    assert again.seconds == pytest.approx(9)
    assert model.embedded == []

    other = cached.embed_spans_costed("other document", spans)
    assert other.values[0].tolist() == [0, 14]
    assert model.embedded == ["other document"]


def test_where_one_span_is_unknown_the_whole_pass_is_made(clock: Clock, cache: VectorCache) -> None:
    CachedEmbedder(Contextual(clock), cache).embed_spans_costed("some text", [(0, 4)])
    model = Contextual(clock)
    found = CachedEmbedder(model, cache).embed_spans_costed("some text", [(0, 4), (4, 9)])
    assert model.embedded == ["some text"]
    assert found.seconds == pytest.approx(9)


def test_a_late_vector_is_no_plain_vector(clock: Clock, cache: VectorCache) -> None:
    model = Contextual(clock)
    cached = CachedEmbedder(model, cache)
    cached.embed_spans_costed("text", [(0, 4)])
    np.testing.assert_array_equal(cached.embed(["text"]), Counting(clock).embed(["text"]))


def test_a_model_without_token_vectors_says_so(clock: Clock, cache: VectorCache) -> None:
    cached = CachedEmbedder(Counting(clock), cache)
    assert not cached.contextual
    assert CachedEmbedder(Contextual(clock), cache).contextual
    with pytest.raises(TypeError, match="token vectors"):
        cached.embed_spans_costed("text", [(0, 4)])
