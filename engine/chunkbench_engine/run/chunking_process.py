"""The chunking process: annotates documents once, and runs each strategy in a metered child.

It is started by the worker and speaks with it through one pipe. It loads no more than the
chunkers' own embedding model, runs one strategy at a time, and ends when the worker does. A
language model is asked by the child itself: its answers come through the network, not the fork.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.chunkers.imported import make_importable
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.diagnose.structure import structure
from chunkbench_engine.documents.document import Document
from chunkbench_engine.embedders.embedder import Vectors
from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.run.chunking import (
    Alone,
    Applied,
    Apply,
    ChunkedDocument,
    Load,
    Seconds,
)
from chunkbench_engine.run.metering import parent_is, run_metered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from chunkbench_engine.chunkers.chunk import Chunk, Strategy
    from chunkbench_engine.embedders.cached import CachedEmbedder
    from chunkbench_engine.embedders.embedder import Embedder
    from chunkbench_engine.language.answer import Ask, Replies, Request
    from chunkbench_engine.language.ollama import LanguageModel
    from chunkbench_engine.run.metering import Embed

_TINY = Document("warm-up", "# A heading\n\nOne sentence. And another one.\n\n- a list\n")


class _Made(NamedTuple):
    """A strategy's chunks of a document, and what it counted.

    `waited` are the seconds it waited for a language model's answers; `answering` those that the
    answers cost when they were given.
    """

    chunks: list[Chunk]
    remarks: dict[str, int]
    waited: float
    answering: float


class Held:
    """The documents held, annotated as far as they were asked for."""

    def __init__(
        self,
        cache: Path,
        model: str,
        answers: Path,
        language_model: str,
        ollama: Sequence[str],
        watched: Callable[[Embedder], Embedder] = lambda embedder: embedder,
    ) -> None:
        """`watched` puts something around the model, as what may interrupt it."""
        self._cache = cache
        self._model = model
        self._answers = answers
        self._language_model = language_model
        self._ollama = ollama
        self._watched = watched
        self._ask: Ask | None = None
        self._waited = self._answering = 0.0
        self._embedder: CachedEmbedder | None = None
        self._documents: dict[str, AnnotatedDocument] = {}
        self._parent: Embed | None = None

    def load(self, documents: Sequence[Document]) -> None:
        """Hold these documents, and let go of any others; those held already stay annotated."""
        # What annotating loads (the tokenizer's ranks, for one) is no document's cost.
        AnnotatedDocument(_TINY).warm(["tokens", "sentences", "blocks"])
        held = self._documents
        self._documents = {
            document.id: held[document.id]
            if document.id in held and held[document.id].text == document.text
            else AnnotatedDocument(document, self.embed, self.ask)
            for document in documents
        }

    def document(self, name: str) -> AnnotatedDocument:
        """A document held, with what is known of it."""
        return self._documents[name]

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

            embedder = self._watched(load_embedder(self._model))
            self._embedder = CachedEmbedder(embedder, VectorCache(self._cache))
        return self._embedder.embed_costed(texts)

    def ask(self, requests: Iterable[Request]) -> Replies:
        """Answers of the language model; in a metered child, whose warm-up has opened it."""
        assert self._ask is not None
        begun = time.perf_counter()
        replies = self._ask(requests)
        self._waited += time.perf_counter() - begun
        self._answering += replies.seconds
        return replies

    def apply(self, request: Apply, limit: float, still_wanted: Callable[[], bool]) -> Applied:
        """Run one strategy over some of the documents held, each for at most `limit` seconds."""
        configured = parse_spec(request.spec)
        strategy = configured.strategy
        model: LanguageModel | None = None
        if configured.needs_language_model:
            from chunkbench_engine.language.ollama import open_language_model

            # looked for each time: the server may have been started, or ended, since the last
            model = open_language_model(self._ollama, self._language_model, self._answers)
        if configured.needs_vectors:
            self.embed([_TINY.text])  # loaded before the clock runs: that is no document's cost
        documents = [self._documents[name] for name in request.documents]
        paid = [_warm(document, strategy.annotations) for document in documents]

        def warm_up(embed: Embed, working: Callable[[], None]) -> None:
            self._parent = embed  # of the child's own copy: a fork shares no variable
            if model is not None:
                from chunkbench_engine.language.asking import Asker

                self._ask = Asker(model, working)
            # whether anyone's chunker can do with so short a text, its documents will show
            with suppress(BadInput):
                strategy.chunk(AnnotatedDocument(_TINY, self.embed, self.ask))

        metered = run_metered(
            lambda document, _: self._make(strategy, document),
            documents,
            self.embed,
            limit,
            still_wanted,
            warm_up,
        )
        finished = zip(documents, metered.results, metered.seconds, paid, strict=False)
        return Applied(
            tuple(
                _describe(
                    document,
                    made,
                    Seconds(
                        own - made.waited + made.answering,
                        document.charged(strategy.annotations),
                        own + annotating,
                    ),
                )
                for document, made, own, annotating in finished
            ),
            replace(metered, results=()),
            "" if self._embedder is None else self._embedder.id,
        )

    def alone(
        self, request: Alone, limit: float, still_wanted: Callable[[], bool]
    ) -> tuple[float, ...]:
        """Seconds of one strategy over each of these documents, with nothing made before it."""
        configured = parse_spec(request.spec)
        strategy = configured.strategy
        if configured.needs_language_model:
            return ()
        if configured.needs_vectors:
            self.embed([_TINY.text])

        def warm_up(embed: Embed, _: Callable[[], None]) -> None:
            self._parent = embed
            with suppress(BadInput):
                strategy.chunk(AnnotatedDocument(_TINY, self.embed))

        return run_metered(
            lambda document, _: len(strategy.chunk(document)),
            [self._documents[name] for name in request.documents],
            self._embed_anew,
            limit,
            still_wanted,
            warm_up,
        ).seconds

    def _embed_anew(self, texts: Sequence[str]) -> Vectors:
        assert self._embedder is not None
        begun = time.perf_counter()
        values = self._embedder.uncached.embed(texts)
        return Vectors(values, time.perf_counter() - begun)

    def _make(self, strategy: Strategy, document: AnnotatedDocument) -> _Made:
        self._waited = self._answering = 0.0
        chunks = strategy.chunk(document)
        return _Made(chunks, dict(document.remarks), self._waited, self._answering)


def _warm(document: AnnotatedDocument, annotations: Sequence[str]) -> float:
    """Make what a strategy reads, and what the token counts and cuts do; the seconds it took.

    None of it is the strategy's own work, or its memory.
    """
    begun = time.perf_counter()
    document.warm([*annotations, "tokens", "sentences", "blocks"])
    return time.perf_counter() - begun


def _describe(document: AnnotatedDocument, made: _Made, seconds: Seconds) -> ChunkedDocument:
    count = document.tokens.count
    chunks = made.chunks
    tokens = tuple(count(*chunk.span) for chunk in chunks)
    return ChunkedDocument(
        document=document.id,
        chunks=tuple(chunks),
        tokens=tokens,
        context_tokens=tuple(count(*chunk.judged) for chunk in chunks),
        structure=structure(document.text, chunks, tokens, document.sentences, document.blocks),
        remarks=made.remarks,
        seconds=seconds,
    )


def main(arguments: list[str]) -> None:
    """Serve one worker: `fd cache model limit folder answers language-model ollama-url…`."""
    pipe = Connection(int(arguments[0]))
    held = Held(Path(arguments[1]), arguments[2], Path(arguments[5]), arguments[6], arguments[7:])
    if arguments[4]:
        make_importable(arguments[4])
    limit = float(arguments[3])
    worker = os.getppid()
    while True:
        try:
            request = pipe.recv()
        except EOFError:
            return
        answer: Applied | tuple[float, ...] | Unavailable | None = None
        try:
            if isinstance(request, Load):
                held.load(request.documents)
            elif isinstance(request, Alone):
                answer = held.alone(request, limit, lambda: parent_is(worker))
            else:
                answer = held.apply(request, limit, lambda: parent_is(worker))
        except (BadInput, Unavailable) as error:
            answer = Unavailable(str(error))
        except Exception as error:  # one strategy's trouble is not the end of the run
            traceback.print_exc()  # to the log of the run
            answer = Unavailable(f"{type(error).__name__}: {error}")
        try:
            pipe.send(answer)
        except OSError:  # the worker has gone; there is no one left to tell
            return


if __name__ == "__main__":
    main(sys.argv[1:])
