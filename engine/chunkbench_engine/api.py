"""The chunks of a text, as a program asks for them.

    from chunkbench_engine.api import chunk_text

    for chunk in chunk_text(text, "PGC >> FC(token_size=200)"):
        print(text[chunk.start : chunk.end])

The same chunks as a run makes of the same document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.documents.document import Document
from chunkbench_engine.embedders.embedder import Vectors
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chunkbench_engine.chunkers.chunk import Chunk


def chunk_text(text: str, spec: str, chunker_model: str = "") -> list[Chunk]:
    """The chunks that a strategy makes of a text, in order.

    `text[chunk.start : chunk.end]` is a chunk's text. What `chunk.prefix` holds is to be embedded
    before it; where `chunk.context` is a span, that is what a reader is to be given in its place.
    Of a late strategy these are the units that are indexed, which retrieval merges.

    Args:
        text: a document, its lines ended by `\\n` or `\\r\\n`.
        spec: one strategy, as `RC(chunk_size=400)`.
        chunker_model: embedding model inside semantic strategies; needed by them only, and named
            in the run's manifest.

    Raises:
        BadInput: the strategy is unknown or several, or asks a language model.
        Unavailable: the model is not there.
    """
    configured = parse_spec(spec)
    if configured.needs_language_model:
        raise BadInput(
            f"{configured.label} asks a language model: take its chunks from the command line, "
            "chunkbench-tui chunk FILE -s SPEC"
        )
    embed = None
    if configured.needs_vectors:
        if not chunker_model:
            raise BadInput(f"{configured.label} needs an embedding model: name it, chunker_model=…")
        embed = _embedding(chunker_model)
    return configured.strategy.chunk(AnnotatedDocument(Document("text", text), embed))


def _embedding(name: str) -> Callable[[Sequence[str]], Vectors]:
    from chunkbench_engine.embedders.registry import load_embedder

    model = load_embedder(name)
    return lambda texts: Vectors(model.embed(texts), 0.0)
