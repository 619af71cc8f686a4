"""Parts of a document as a language model is shown them: bounded in tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Span

WINDOW_SENTENCES = 30
WINDOW_TOKENS = 1_500
SENTENCE_TOKENS = 200
"""A longer sentence is shown without its middle."""


def excerpt(document: AnnotatedDocument, start: int, end: int, limit: int) -> str:
    """The slice on one line; of one longer than `limit` tokens, its beginning and its end."""
    tokens = document.tokens
    text = document.text[start:end]
    if tokens.count(start, end) > limit:
        stop = tokens.edge(tokens.first(start) + limit // 2)
        text = f"{document.text[start:stop]} … {document.text[tokens.back(end, limit // 2) : end]}"
    return " ".join(text.split())


def sentence_windows(document: AnnotatedDocument) -> Iterator[Span]:
    """Ranges `[first, stop)` of two or more sentences to be shown at once.

    Each begins with the last sentence of the one before, so that every pair of neighbours lies in
    exactly one. A window has up to 30 sentences and 1,500 tokens, as they are shown.
    """
    sentences = document.sentences
    sizes = [min(document.tokens.count(*sentence), SENTENCE_TOKENS) for sentence in sentences]
    first = 0
    while first < len(sentences) - 1:
        stop, size = first + 2, sizes[first] + sizes[first + 1]
        while (
            stop < len(sentences)
            and stop - first < WINDOW_SENTENCES
            and size + sizes[stop] <= WINDOW_TOKENS
        ):
            size += sizes[stop]
            stop += 1
        yield first, stop
        first = stop - 1


def numbered(document: AnnotatedDocument, first: int, stop: int) -> str:
    """The sentences `[first, stop)`, one a line, numbered from 1."""
    return "\n".join(
        f"[{number}] {excerpt(document, *sentence, SENTENCE_TOKENS)}"
        for number, sentence in enumerate(document.sentences[first:stop], 1)
    )
