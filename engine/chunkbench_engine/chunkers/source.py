"""Where the code of anyone's chunker is, found without running any of it."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

from chunkbench_engine.chunkers.adapters import ADAPTERS
from chunkbench_engine.chunkers.foreign import Foreign
from chunkbench_engine.chunkers.parts import parts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chunkbench_engine.chunkers.chunk import Strategy

DIGEST_LENGTH = 12
"""Hexadecimal digits of a file's hash."""


@dataclass(frozen=True, slots=True)
class ForeignCode:
    """Code that is not this program's own.

    Attributes:
        target: as a strategy names it, `module:callable`.
        module: the module that is imported.
        path: what is named in it.
        file: the module's source file; None if it is not found, or has none.
    """

    target: str
    module: str
    path: str
    file: Path | None

    @property
    def digest(self) -> str:
        """Hash of the file's content, "" without one; other files that it imports are not in it."""
        if self.file is None:
            return ""
        return hashlib.sha256(self.file.read_bytes()).hexdigest()[:DIGEST_LENGTH]


def foreign_code(strategies: Iterable[Strategy], folder: str) -> list[ForeignCode]:
    """The foreign code among the strategies, each once.

    Args:
        folder: where a run would look first.
    """
    found: dict[str, ForeignCode] = {}
    for strategy in strategies:
        for part in parts(strategy):
            if isinstance(part, Foreign) and part.target not in found:
                place, _, path = part.target.partition(":")
                module = ADAPTERS[place].module if place in ADAPTERS else place
                file = _source_file(module, [folder, *sys.path])
                found[part.target] = ForeignCode(part.target, module, path, file)
    return list(found.values())


def _source_file(module: str, path: list[str]) -> Path | None:
    """As the import system would find it; of a package its `__init__.py`."""
    where: list[str] | None = path
    names = module.split(".")
    for depth in range(1, len(names) + 1):
        if where is None:
            return None
        spec = PathFinder.find_spec(".".join(names[:depth]), where)
        if spec is None:
            return None
        if depth == len(names):
            file = Path(spec.origin) if spec.has_location and spec.origin else None
            return file if file is not None and file.is_file() else None
        searched = spec.submodule_search_locations
        where = None if searched is None else list(searched)
    return None
