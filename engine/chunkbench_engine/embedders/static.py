"""Static embeddings: a vector a token, averaged. No torch, no hub."""

from __future__ import annotations

import os
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.embedders.text import embeddable, is_blank
from chunkbench_engine.embedders.weights import digest, model_files
from chunkbench_engine.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model2vec import StaticModel
    from numpy.typing import NDArray

_BATCH = 1024  # texts that are tokenized, and averaged, together
_COLUMNS = 256


class StaticEmbedder:
    """The normalised mean of the token vectors of a text.

    `window` is None: a mean has no longest input. (model2vec cuts at 512 tokens by default, and
    before that at 512 times the median length of a token in characters; neither is a limit of
    the model, so both are off here, and a long chunk is embedded whole.)

    `worth_caching` is False. A vector costs some 50 µs to compute; beyond 100,000 vectors an SQLite
    file takes as long again to store one, half as long to find one, and 1.4 kB of disk to keep it.

    Runs in the calling thread only, so a process that has used it may be forked.
    """

    worth_caching = False

    def __init__(self, model: StaticModel, id: str) -> None:  # noqa: A002 - the contract's name
        """From a model2vec `StaticModel` and the name of its weights."""
        # One row a token id, with the mapping and weights of a quantised vocabulary folded in.
        rows = np.asarray(model.embedding, dtype=np.float32)
        if model.token_mapping is not None:
            rows = rows[np.asarray(model.token_mapping)]
        if model.weights is not None:
            rows = rows * np.asarray(model.weights, dtype=np.float32)[:, None]
        model.tokenizer.no_truncation()
        self._model = model
        self._rows = rows
        self.id = id
        self.dimensions: int = rows.shape[1]
        self.window: int | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """`(n, dimensions)` float32, unit length.

        The zero vector stands for an empty or white-space text, and for one of which the model
        knows no token. A vector does not depend on the texts it is computed with.
        """
        out = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for first in range(0, len(texts), _BATCH):
            batch = texts[first : first + _BATCH]
            out[first : first + len(batch)] = self._sums(self._tokenize(batch))
        lengths = np.linalg.norm(out, axis=1, keepdims=True)
        np.divide(out, lengths, out=out, where=lengths > 0)
        return out

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Length of each text in the model's own tokens; tokens unknown to it do not count."""
        return [
            len(ids)
            for first in range(0, len(texts), _BATCH)
            for ids in self._tokenize(texts[first : first + _BATCH])
        ]

    def _tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        # Read by the tokenizer at each call: no threads, which a fork would not carry over.
        os.environ["TOKENIZERS_PARALLELISM"] = "false"
        ids: list[list[int]] = self._model.tokenize(
            ["" if is_blank(text) else embeddable(text) for text in texts]
        )
        return ids

    def _sums(self, ids: list[list[int]]) -> NDArray[np.float32]:
        """Sum of the token vectors of each text.

        As the product of a sparse text-by-token matrix and the token vectors: four times as fast
        as a loop, and a text of a million tokens needs no matrix of a million rows.
        """
        from scipy.sparse import csr_array

        lengths = np.fromiter(map(len, ids), np.int64, len(ids))
        ends = np.concatenate([[0], np.cumsum(lengths)])
        tokens = np.fromiter(chain.from_iterable(ids), np.int32, ends[-1])
        ones = np.ones(len(tokens), dtype=np.float32)
        counts = csr_array((ones, tokens, ends), shape=(len(ids), len(self._rows)))
        sums: NDArray[np.float32] = counts @ self._rows
        return sums


def load_wordllama(dimensions: int) -> StaticEmbedder:
    """The model inside the wordllama package, cut to its first 256, 128 or 64 columns.

    It was trained so that a prefix of a vector is itself a vector (Matryoshka loss). The two
    files are read from the package's folder; the package itself is not imported, since its
    import sets up logging and its own loader looks for the tokenizer on the network.

    Raises:
        Unavailable: the package or one of its two files is not there.
    """
    weights, tokenizer = _wordllama_files()
    from model2vec import StaticModel
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    (vectors,) = load_file(weights).values()
    model = StaticModel(
        vectors=np.ascontiguousarray(vectors[:, :dimensions]),
        tokenizer=Tokenizer.from_file(str(tokenizer)),
        normalize=True,
        max_length=None,
    )
    return StaticEmbedder(model, f"wordllama-{dimensions}@{digest([weights, tokenizer])}")


def load_model2vec(folder: Path, name: str) -> StaticEmbedder:
    """A model2vec model in a folder, under the name it was asked for."""
    from model2vec import StaticModel

    model = StaticModel.from_pretrained(folder, force_download=False)
    return StaticEmbedder(model, f"{name}@{digest(model_files(folder))}")


def _wordllama_files() -> tuple[Path, Path]:
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise Unavailable(
            "The package wordllama, which carries the default embedding model, is not installed: "
            "pip install wordllama==0.4.0.post1"
        )
    folder = Path(spec.origin).parent
    weights = folder / "weights" / f"l2_supercat_{_COLUMNS}.safetensors"
    tokenizer = folder / "tokenizers" / "l2_supercat_tokenizer_config.json"
    for file in (weights, tokenizer):
        if not file.is_file():
            raise Unavailable(
                f"The package wordllama is installed without {file.name}, which the default "
                "embedding model needs: pip install --force-reinstall wordllama==0.4.0.post1"
            )
    return weights, tokenizer
