"""Read model of the boundaries screen: a document, where a strategy cut it, where answers stand."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkbench_store.database import Store

MOST_DOCUMENTS = 5_000
"""Documents of a corpus that are listed."""
_PREFIX_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A document of a run, as one strategy left it.

    Attributes:
        chunks: None while the strategy has not finished it.
        evidence: number of passages that answer a question.
        note: what was done to get from the file to the text, "" if nothing.
    """

    id: int
    name: str
    characters: int
    chunks: int | None
    evidence: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class ChunkSpans:
    """The chunks of one document, by (start, end); columns of 32-bit integers.

    Attributes:
        starts: ascending.
        ends: not always ascending.
        tokens: cl100k_base tokens.
        context_starts: of what a reader is given; -1 where that is the chunk itself.
        context_ends: the same.
        prefixes: the beginning of what is embedded before each; empty if nothing ever is.
    """

    starts: array[int]
    ends: array[int]
    tokens: array[int]
    context_starts: array[int]
    context_ends: array[int]
    prefixes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.starts)


@dataclass(frozen=True, slots=True)
class EvidenceSpan:
    """A passage that answers a question."""

    start: int
    end: int
    question: int
    key: str


def documents_of_run(store: Store, run: int, chunk_set: int) -> tuple[DocumentEntry, ...]:
    """The documents of a run in their order, at most `MOST_DOCUMENTS`."""
    return tuple(
        DocumentEntry(*row)
        for row in store.rows(
            "SELECT document.id, document.name, document.characters, chunk_unit.chunks,"
            " coalesce(passages, 0), document.note FROM run"
            " JOIN document ON document.corpus = run.corpus"
            " LEFT JOIN chunk_unit"
            " ON chunk_unit.document = document.id AND chunk_unit.chunk_set = ?"
            " LEFT JOIN (SELECT evidence.document AS place, count(*) AS passages"
            "  FROM run JOIN question ON question.question_set = run.question_set"
            "  JOIN evidence ON evidence.question = question.id WHERE run.id = ? GROUP BY 1)"
            " ON place = document.id"
            " WHERE run.id = ? ORDER BY document.position LIMIT ?",
            (chunk_set, run, run, MOST_DOCUMENTS),
        )
    )


def chunk_spans(store: Store, chunk_set: int, document: int) -> ChunkSpans | None:
    """Where a strategy cut a document; None while it has not finished it."""
    known = store.row(
        "SELECT 1 FROM chunk_unit WHERE chunk_set = ? AND document = ?", (chunk_set, document)
    )
    if known is None:
        return None
    rows = store.rows(
        'SELECT start, "end", tokens, coalesce(context_start, -1), coalesce(context_end, -1)'
        ' FROM chunk WHERE chunk_set = ? AND document = ? ORDER BY start, "end", ordinal',
        (chunk_set, document),
    )
    starts, ends, tokens, context_starts, context_ends = (
        array("i", [row[column] for row in rows]) for column in range(5)
    )
    prefixes = _prefixes(store, chunk_set, document)
    return ChunkSpans(starts, ends, tokens, context_starts, context_ends, prefixes)


def _prefixes(store: Store, chunk_set: int, document: int) -> tuple[str, ...]:
    found = tuple(
        str(row[0])
        for row in store.rows(
            "SELECT substr(prefix, 1, ?) FROM chunk WHERE chunk_set = ? AND document = ?"
            ' ORDER BY start, "end", ordinal',
            (_PREFIX_CHARACTERS, chunk_set, document),
        )
    )
    return found if any(found) else ()


def evidence_spans(store: Store, run: int, document: int) -> tuple[EvidenceSpan, ...]:
    """The passages of a document that answer the run's questions, by place."""
    return tuple(
        EvidenceSpan(*row)
        for row in store.rows(
            'SELECT evidence.start, evidence."end", question.id, question.key'
            " FROM run JOIN question ON question.question_set = run.question_set"
            " JOIN evidence ON evidence.question = question.id"
            " WHERE run.id = ? AND evidence.document = ?"
            ' ORDER BY evidence.start, evidence."end", question.id',
            (run, document),
        )
    )
