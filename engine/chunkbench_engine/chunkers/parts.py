"""A strategy and the strategies it is made of."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkbench_engine.chunkers.chunk import Strategy


def parts(strategy: Strategy) -> Iterator[Strategy]:
    """The strategy itself, then those among its parameters, and theirs, in order."""
    yield strategy
    if is_dataclass(strategy):
        for field in fields(strategy):
            value = getattr(strategy, field.name)
            if hasattr(value, "chunk") and hasattr(value, "annotations"):
                yield from parts(value)
