"""The preview process: a document under any setting, answered at once, newest request first.

`python -m chunkbench_engine.run.preview_process STORE`: a request a line on standard input, as
JSON; for each that no newer one has overtaken a line on standard output, its number and JSON.
Documents stay annotated between requests. A strategy runs in a child that is killed when a newer
request comes. It ends with its standard input, and logs to standard error.
"""

from __future__ import annotations

import gc
import json
import os
import select
import sys
import time
import traceback
from collections import deque
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkbench_engine.chunkers.foreign import Foreign, load_foreign
from chunkbench_engine.chunkers.imported import make_importable
from chunkbench_engine.chunkers.parts import parts
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.chunkers.variation import parameters_of, vary
from chunkbench_engine.documents.document import Document
from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.measures.chunks import cuts, sizes
from chunkbench_engine.measures.evidence import whole
from chunkbench_engine.run.chunking import Apply
from chunkbench_engine.run.chunking_process import Held
from chunkbench_engine.run.context import answers_path, cache_path
from chunkbench_engine.run.interruption import interrupted_by
from chunkbench_engine.run.preview import Diagnosis, PreviewRequest
from chunkbench_engine.run.settings import settings_from
from chunkbench_store.boundaries import chunk_spans, evidence_spans
from chunkbench_store.corpora import document_text
from chunkbench_store.database import StoreError, open_store
from chunkbench_store.runs import run_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk, Span
    from chunkbench_engine.embedders.embedder import Embedder
    from chunkbench_engine.measures.chunks import Cuts
    from chunkbench_engine.run.settings import Settings
    from chunkbench_store.database import Store

MOST_DOCUMENTS = 8
MOST_CHARACTERS = 16_000_000
"""What is kept annotated, besides the document that is asked for."""
_PREFIX_CHARACTERS = 200
_NEEDED = ("tokens", "sentences", "blocks")
"""Annotations that what is said of any chunks needs."""


class Overtaken(Exception):  # noqa: N818
    """A newer request has come, or the app has gone."""


