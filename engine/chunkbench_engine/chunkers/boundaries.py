"""Boundaries between sentences that a language model finds (LBDC, LSTC)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.chunkers.answers import (
    HIGHEST,
    pair_name,
    read_beginnings,
    read_likelihoods,
    unanswered,
)
from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.excerpts import numbered, sentence_windows
from chunkbench_engine.chunkers.ranges import at_least, between
from chunkbench_engine.chunkers.recursive import split_to_tokens
from chunkbench_engine.chunkers.semantic import divide
from chunkbench_engine.chunkers.spans import to_chunks
from chunkbench_engine.language.answer import Request

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk, Span

# What is counted: windows asked, and those of them without a usable answer
_LBDC_WINDOWS, _LSTC_WINDOWS = "LBDC windows", "LSTC windows"
_NO_BOUNDARY = "no boundary there"

_LIKELIHOODS = """\
Below are {count} consecutive sentences of a document, each with its number.

For each pair of neighbouring sentences say how likely it is that a new passage begins between \
them, because the text turns to another subject there: a digit from 0 (certainly the same passage) \
to {highest} (certainly a new passage).

{sentences}

Answer with a JSON object that has one digit for each of the {pairs} pairs, under the names \
"1-2" to "{last}"."""

_SEGMENTS = """\
Below are {count} consecutive sentences of a document, each with its number.

Divide them into segments, so that each segment is about one subject.

{sentences}

Answer with a JSON object that lists, under the name "begins", the numbers of the sentences that \
begin a new segment. Sentence 1 begins the first segment and is not listed; where all are about \
one subject the list is empty."""


@dataclass(frozen=True)
class ModelBoundaries:
    """A boundary where a language model holds one likely enough (the paper's LBDC).

    The model is shown windows of up to 30 numbered sentences and 1,500 tokens (a sentence of more
    than 200 tokens without its middle), and gives a digit from 0 to 9 for each pair of neighbours:
    the paper's `p(b = 1 | x_i, x_(i+1))` is the mean of the digits it might have said, weighted by
    their probabilities, over 9; without log-probabilities, the digit it said, over 9. Every pair is
    asked once. In a window without a usable answer there is no boundary. What is then longer
    than `max` tokens is split by RC's rule.
    """

    annotations: ClassVar[tuple[str, ...]] = ("sentences", "tokens")

    threshold: float = 0.5
    max: int = 400

    def __post_init__(self) -> None:
        between(0, 1, threshold=self.threshold)
        at_least(1, max=self.max)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        windows = list(sentence_windows(document))
        answers = document.ask(
            _LBDC_WINDOWS, (_likelihoods(document, *window) for window in windows)
        )
        boundaries = (
            first + pair
            for (first, _), likelihoods in zip(windows, answers, strict=True)
            for pair, likelihood in enumerate(likelihoods or ())
            if likelihood > self.threshold
        )
        return _chunks(document, boundaries, self.max)

    def remarks(self, counts: Mapping[str, int]) -> list[str]:
        return unanswered(counts, _LBDC_WINDOWS, _NO_BOUNDARY)


@dataclass(frozen=True)
class ModelSegments:
    """Segments that a language model makes, held to a size (the paper's LSTC).

    The model is shown windows as in LBDC, and names the sentences that begin a segment; in a window
    without a usable answer there are none. A segment longer than `max` tokens is split by RC's
    rule.
    """

    annotations: ClassVar[tuple[str, ...]] = ("sentences", "tokens")

    max: int = 200

    def __post_init__(self) -> None:
        at_least(1, max=self.max)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        windows = list(sentence_windows(document))
        answers = document.ask(_LSTC_WINDOWS, (_segments(document, *window) for window in windows))
        # sentence 2 of a window begins a segment where the boundary lies after its first
        boundaries = (
            first + number - 2
            for (first, _), beginnings in zip(windows, answers, strict=True)
            for number in beginnings or ()
        )
        return _chunks(document, boundaries, self.max)

    def remarks(self, counts: Mapping[str, int]) -> list[str]:
        return unanswered(counts, _LSTC_WINDOWS, _NO_BOUNDARY)


def _chunks(document: AnnotatedDocument, boundaries: Iterable[int], limit: int) -> list[Chunk]:
    """Chunks of sentences between boundaries, of which `i` lies after sentence `i`."""
    import numpy as np

    after = np.zeros(max(len(document.sentences) - 1, 0), dtype=np.bool_)
    after[list(boundaries)] = True

    def spans() -> Iterator[Span]:
        for span in divide(document.sentences, after):
            yield from split_to_tokens(document, span, limit)

    return to_chunks(document, spans())


def _likelihoods(document: AnnotatedDocument, first: int, stop: int) -> Request:
    count = stop - first
    names = [pair_name(number) for number in range(1, count)]
    return Request(
        prompt=_LIKELIHOODS.format(
            count=count,
            highest=HIGHEST,
            sentences=numbered(document, first, stop),
            pairs=count - 1,
            last=names[-1],
        ),
        schema={
            "type": "object",
            "properties": {name: {"enum": list(range(HIGHEST + 1))} for name in names},
            "required": names,
            "additionalProperties": False,
        },
        limit=50 + 20 * count,
        read=partial(read_likelihoods, sentences=count),
        logprobs=True,
    )


def _segments(document: AnnotatedDocument, first: int, stop: int) -> Request:
    count = stop - first
    return Request(
        prompt=_SEGMENTS.format(count=count, sentences=numbered(document, first, stop)),
        schema={
            "type": "object",
            "properties": {
                "begins": {
                    "type": "array",
                    "items": {"enum": list(range(2, count + 1))},
                    "maxItems": count - 1,
                }
            },
            "required": ["begins"],
            "additionalProperties": False,
        },
        limit=50 + 10 * count,
        read=partial(read_beginnings, sentences=count),
    )


ENTRIES = (
    Entry("LBDC", "LLM Boundary Detection Chunking", "language-model", ModelBoundaries,
          "boundaries where a language model holds one likely enough; at most a size",
          needs_language_model=True),
    Entry("LSTC", "LLM Segment Then Chunk", "language-model", ModelSegments,
          "segments that a language model makes, split to a size",
          needs_language_model=True),
)  # fmt: skip
