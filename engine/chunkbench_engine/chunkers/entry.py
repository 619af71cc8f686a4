"""What the registry knows of a strategy."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkbench_engine.chunkers.chunk import Strategy

Value = int | float | bool | str
"""What a parameter can be."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A strategy as people choose it.

    Attributes:
        abbr: its abbreviation, as in the paper's Table 1.
        name: its full name, as there.
        family: its category there, in short.
        factory: makes the strategy from its parameters.
        summary: one line on what it does.
        needs_vectors: whether it asks the chunkers' own embedding model.
        source: "paper", or where else it is from.
        needs_language_model: whether it asks a language model.
        wraps: whether it is written around another strategy, which its factory is given first.
    """

    abbr: str
    name: str
    family: str
    factory: Callable[..., Strategy]
    summary: str
    needs_vectors: bool = False
    source: str = "paper"
    needs_language_model: bool = False
    wraps: bool = False

    @property
    def defaults(self) -> dict[str, Value]:
        """The parameters, in order, with the values that the bare abbreviation stands for."""
        return dict(_defaults(self.factory)[self.wraps :])


@cache  # specs are read often, as a person types
def _defaults(factory: Callable[..., Strategy]) -> tuple[tuple[str, Value], ...]:
    parameters = inspect.signature(factory).parameters.values()
    return tuple((parameter.name, parameter.default) for parameter in parameters)
