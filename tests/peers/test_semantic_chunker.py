"""SEBC and SBDC beside the chunker that they describe: LangChain's SemanticChunker.

Given the same sentences and the same vectors, the boundaries are the same. The sentences are handed
over as words, `s0 s1 …`, so that neither side's way of splitting or joining them has a say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.chunkers.spec import parse_spec

from .sample import FILES, annotated

if TYPE_CHECKING:
    from chunkbench_engine.annotate.document import AnnotatedDocument

experimental = pytest.importorskip(
    "langchain_experimental.text_splitter", reason="langchain-experimental is not installed"
)
from langchain_core.embeddings import Embeddings  # noqa: E402 - only where it is installed


class _OurVectors(Embeddings):
    """Gives the document's own vectors, in order."""

    def __init__(self, document: AnnotatedDocument, buffer: int) -> None:
        self._vectors = document.sentence_vectors(buffer)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        assert len(texts) == len(self._vectors)
        return [list(map(float, vector)) for vector in self._vectors]

    def embed_query(self, text: str) -> list[float]:
        raise AssertionError("a chunker embeds no query")


def _their_groups(document: AnnotatedDocument, kind: str, buffer: int) -> list[int]:
    """Number of sentences in each of their chunks."""
    splitter = experimental.SemanticChunker(
        _OurVectors(document, buffer),
        buffer_size=buffer,
        breakpoint_threshold_type=kind,
        breakpoint_threshold_amount=95,
        sentence_split_regex=" ",
    )
    words = " ".join(f"s{number}" for number in range(len(document.sentences)))
    return [len(chunk.split()) for chunk in splitter.split_text(words)]


def _our_groups(document: AnnotatedDocument, spec: str) -> list[int]:
    return [
        sum(chunk.start <= start < chunk.end for start, _ in document.sentences)
        for chunk in parse_spec(spec).strategy.chunk(document)
    ]


@pytest.mark.parametrize("buffer", [0, 1, 2])
@pytest.mark.parametrize(("spec", "kind"), [("SEBC", "percentile"), ("SBDC", "gradient")])
@pytest.mark.parametrize("name", FILES)
def test_the_boundaries_are_the_same(name: str, spec: str, kind: str, buffer: int) -> None:
    document = annotated(FILES[name])
    ours = _our_groups(document, f"{spec}(buffer={buffer})")
    assert ours == _their_groups(document, kind, buffer)
