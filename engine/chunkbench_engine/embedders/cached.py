"""An embedder that remembers, and that knows what each vector cost."""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.embedders.cache import Cached, text_key
from chunkbench_engine.embedders.embedder import ContextualEmbedder, Embedder, Vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chunkbench_engine.chunkers.chunk import Span
    from chunkbench_engine.embedders.cache import VectorCache

BATCH = 64
"""Texts embedded and stored in one go: the most that a killed process loses."""


class CachedEmbedder:
    """An embedder before a vector cache; an `Embedder` itself.

    A model that says `worth_caching = False` is measured but not cached.
    """

    def __init__(self, embedder: Embedder, cache: VectorCache) -> None:
        self._embedder = embedder
        self._cache = cache
        self._caches: bool = getattr(embedder, "worth_caching", True)
        self.id = embedder.id
        self.dimensions = embedder.dimensions
        self.window = embedder.window

    @property
    def contextual(self) -> bool:
        """Whether the model exposes token vectors, so that `embed_spans_costed` works."""
        return isinstance(self._embedder, ContextualEmbedder)

    @property
    def uncached(self) -> Embedder:
        """The embedder itself: what is asked to measure how long embedding takes now."""
        return self._embedder

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As `Embedder.embed`."""
        return self.embed_costed(texts).values

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """As `Embedder.count_tokens`."""
        return self._embedder.count_tokens(texts)

    def embed_costed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of the texts, and the seconds the model spent on them, now or formerly.

        Equal texts are embedded, and charged, once. The seconds of a batch are shared out over
        its texts by their length.
        """
        if not self._caches:
            began = time.perf_counter()
            values = self._embedder.embed(texts)
            return Vectors(values, time.perf_counter() - began)

        keys = [text_key(text) for text in texts]
        distinct = dict(zip(keys, texts, strict=True))
        known = self._cache.get(self.id, list(distinct))
        # Neighbours in length share a batch, so that little of it is padding.
        missing = sorted(distinct.keys() - known.keys(), key=lambda key: (len(distinct[key]), key))
        for first in range(0, len(missing), BATCH):
            batch = missing[first : first + BATCH]
            known |= self._embed_and_store({key: distinct[key] for key in batch})
        return Vectors(self._in_order(keys, known), sum(entry.seconds for entry in known.values()))

    def embed_spans_costed(self, text: str, spans: Sequence[Span]) -> Vectors:
        """Late-pooled vectors of the spans, and the seconds of the pass over the text.

        The pass is shared out over the spans equally. It is made as a whole or not at all: where
        one span is unknown, all are computed.

        Raises:
            TypeError: the model does not expose token vectors (see `contextual`).
        """
        if not isinstance(self._embedder, ContextualEmbedder):
            raise TypeError(f"{self.id} does not expose token vectors")
        model = f"{self.id} late"
        document = text_key(text)
        keys = [_span_key(document, span) for span in spans]
        known = self._cache.get(model, list(set(keys)))
        if len(known) < len(set(keys)):
            began = time.perf_counter()
            values = self._embedder.embed_spans(text, spans)
            share = (time.perf_counter() - began) / len(set(keys))
            known = {key: Cached(value, share) for key, value in zip(keys, values, strict=True)}
            self._cache.put(model, ((key, *entry) for key, entry in known.items()))
        return Vectors(self._in_order(keys, known), sum(entry.seconds for entry in known.values()))

    def _embed_and_store(self, batch: dict[bytes, str]) -> dict[bytes, Cached]:
        texts = list(batch.values())
        began = time.perf_counter()
        values = self._embedder.embed(texts)
        seconds = time.perf_counter() - began
        lengths = np.array([len(text) + 1 for text in texts])  # + 1: an empty text is no division
        shares = (seconds * lengths / lengths.sum()).tolist()
        entries = dict(zip(batch, map(Cached, values, shares), strict=True))
        self._cache.put(self.id, ((key, *entry) for key, entry in entries.items()))
        return entries

    def _in_order(self, keys: list[bytes], known: dict[bytes, Cached]) -> NDArray[np.float32]:
        out = np.empty((len(keys), self.dimensions), dtype=np.float32)
        for row, key in enumerate(keys):
            out[row] = known[key].value
        return out


def _span_key(document: bytes, span: Span) -> bytes:
    return hashlib.sha256(document + f"{span[0]}:{span[1]}".encode()).digest()
