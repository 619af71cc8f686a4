"""The sample corpus, annotated, for comparison with other libraries."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.documents.document import Document
from chunkbench_engine.embedders.embedder import Embedder, Vectors
from chunkbench_engine.embedders.registry import load_embedder

if TYPE_CHECKING:
    from collections.abc import Sequence

CORPUS = Path(__file__).parents[2] / "sample_corpus"
FILES = {
    path.name: path.read_text()
    for path in sorted(CORPUS.rglob("*"))
    if path.suffix in (".md", ".txt")
}


@cache
def _model() -> Embedder:
    return load_embedder("wordllama-256")


def embed(batch: Sequence[str]) -> Vectors:
    began = perf_counter()
    return Vectors(_model().embed(batch), perf_counter() - began)


def annotated(text: str) -> AnnotatedDocument:
    return AnnotatedDocument(Document("sample.md", text), embed)


def pieces(spec: str, text: str) -> list[str]:
    """Texts of the chunks that a strategy makes."""
    return [text[c.start : c.end] for c in parse_spec(spec).strategy.chunk(annotated(text))]
