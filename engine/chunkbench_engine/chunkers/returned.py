"""Reading what anyone's chunker returned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any

from chunkbench_engine.chunkers.align import Alignment, squeezed
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from chunkbench_engine.chunkers.chunk import Span

WANTED = (
    "a list of strings, of (start, end) pairs, or of objects or dicts with text and start_index"
)
_SPARE = 1_000  # empty chunks, say, of a short text


@dataclass(frozen=True, slots=True)
class Returned:
    """A chunker's chunks of one text.

    Attributes:
        spans: the places of those that were found, by start, then end.
        chunks: number of chunks returned, without those of white space only.
        characters: theirs together.
        lost: number of chunks that are not in the text.
        lost_characters: theirs together.
    """

    spans: list[Span]
    chunks: int
    characters: int
    lost: int
    lost_characters: int


def read_returned(text: str, value: object) -> Returned:
    """The chunks that a chunker returned for a text, found in it.

    Raises `BadInput` for what is no list of chunks, and for a span outside the text; the sentence
    goes on from its name.
    """
    items = [_item(text, item) for item in _items(text, value)]
    alignment = Alignment(text, [item for item in items if isinstance(item, str)])
    spans = []
    chunks = characters = lost = lost_characters = 0
    for item in items:
        if isinstance(item, str):
            span, length = alignment.place(item), len(item)
            blank = not item.strip()
        else:
            span, length = item, item[1] - item[0]
            blank = not text[span[0] : span[1]].strip()
            alignment.passed(span)
        if blank:
            continue
        chunks += 1
        characters += length
        if span is None:
            lost += 1
            lost_characters += length
        else:
            spans.append(span)
    return Returned(sorted(spans), chunks, characters, lost, lost_characters)


def left_out(text: str, spans: Sequence[Span]) -> int:
    """Number of characters, white space apart, in none of the spans (which are in order)."""
    reached = missing = 0
    for start, end in (*spans, (len(text), len(text))):
        if start > reached:
            missing += len(squeezed(text[reached:start]))
        reached = max(reached, end)
    return missing


def _items(text: str, value: object) -> list[object]:
    if value is None:
        raise BadInput(f"returned nothing (None): it must return {WANTED}")
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise BadInput(f"returned {_kind(value)}: it must return {WANTED}")
    items = []
    for item in value:
        items.append(item)
        if len(items) > len(text) + _SPARE:  # a generator that never ends would fill the memory
            raise BadInput("returned more chunks than the text has characters")
    return items


def _item(text: str, item: object) -> Span | str:
    """A chunk as the span it names, or as a string still to be found."""
    if isinstance(item, str):
        return item
    own = _field(item, "text")
    if own is None and isinstance(item, Sequence) and not isinstance(item, bytes):
        if len(item) != 2:
            raise BadInput(f"returned a chunk {_shown(item)}: a pair is (start, end)")
        return _span(text, item[0], item[1])
    if not isinstance(own, str):
        raise BadInput(f"returned {_kind(item)} as a chunk: it must return {WANTED}")
    start = _field(item, "start_index")
    if isinstance(start, int) and start >= 0 and text.startswith(own, start):
        return start, start + len(own)
    return own


def _span(text: str, start: Any, end: Any) -> Span:  # noqa: ANN401 - whatever was returned
    try:
        span = index(start), index(end)
    except TypeError:
        raise BadInput(
            f"returned a chunk {_shown((start, end))}: start and end are whole numbers"
        ) from None
    if not 0 <= span[0] <= span[1] <= len(text):
        raise BadInput(
            f"returned the span {span}, which is outside the text of {len(text):,} characters"
        )
    return span


def _field(item: object, name: str) -> object:
    return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)


def _kind(value: object) -> str:
    return f"a value of type {type(value).__name__}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
