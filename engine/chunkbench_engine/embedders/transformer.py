"""Transformer embeddings through sentence-transformers, on the CPU."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.embedders import hub
from chunkbench_engine.embedders.late import late_pool
from chunkbench_engine.embedders.text import embeddable, is_blank
from chunkbench_engine.embedders.weights import digest, model_files
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer

    from chunkbench_engine.chunkers.chunk import Span

_BATCH = 32


class TransformerEmbedder:
    """A sentence-transformers model.

    `window` counts special tokens, as `count_tokens` does: a text is cut exactly if it counts
    more than `window`.
    """

    def __init__(self, model: SentenceTransformer, id: str) -> None:  # noqa: A002 - the contract's name
        """From a `SentenceTransformer` and the name of its weights."""
        self._model = model
        self.id = id
        dimensions = model.get_embedding_dimension()
        if dimensions is None:
            raise BadInput(f"The model {id} does not say how long its vectors are.")
        self.dimensions = dimensions
        self.window: int | None = model.max_seq_length

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """`(n, dimensions)` float32, unit length; a white-space text gives the zero vector."""
        out = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        full = [row for row, text in enumerate(texts) if not is_blank(text)]
        if full:
            out[full] = self._model.encode(
                [embeddable(texts[row]) for row in full],
                batch_size=_BATCH,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
        return out

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Length of each text in the model's own tokens, special tokens too, before any cut."""
        if not texts:
            return []
        encoded = self._model.tokenizer(
            [embeddable(text) for text in texts],
            truncation=False,
            padding=False,
            return_attention_mask=False,
            verbose=False,
        )
        return [len(ids) for ids in encoded["input_ids"]]


class MeanPooledTransformer:
    """A transformer whose vectors are the mean of its token vectors: late chunking works on it.

    (Where another pooling makes a text's vector, the mean of token vectors is a vector the model
    was not trained to give, and comparing it with a question's would say nothing.)
    """

    def __init__(self, plain: TransformerEmbedder, model: SentenceTransformer) -> None:
        self._plain = plain
        self._model = model
        self.id = plain.id
        self.dimensions = plain.dimensions
        self.window = plain.window

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As `TransformerEmbedder.embed`."""
        return self._plain.embed(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """As `TransformerEmbedder.count_tokens`."""
        return self._plain.count_tokens(texts)

    def embed_spans(self, text: str, spans: Sequence[Span]) -> NDArray[np.float32]:
        """One unit vector a span, as `late_pool` defines it."""
        return late_pool(self._model, embeddable(text), spans, self.dimensions)


def load_transformer(folder: Path, name: str) -> TransformerEmbedder | MeanPooledTransformer:
    """A sentence-transformers model in a folder, under the name it was asked for.

    Nothing is asked of the network, and nothing is printed.
    """
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    hub.silence()
    from sentence_transformers import SentenceTransformer

    logging.getLogger("transformers").setLevel(logging.ERROR)  # no report of what was loaded
    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    model.eval()
    plain = TransformerEmbedder(model, f"{name}@{digest(model_files(folder))}")
    return MeanPooledTransformer(plain, model) if _pools_by_mean(model) else plain


def _pools_by_mean(model: SentenceTransformer) -> bool:
    kinds = [type(module).__name__ for module in model]
    return (
        kinds in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
        and model[1].pooling_mode == "mean"
        and model.tokenizer.is_fast
    )
