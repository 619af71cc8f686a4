"""Which files are read, and by what: one row a suffix."""

from __future__ import annotations

from collections.abc import Callable

from chunkbench_engine.documents.decode import Decoded, decode

Loader = Callable[[bytes], Decoded]
"""From a file's bytes to its canonical text. Raises `NotText` if there is none."""

LOADERS: dict[str, Loader] = {
    ".md": decode,
    ".markdown": decode,
    ".txt": decode,
    ".text": decode,
}
"""Loaders by lower-case suffix."""
