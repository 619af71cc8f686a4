"""A line of context, written by a language model, before each chunk of any strategy (CTX)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from chunkbench_engine.chunkers.answers import read_line, unanswered
from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.excerpts import excerpt
from chunkbench_engine.chunkers.late import late_of
from chunkbench_engine.language.answer import Request

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk, Strategy
    from chunkbench_engine.chunkers.late import Late

_CONTEXTS = "CTX contexts"  # counted: asked for, and without a usable answer

OPENING_TOKENS = 200
BEFORE_TOKENS = 600
AFTER_TOKENS = 200
CHUNK_TOKENS = 1_000
_LONGEST = 500  # characters of a line

_PROMPT = """\
The beginning of a document:
<beginning>
{opening}
</beginning>

A part of it:
<before>
{before}
</before>
<passage>
{passage}
</passage>
<after>
{after}
</after>

Write one short sentence that tells a reader who sees the passage alone where in the document it \
stands and what it speaks of: name the subject that the passage itself leaves unnamed. Write it in \
the language of the document. Answer with a JSON object that holds the sentence under the name \
"context"."""

_SCHEMA = {
    "type": "object",
    "properties": {"context": {"type": "string"}},
    "required": ["context"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Contextual:
    """The chunks of another strategy, each with a line of context as prefix (contextual retrieval).

    The line is at most 500 characters and comes before any prefix the chunk has. The model is shown
    the document's first 200 tokens, and 600 tokens before and 200 after the chunk; of a chunk of
    more than 1,000 tokens, the beginning and the end. A chunk for which no answer was usable has no
    line. Late pooling, which knows no prefix, is turned off.
    """

    inner: Strategy

    @property
    def annotations(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.inner.annotations, "tokens")))

    @property
    def late(self) -> Late | None:
        late = late_of(self.inner)
        return replace(late, pooling=False) if late else None

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        chunks = self.inner.chunk(document)
        lines = document.ask(_CONTEXTS, (_request(document, chunk) for chunk in chunks))
        return [
            replace(chunk, prefix="\n".join(filter(None, (line, chunk.prefix))))
            for chunk, line in zip(chunks, lines, strict=True)
        ]

    def remarks(self, counts: Mapping[str, int]) -> list[str]:
        return unanswered(counts, _CONTEXTS, "those chunks have none")


def _request(document: AnnotatedDocument, chunk: Chunk) -> Request:
    tokens = document.tokens
    opening = tokens.edge(OPENING_TOKENS)
    before = tokens.back(chunk.start, BEFORE_TOKENS)
    after = tokens.edge(tokens.first(chunk.end) + AFTER_TOKENS)
    return Request(
        prompt=_PROMPT.format(
            opening=document.text[:opening].strip(),
            before=document.text[before : chunk.start].strip(),
            passage=excerpt(document, *chunk.span, CHUNK_TOKENS),
            after=document.text[chunk.end : after].strip(),
        ),
        schema=_SCHEMA,
        limit=300,
        read=partial(read_line, longest=_LONGEST),
    )


ENTRIES = (
    Entry("CTX", "Contextual Retrieval", "language-model", Contextual,
          "any strategy, a line of context written by a language model before each chunk",
          source="contextual retrieval", needs_language_model=True, wraps=True),
)  # fmt: skip