class Requests:
    """The lines of a file descriptor, of which only the newest counts."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._rest = b""
        self._lines: deque[bytes] = deque(maxlen=1)
        self._ended = False

    def newest(self) -> bytes | None:
        """Wait for a request; None when no more can come."""
        while self.still_wanted() and not self._ended:
            select.select([self._descriptor], [], [])
        return self._lines.popleft() if self._lines else None

    def still_wanted(self) -> bool:
        """Whether nothing newer has come since the last one was taken."""
        while not self._ended and select.select([self._descriptor], [], [], 0)[0]:
            found = os.read(self._descriptor, 1 << 16)
            self._ended = not found
            *lines, self._rest = (self._rest + found).split(b"\n")
            self._lines.extend(lines)
        return not self._lines and not self._ended


class _Interruptible:
    """An embedder that asks before each batch whether its vectors are still wanted."""

    def __init__(self, embedder: Embedder, requests: Requests) -> None:
        self._embedder = embedder
        self._requests = requests

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the embedder's own
        return getattr(self._embedder, name)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not self._requests.still_wanted():
            raise Overtaken
        return self._embedder.embed(texts)


class _Made(NamedTuple):
    chunks: tuple[Chunk, ...]
    tokens: tuple[int, ...]
    cuts: Cuts


class _Answering:
    """Answers requests; keeps what the next one will need."""

    def __init__(self, store: Store, requests: Requests) -> None:
        self._store = store
        self._requests = requests
        self._settings: Settings | None = None
        self._held: Held | None = None
        self._recent: dict[str, Document] = {}
        self._before: tuple[tuple[int, int], Diagnosis] | None = None

    def answer(self, request: PreviewRequest) -> dict[str, Any] | None:
        """What the app is sent; None where it only wants what it will ask for to be ready.

        Raises:
            BadInput: in a sentence, what is wrong with the request.
            Overtaken: a newer one has come.
        """
        run = run_of(self._store, request.run)
        name = self._store.value("SELECT name FROM document WHERE id = ?", (request.document,))
        if run is None or name is None:
            raise BadInput("this run was deleted")
        settings = settings_from(run.settings)
        held = self._holding(settings)
        label = request.spec and vary(
            request.spec, size=request.size, overlap=request.overlap, values=request.values
        )
        self._hold(held, Document(name, document_text(self._store, request.document)))
        document = held.document(name)
        if not label:
            document.warm(_NEEDED)
            return None
        made = self._made(held, label, document, settings.document_seconds)
        passages = evidence_spans(self._store, request.run, request.document)
        evidence = list(dict.fromkeys((passage.start, passage.end) for passage in passages))
        judged = [chunk.judged for chunk in made.chunks]
        outer = [chunk.context or (-1, -1) for chunk in made.chunks]
        prefixes = [chunk.prefix[:_PREFIX_CHARACTERS] for chunk in made.chunks]
        return {
            "label": label,
            "parameters": [
                {**asdict(parameter), "value": _written(parameter.value)}
                for parameter in parameters_of(label)
            ],
            "columns": [
                [chunk.start for chunk in made.chunks],
                [chunk.end for chunk in made.chunks],
                list(made.tokens),
                [start for start, _ in outer],
                [end for _, end in outer],
            ],
            "prefixes": prefixes if any(prefixes) else [],
            "diagnosis": asdict(_diagnosis(document, made.tokens, made.cuts, judged, evidence)),
            "before": self._compared(request, document, evidence),
        }

    def _made(self, held: Held, label: str, document: AnnotatedDocument, limit: float) -> _Made:
        """What a strategy makes of a document, for at most `limit` seconds.

        One of our own that asks no model works here; any other in a child, which can be killed.
        """
        configured = parse_spec(label)
        strategy = configured.strategy
        foreign = any(isinstance(part, Foreign) for part in parts(strategy))
        if foreign or configured.needs_vectors or configured.needs_language_model:
            load_foreign([strategy])
            gc.freeze()  # the child need not go through what is here already
            applied = held.apply(Apply(label, (document.id,)), limit, self._requests.still_wanted)
            if not self._requests.still_wanted():
                raise Overtaken
            if not applied.documents:
                raise BadInput(f"{label}: {applied.metered.failure}")
            made = applied.documents[0]
            return _Made(made.chunks, made.tokens, made.structure.cuts)
        document.warm([*strategy.annotations, *_NEEDED])
        until = time.monotonic() + limit

        def check() -> None:
            if not self._requests.still_wanted():
                raise Overtaken
            if time.monotonic() > until:
                raise BadInput(f"{label} took longer than {limit:g} seconds: stopped")

        with interrupted_by(check):
            chunks = tuple(strategy.chunk(document))
        tokens = tuple(document.tokens.count(*chunk.span) for chunk in chunks)
        spans = [chunk.span for chunk in chunks]
        return _Made(
            chunks, tokens, cuts(document.text, spans, document.sentences, document.blocks)
        )

    def _holding(self, settings: Settings) -> Held:
        """What holds the documents, with the models of the run."""
        if self._held is None or settings != self._settings:
            if settings.folder:
                make_importable(settings.folder)
            self._recent = {}
            self._settings = settings
            self._held = Held(
                cache_path(self._store.path),
                settings.chunker_model,
                answers_path(self._store.path),
                settings.language_model,
                settings.ollama,
                lambda embedder: _Interruptible(embedder, self._requests),
            )
        return self._held

    def _hold(self, held: Held, document: Document) -> None:
        """Hold a document, and those asked for last."""
        self._recent.pop(document.id, None)
        self._recent[document.id] = document
        while len(self._recent) > 1 and (
            len(self._recent) > MOST_DOCUMENTS
            or sum(len(kept.text) for kept in self._recent.values()) > MOST_CHARACTERS
        ):
            del self._recent[next(iter(self._recent))]
        held.load(list(self._recent.values()))

    def _compared(
        self, request: PreviewRequest, document: AnnotatedDocument, evidence: Sequence[Span]
    ) -> dict[str, Any] | None:
        """What can be said of the chunks that the run has; None while it has none."""
        if request.beside is None:
            return None
        key = request.beside, request.document
        if self._before is None or self._before[0] != key:
            spans = chunk_spans(self._store, *key)
            if spans is None:
                return None
            own = list(zip(spans.starts, spans.ends, strict=True))
            outer = zip(spans.context_starts, spans.context_ends, strict=True)
            judged = [
                given if given[0] >= 0 else span for given, span in zip(outer, own, strict=True)
            ]
            cut = cuts(document.text, own, document.sentences, document.blocks)
            self._before = key, _diagnosis(document, spans.tokens, cut, judged, evidence)
        return asdict(self._before[1])


def _diagnosis(
    document: AnnotatedDocument,
    tokens: Sequence[int],
    cut: Cuts,
    judged: Sequence[Span],
    evidence: Sequence[Span],
) -> Diagnosis:
    size = sizes(tokens, [], None)
    return Diagnosis(
        chunks=size.count,
        mean_tokens=size.mean,
        median_tokens=size.median,
        shortest=size.shortest,
        longest=size.longest,
        begin_inside=cut.begin_inside_share,
        end_inside=cut.end_inside_share,
        inside=cut.inside_share,
        tables=cut.tables,
        tables_cut=cut.tables_cut,
        fences=cut.fences,
        fences_cut=cut.fences_cut,
        evidence=len(evidence),
        evidence_whole=int(whole(document.text, evidence, judged).sum()),
    )


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _request(line: bytes) -> tuple[int, PreviewRequest]:
    content = json.loads(line)
    number = content.pop("number")
    content["values"] = {int(place): text for place, text in content.get("values", {}).items()}
    return number, PreviewRequest(**content)


def serve(store: Store, requests: Requests, answers: int) -> None:
    """Answer until no more requests can come."""
    answering = _Answering(store, requests)
    while (line := requests.newest()) is not None:
        number, request = _request(line)
        try:
            answer: dict[str, Any] | None = answering.answer(request)
        except Overtaken:
            continue
        except (BadInput, Unavailable, StoreError) as error:
            answer = {"error": str(error)}
        except Exception as error:
            traceback.print_exc()  # to the log
            answer = {"error": f"{type(error).__name__}: {error}"}
        if answer is None:
            continue
        with os.fdopen(os.dup(answers), "wb") as output:
            output.write(f"{number} {json.dumps(answer)}\n".encode())


def main(arguments: list[str]) -> None:
    """`STORE`."""
    requests, answers = os.dup(0), os.dup(1)
    # What a chunker of one's own prints, in C or as a program of its own, is no answer.
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    # A child that outlives this process must not seem to be it.
    for descriptor in (requests, answers):
        os.register_at_fork(after_in_child=partial(os.close, descriptor))
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    with open_store(Path(arguments[0]), create=False) as store:
        serve(store, Requests(requests), answers)


if __name__ == "__main__":
    main(sys.argv[1:])
