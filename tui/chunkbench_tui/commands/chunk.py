"""`chunk`: one document, one strategy, its chunks."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkbench_engine.errors import BadInput
from chunkbench_engine.language.address import (
    DEFAULT_LANGUAGE_MODEL,
    server_url,
    urls_from_environment,
)
from chunkbench_engine.run.settings import DEFAULT_MODEL
from chunkbench_store.database import default_path
from chunkbench_tui.commands.inspection import show_chunks, show_stats
from chunkbench_tui.commands.options import ChunkerModel, LanguageModel, Ollama
from chunkbench_tui.console import say_error, write

if TYPE_CHECKING:
    from chunkbench_engine.chunkers.chunk import Chunk
    from chunkbench_engine.documents.document import Document


def chunk(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Document.")],
    strategy: Annotated[
        str,
        typer.Option("--strategy", "-s", metavar="SPEC", help="Strategy, as 'RC(chunk_size=400)'."),
    ],
    chunker_model: ChunkerModel = "",
    show: Annotated[
        bool, typer.Option("--show", help="Print the document with its boundaries.")
    ] = False,
    stats: Annotated[
        bool, typer.Option("--stats", help="Print sizes, and what the chunks cut.")
    ] = False,
    model: Annotated[
        str,
        typer.Option(
            "--model", "-m", metavar="MODEL", help="Model whose window --stats counts by."
        ),
    ] = DEFAULT_MODEL,
    ollama: Ollama = None,
    language_model: LanguageModel = DEFAULT_LANGUAGE_MODEL,
) -> None:
    """Print the chunks of one document.

    JSON Lines with offsets in characters, without --show or --stats.
    """
    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.foreign import load_foreign
    from chunkbench_engine.chunkers.imported import make_importable
    from chunkbench_engine.chunkers.remarks import remarks_of
    from chunkbench_engine.chunkers.spec import parse_spec
    from chunkbench_engine.documents.corpus import load_corpus
    from chunkbench_engine.embedders.cache import VectorCache
    from chunkbench_engine.embedders.cached import CachedEmbedder
    from chunkbench_engine.embedders.registry import load_embedder
    from chunkbench_engine.language.asking import Asker
    from chunkbench_engine.language.ollama import open_language_model
    from chunkbench_engine.run.context import answers_path, cache_path
    from chunkbench_engine.run.plan import choose_chunker_model

    make_importable(os.getcwd())
    configured = parse_spec(strategy)
    load_foreign([configured.strategy])
    if not file.is_file():
        raise BadInput(f"{file} is no file: chunk takes one document")
    corpus = load_corpus(file)
    document = corpus.documents[0]
    for said in filter(
        None, (corpus.understood, document.note and f"{document.id}: {document.note}")
    ):
        say_error(said)
    embed = None
    if configured.needs_vectors:
        own = load_embedder(chunker_model or choose_chunker_model())
        embed = CachedEmbedder(own, VectorCache(cache_path(default_path()))).embed_costed
    with ExitStack() as opened:
        ask = None
        if configured.needs_language_model:
            urls = tuple(map(server_url, ollama)) if ollama else urls_from_environment()
            answers = answers_path(default_path())
            asked = open_language_model(urls, language_model, answers)
            ask = opened.enter_context(closing(Asker(asked, answered=lambda: None)))
        annotated = AnnotatedDocument(document, embed, ask)
        try:
            chunks = configured.strategy.chunk(annotated)
        except BadInput as error:
            raise BadInput(f"{configured.label} failed: {error}") from error
    if show:
        show_chunks(document.text, chunks)
    if stats:
        show_stats(annotated, chunks, model)
    if not show and not stats:
        for found in chunks:
            write(json.dumps(_row(document, found), ensure_ascii=False) + "\n")
    for remark in remarks_of(configured.strategy, annotated.remarks):
        say_error(f"{configured.label}: {remark}")


def _row(document: Document, chunk: Chunk) -> dict[str, object]:
    row: dict[str, object] = {"document": document.id, "start": chunk.start, "end": chunk.end}
    if chunk.context is not None:
        row["context"] = list(chunk.context)
    if chunk.prefix:
        row["prefix"] = chunk.prefix
    row["text"] = document.text[chunk.start : chunk.end]
    return row
