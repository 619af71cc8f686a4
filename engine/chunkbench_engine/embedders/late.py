"""Late pooling: a span's vector from a pass over the whole document.

Günther et al. 2024, "Late Chunking", arXiv 2409.04701; section 3.2 there for documents longer
than the window.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer
    from transformers import PreTrainedTokenizerBase

    from chunkbench_engine.chunkers.chunk import Span

_BATCH = 16  # windows that go through the model together
_LONGEST = 8192  # tokens a window, where the model names no longest input


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens `[start, end)` go through the model; the vectors of `[owned, owned_end)` are taken."""

    start: int
    end: int
    owned: int
    owned_end: int


def windows(tokens: int, length: int) -> list[Window]:
    """Windows of at most `length` tokens, each overlapping the next by a quarter or more.

    The last is moved back so that it is as long as the others. A token that lies in two windows
    belongs to the one in which it is further from an edge: the overlap is cut in the middle.
    """
    if tokens <= length:
        return [Window(0, tokens, 0, tokens)]
    step = length - length // 4
    starts = [*range(0, tokens - length, step), tokens - length]
    cuts = [(start + length + after) // 2 for start, after in pairwise(starts)]
    return [
        Window(start, start + length, owned, owned_end)
        for start, owned, owned_end in zip(starts, [0, *cuts], [*cuts, tokens], strict=True)
    ]


def late_pool(
    model: SentenceTransformer, text: str, spans: Sequence[Span], dimensions: int
) -> NDArray[np.float32]:
    """`(n, dimensions)` float32, unit length: for each span the mean of its token vectors.

    The token vectors come from passes over the whole text, in `windows` as long as the model's
    `max_seq_length` allows. A token belongs to every span that it shares a character with. The
    special tokens at the two ends of the text go with its first and its last token, so that the
    vector of a span that is the whole of a text (no longer than a window) is the text's plain
    vector. A span without a token of its own (white space, or characters that the tokenizer
    drops) has the vector of the token nearest to it, the earlier of two. In a text without any
    token all vectors are zero, as its plain vector is.

    Args:
        model: a `SentenceTransformer` that pools by the mean, with a fast tokenizer.
        text: the document.
        spans: half-open ranges of its characters, in any order, overlapping or not.
        dimensions: length of a token vector.
    """
    out = np.zeros((len(spans), dimensions), dtype=np.float32)
    encoded = model.tokenizer(
        text,
        add_special_tokens=False,
        truncation=False,
        return_offsets_mapping=True,
        return_attention_mask=False,
        verbose=False,
    )
    ids: list[int] = encoded["input_ids"]
    if not ids or not spans:
        return out
    first, last = _token_ranges(np.array(encoded["offset_mapping"]), np.array(spans))

    before, after = _special_tokens(model.tokenizer)
    length = (model.max_seq_length or _LONGEST) - len(before) - len(after)
    sums = np.zeros((len(spans), dimensions), dtype=np.float64)
    counts = last - first
    for window, vectors in _token_vectors(model, ids, windows(len(ids), length), before, after):
        own = vectors[len(before) : len(vectors) - len(after)]
        for row in np.flatnonzero((first < window.owned_end) & (last > window.owned)):
            begin, end = max(first[row], window.owned), min(last[row], window.owned_end)
            sums[row] += own[begin - window.start : end - window.start].sum(axis=0)
        if window.start == 0:
            at_start = first == 0
            sums[at_start] += vectors[: len(before)].sum(axis=0)
            counts = counts + at_start * len(before)
        if window.end == len(ids):
            at_end = last == len(ids)
            sums[at_end] += vectors[len(vectors) - len(after) :].sum(axis=0)
            counts = counts + at_end * len(after)

    means = sums / counts[:, None]
    out[:] = means / np.linalg.norm(means, axis=1, keepdims=True)
    return out


def _token_ranges(
    offsets: NDArray[np.int64], spans: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and one past the last token of each span; the nearest token where it has none."""
    starts, ends = offsets[:, 0], offsets[:, 1]
    first = np.searchsorted(ends, spans[:, 0], side="right")
    last = np.searchsorted(starts, spans[:, 1], side="left")
    for row in np.flatnonzero(last <= first):
        start, end = spans[row]
        following = min(int(first[row]), len(offsets) - 1)
        preceding = max(following - 1, 0)
        nearer = start - ends[preceding] <= starts[following] - end
        first[row] = preceding if nearer or ends[following] <= start else following
        last[row] = first[row] + 1
    return first, last


def _special_tokens(tokenizer: PreTrainedTokenizerBase) -> tuple[list[int], list[int]]:
    """The tokens that the model puts before and after a text."""
    plain = tokenizer("a", add_special_tokens=False)["input_ids"]
    full = tokenizer("a", add_special_tokens=True)["input_ids"]
    for at in range(len(full) - len(plain) + 1):
        if full[at : at + len(plain)] == plain:
            return full[:at], full[at + len(plain) :]
    raise ValueError("the tokenizer's special tokens are not at the two ends of a text")


def _token_vectors(
    model: SentenceTransformer,
    ids: list[int],
    spread: list[Window],
    before: list[int],
    after: list[int],
) -> Iterator[tuple[Window, NDArray[np.float32]]]:
    """Each window with its token vectors, those of the special tokens at both ends included."""
    import torch

    for first in range(0, len(spread), _BATCH):
        batch = spread[first : first + _BATCH]
        # All windows of a text are equally long, so there is nothing to pad.
        rows = torch.tensor([[*before, *ids[w.start : w.end], *after] for w in batch])
        with torch.inference_mode():
            found = model[0]({"input_ids": rows, "attention_mask": torch.ones_like(rows)})
        yield from zip(batch, found["token_embeddings"].float().numpy(), strict=True)
