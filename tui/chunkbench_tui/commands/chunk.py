"""`chunk`: one document, one strategy, its chunks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from chunkbench_engine.errors import BadInput
from chunkbench_store.database import default_path
from chunkbench_tui.console import write


def chunk(
    file: Annotated[Path, typer.Argument(help="Document.")],
    strategy: Annotated[
        str, typer.Option("--strategy", "-s", help="Strategy, as 'RC(chunk_size=400)'.")
    ],
    chunker_model: Annotated[
        str, typer.Option(help="Embedding model inside semantic strategies.")
    ] = "",
) -> None:
    """Print a document's chunks as JSON Lines: offsets in characters, and the text."""
    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.spec import parse_spec
    from chunkbench_engine.documents.corpus import load_corpus
    from chunkbench_engine.embedders.cache import VectorCache
    from chunkbench_engine.embedders.cached import CachedEmbedder
    from chunkbench_engine.embedders.registry import load_embedder
    from chunkbench_engine.run.context import cache_path
    from chunkbench_engine.run.plan import choose_chunker_model

    configured = parse_spec(strategy)
    if not file.is_file():
        raise BadInput(f"{file} is no file: chunk takes one document")
    document = load_corpus(file).documents[0]
    embed = None
    if configured.needs_vectors:
        model = load_embedder(chunker_model or choose_chunker_model())
        embed = CachedEmbedder(model, VectorCache(cache_path(default_path()))).embed_costed
    for found in configured.strategy.chunk(AnnotatedDocument(document, embed)):
        row: dict[str, object] = {"document": document.id, "start": found.start, "end": found.end}
        if found.context is not None:
            row["context"] = list(found.context)
        if found.prefix:
            row["prefix"] = found.prefix
        row["text"] = document.text[found.start : found.end]
        write(json.dumps(row, ensure_ascii=False) + "\n")
