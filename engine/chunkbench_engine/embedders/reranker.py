"""Cross-encoders, which read a question and a passage together, through sentence-transformers."""

from __future__ import annotations

import json
import logging
import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chunkbench_engine.embedders import hub
from chunkbench_engine.embedders.registry import INSTALL
from chunkbench_engine.embedders.text import embeddable
from chunkbench_engine.embedders.weights import digest, model_files
from chunkbench_engine.errors import BadInput, Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from sentence_transformers import CrossEncoder

DEFAULT_RERANKER = "cross-encoder/ms-marco-MiniLM-L6-v2"
"""Small, and trained on a search engine's queries; 91 MB."""

_BATCH = 32


class Reranker:
    """A cross-encoder with one output: how well a passage answers a question.

    A pair that is longer than the model's window is cut at the passage's end by the model.
    """

    def __init__(self, model: CrossEncoder, id: str) -> None:  # noqa: A002 - as an embedder's
        """From a `CrossEncoder` and the name of its weights."""
        self._model = model
        self.id = id

    def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """`(n,)`: a score for each text, the higher the better; its scale is the model's own."""
        if not texts:
            return np.zeros(0, dtype=np.float32)
        pairs = [(embeddable(question), embeddable(text)) for text in texts]
        scores = self._model.predict(pairs, batch_size=_BATCH, show_progress_bar=False)
        return np.asarray(scores, dtype=np.float32)


def find_reranker(name: str) -> Path:
    """The folder of a cross-encoder, fetched if it is not on this machine yet.

    Args:
        name: the path of a folder, or a repository of the hub (`organisation/model`).

    Raises:
        Unavailable: sentence-transformers is not installed, or the model is not on this machine
            and the hub cannot be reached.
        BadInput: there is no such model, or it is no cross-encoder with one output.
    """
    if find_spec("sentence_transformers") is None:
        raise Unavailable(f"The reranker {name} needs sentence-transformers: {INSTALL}")
    folder = Path(name).expanduser()
    if not name or not folder.is_dir():
        if name.count("/") != 1 or name.startswith((".", "/", "~")) or name.endswith("/"):
            raise BadInput(
                f"There is no folder {name!r} with a reranker; one of the hub is named "
                f"organisation/model, as {DEFAULT_RERANKER}."
            )
        folder = hub.fetch_model(
            name, name, otherwise="give its path with --reranker, or leave rerank out"
        )
    settings = folder / "config.json"
    try:
        described = json.loads(settings.read_text("utf-8"))
        kinds = described.get("architectures") or []
        outputs = len(described.get("id2label") or ("LABEL_0", "LABEL_1"))
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise BadInput(f"{folder} holds no reranker that can be read: {error}") from error
    if not any(str(kind).endswith("ForSequenceClassification") for kind in kinds) or outputs != 1:
        raise BadInput(
            f"{folder} holds no reranker: that is a cross-encoder with one output, and this is "
            f"{', '.join(map(str, kinds)) or 'of no stated kind'}, outputs: {outputs}."
        )
    return folder


def load_reranker(name: str) -> Reranker:
    """The reranker of that name, as `find_reranker` finds it; on the CPU, and silent.

    Raises:
        Unavailable, BadInput: as `find_reranker`; BadInput also if its files cannot be loaded.
    """
    folder = find_reranker(name)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    hub.silence()
    from sentence_transformers import CrossEncoder

    logging.getLogger("transformers").setLevel(logging.ERROR)  # no report of what was loaded
    try:
        model = CrossEncoder(str(folder), device="cpu", local_files_only=True)
    except (OSError, ValueError, KeyError) as error:
        raise BadInput(
            f"{folder} holds no reranker that can be loaded: {' '.join(str(error).split())}"
        ) from error
    model.eval()
    return Reranker(model, f"{name}@{digest(model_files(folder))}")
