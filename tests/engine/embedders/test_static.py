"""Static embeddings, against model2vec itself and against their own promises."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.embedders import static
from chunkbench_engine.embedders.registry import load_embedder
from chunkbench_engine.embedders.static import StaticEmbedder, load_wordllama
from chunkbench_engine.errors import Unavailable

if TYPE_CHECKING:
    from pathlib import Path

    from model2vec import StaticModel

TEXTS = ["The cat sat on the mat.", "Quarterly revenue rose by 4 %.", "日本語の文。", "x"]


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return load_wordllama(256)


@pytest.fixture(scope="module")
def quantised() -> StaticModel:
    """A model of a few words, whose tokens share vectors and have weights."""
    from model2vec import StaticModel
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    words = {"[UNK]": 0, "cat": 1, "dog": 2, "car": 3, "lorry": 4}
    tokenizer = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    return StaticModel(
        vectors=np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float16),
        tokenizer=tokenizer,
        normalize=True,
        token_mapping=np.array([2, 0, 0, 1, 1]),
        weights=np.array([1.0, 2.0, 1.0, 3.0, 1.0]),
    )


@pytest.mark.parametrize("dimensions", [256, 128, 64])
def test_the_vectors_are_those_of_model2vec(dimensions: int) -> None:
    from model2vec import StaticModel
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    weights, tokenizer = static._wordllama_files()
    (rows,) = load_file(weights).values()
    reference = StaticModel(
        rows[:, :dimensions].astype(np.float32),
        Tokenizer.from_file(str(tokenizer)),
        normalize=True,
    )
    vectors = load_wordllama(dimensions).embed(TEXTS)
    assert vectors.shape == (len(TEXTS), dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, reference.encode(TEXTS), atol=1e-6)


def test_a_quantised_vocabulary_gives_the_vectors_of_model2vec(quantised: StaticModel) -> None:
    texts = ["cat dog", "cat car lorry", "lorry", "unknown cat"]
    expected = quantised.encode(texts)
    vectors = StaticEmbedder(quantised, "some").embed(texts)
    np.testing.assert_allclose(vectors, expected, atol=1e-3)  # its mean is in float16


def test_a_text_of_which_no_token_is_known_has_the_zero_vector(quantised: StaticModel) -> None:
    embedder = StaticEmbedder(quantised, "some")
    assert not embedder.embed(["unknown words"]).any()
    assert embedder.count_tokens(["unknown words", "cat unknown"]) == [0, 1]


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(st.text(), max_size=8))
def test_vectors_are_of_unit_length_or_zero_for_blank_texts(
    embedder: StaticEmbedder, texts: list[str]
) -> None:
    lengths = np.linalg.norm(embedder.embed(texts), axis=1)
    for text, length in zip(texts, lengths, strict=True):
        assert length == pytest.approx(1.0 if text.strip() else 0.0, abs=1e-5)


@settings(max_examples=40, deadline=None)
@given(texts=st.lists(st.text(max_size=40), min_size=1, max_size=6))
def test_a_vector_does_not_depend_on_the_texts_beside_it(
    embedder: StaticEmbedder, texts: list[str]
) -> None:
    together = embedder.embed(texts)
    for row, text in enumerate(texts):
        np.testing.assert_array_equal(embedder.embed([text])[0], together[row])


def test_batches_join_in_order(embedder: StaticEmbedder) -> None:
    texts = [f"number {i}" for i in range(2500)]
    vectors = embedder.embed(texts)
    for row in (0, 1023, 1024, 2047, 2048, 2499):
        np.testing.assert_array_equal(vectors[row], embedder.embed([texts[row]])[0])


def test_a_text_beyond_512_tokens_is_embedded_whole(embedder: StaticEmbedder) -> None:
    beginning = "cats and dogs " * 400
    text = beginning + "monetary policy " * 400
    assert embedder.window is None
    assert embedder.count_tokens([text])[0] > 2000
    assert embedder.embed([text])[0] @ embedder.embed([beginning])[0] < 0.95


def test_no_texts_give_no_vectors(embedder: StaticEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 256)
    assert embedder.count_tokens([]) == []


def test_a_lone_surrogate_is_no_error(embedder: StaticEmbedder) -> None:
    np.testing.assert_array_equal(*embedder.embed(["broken \ud800 text", "broken \ufffd text"]))


def test_a_shorter_model_has_the_first_columns_and_another_id(embedder: StaticEmbedder) -> None:
    shorter = load_embedder("wordllama-64")
    cut = embedder.embed(TEXTS)[:, :64]
    cut /= np.linalg.norm(cut, axis=1, keepdims=True)
    np.testing.assert_allclose(shorter.embed(TEXTS), cut, atol=1e-5)
    assert shorter.id != embedder.id
    assert shorter.id.split("@")[1] == embedder.id.split("@")[1], "the same weights"


def test_the_id_changes_with_the_weights(
    embedder: StaticEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors.numpy import load_file, save_file

    weights, tokenizer = static._wordllama_files()
    changed = load_file(weights)
    next(iter(changed.values()))[5, 5] += 1
    save_file(changed, tmp_path / "weights.safetensors")
    monkeypatch.setattr(
        static, "_wordllama_files", lambda: (tmp_path / "weights.safetensors", tokenizer)
    )
    assert load_wordllama(256).id != embedder.id


def test_without_the_package_the_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(static, "find_spec", lambda name: None)
    with pytest.raises(Unavailable, match=r"pip install wordllama"):
        load_wordllama(256)


FORKS = """
import multiprocessing, sys
from chunkbench_engine.embedders.static import load_wordllama

embedder = load_wordllama(64)
texts = [f"text number {i}" for i in range(3000)]
here = embedder.embed(texts)

def child(queue):
    queue.put(embedder.embed(texts).tobytes())

queue = multiprocessing.get_context("fork").Queue()
process = multiprocessing.get_context("fork").Process(target=child, args=(queue,))
process.start()
assert queue.get(timeout=60) == here.tobytes()
process.join()
assert "wordllama" not in sys.modules
assert "torch" not in sys.modules
"""


def test_it_works_in_a_forked_process_and_imports_neither_wordllama_nor_torch() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", FORKS], capture_output=True, text=True, timeout=100, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
