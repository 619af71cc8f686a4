"""The chunking process: annotates documents once, and runs each strategy in a metered child.

It is started by the worker and speaks with it through one pipe. It loads no more than the
chunkers' own embedding model, runs one strategy at a time, and ends when the worker does.
"""

from __future__ import annotations

import os
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.documents.document import Document
from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.measures.chunks import cuts
from chunkbench_engine.run.chunking import Applied, Apply, ChunkedDocument, Load, Seconds
from chunkbench_engine.run.metering import parent_is, run_metered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_engine.chunkers.chunk import Chunk
    from chunkbench_engine.embedders.cached import CachedEmbedder
    from chunkbench_engine.embedders.embedder import Vectors
    from chunkbench_engine.run.metering import Embed

_TINY = Document("warm-up", "# A heading\n\nOne sentence. And another one.\n\n- a list\n")


class _Held:
    """The documents held, annotated as far as they were asked for."""

    def __init__(self, cache: Path, model: str) -> None:
        self._cache = cache
        self._model = model
        self._embedder: CachedEmbedder | None = None
        self._documents: dict[str, AnnotatedDocument] = {}
        self._parent: Embed | None = None

    def load(self, documents: Sequence[Document]) -> None:
        # What annotating loads (the tokenizer's ranks, for one) is no document's cost.
        AnnotatedDocument(_TINY).warm(["tokens", "sentences", "blocks"])
        self._documents = {
            document.id: AnnotatedDocument(document, self.embed) for document in documents
        }

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors by the chunkers' own model, which is loaded when first needed.

        In a metered child they are asked of the parent.
        """
        if self._parent is not None:
            return self._parent(texts)
        if self._embedder is None:
            from chunkbench_engine.embedders.cache import VectorCache
            from chunkbench_engine.embedders.cached import CachedEmbedder
            from chunkbench_engine.embedders.registry import load_embedder

            self._embedder = CachedEmbedder(load_embedder(self._model), VectorCache(self._cache))
        return self._embedder.embed_costed(texts)

    def apply(self, request: Apply, limit: float, worker: int) -> Applied:
        strategy = parse_spec(request.spec).strategy
        documents = [self._documents[name] for name in request.documents]
        paid = [_warm(document, strategy.annotations) for document in documents]

        def warm_up(embed: Embed) -> None:
            self._parent = embed  # of the child's own copy: a fork shares no variable
            strategy.chunk(AnnotatedDocument(_TINY, self.embed))

        metered = run_metered(
            lambda document, _: (strategy.chunk(document), dict(document.remarks)),
            documents,
            self.embed,
            limit,
            lambda: parent_is(worker),
            warm_up,
        )
        finished = zip(documents, metered.results, metered.seconds, paid, strict=False)
        return Applied(
            tuple(
                _describe(
                    document,
                    *result,
                    Seconds(own, document.charged(strategy.annotations), own + annotating),
                )
                for document, result, own, annotating in finished
            ),
            metered,
        )


def _warm(document: AnnotatedDocument, annotations: Sequence[str]) -> float:
    """Make what a strategy reads, and what the token counts and cuts do; the seconds it took.

    None of it is the strategy's own work, or its memory.
    """
    begun = time.perf_counter()
    document.warm([*annotations, "tokens", "sentences", "blocks"])
    return time.perf_counter() - begun


def _describe(
    document: AnnotatedDocument,
    chunks: list[Chunk],
    remarks: dict[str, int],
    seconds: Seconds,
) -> ChunkedDocument:
    count = document.tokens.count
    return ChunkedDocument(
        document=document.id,
        chunks=tuple(chunks),
        tokens=tuple(count(*chunk.span) for chunk in chunks),
        context_tokens=tuple(count(*chunk.judged) for chunk in chunks),
        cuts=cuts(
            document.text,
            [chunk.span for chunk in chunks],
            document.sentences,
            document.blocks,
        ),
        remarks=remarks,
        seconds=seconds,
    )


def main(arguments: list[str]) -> None:
    """Serve one worker: `fd cache model limit`."""
    pipe = Connection(int(arguments[0]))
    held = _Held(Path(arguments[1]), arguments[2])
    limit = float(arguments[3])
    worker = os.getppid()
    while True:
        try:
            request = pipe.recv()
        except EOFError:
            return
        answer: Applied | Unavailable | None = None
        try:
            if isinstance(request, Load):
                held.load(request.documents)
            else:
                answer = held.apply(request, limit, worker)
        except (BadInput, Unavailable) as error:
            answer = Unavailable(str(error))
        try:
            pipe.send(answer)
        except OSError:  # the worker has gone; there is no one left to tell
            return


if __name__ == "__main__":
    main(sys.argv[1:])
