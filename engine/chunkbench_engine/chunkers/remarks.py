"""What a person should know of a strategy's results: from counts to sentences.

While it chunks, a strategy counts in `AnnotatedDocument.remarks`. A run keeps the counts with each
document, adds them up when the last is done, and asks here for the sentences. A strategy with
something to say has a method `remarks(counts: Mapping[str, int]) -> list[str]`; most have none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.chunkers.parts import parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chunkbench_engine.chunkers.chunk import Strategy


def remarks_of(strategy: Strategy, counts: Mapping[str, int]) -> Iterator[str]:
    """Sentences on the counts of all documents, by the strategy and the parts it is made of."""
    for part in parts(strategy):
        say = getattr(part, "remarks", None)
        if say is not None:
            yield from say(counts)
