"""Chunks too short to mean anything, and chunks without a letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.diagnose.kinds import LEAST_TOKENS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_engine.chunkers.chunk import Chunk


def wordless(text: str, chunk: Chunk) -> bool:
    """Whether a chunk, and what is embedded before it, holds no letter of any script."""
    return not any(map(str.isalpha, chunk.prefix)) and not any(
        map(str.isalpha, text[chunk.start : chunk.end])
    )


def fragments(text: str, chunks: Sequence[Chunk], tokens: Sequence[int]) -> list[int]:
    """Places in the list of the chunks that have letters and fewer than `LEAST_TOKENS` tokens.

    A chunk with a prefix, as a heading path, says what it is about and is none.
    """
    return [
        place
        for place, (chunk, count) in enumerate(zip(chunks, tokens, strict=True))
        if count < LEAST_TOKENS and not chunk.prefix and not wordless(text, chunk)
    ]
