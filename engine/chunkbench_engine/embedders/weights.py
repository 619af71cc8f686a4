"""The identity of a model: a hash over the files that decide its vectors."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

DIGEST_LENGTH = 12
"""Hexadecimal digits of the hash that go into an embedder's id."""

_DECIDING = ("*.json", "*.txt", "*.model", "*.safetensors", "pytorch_model*.bin")


def model_files(folder: Path) -> list[Path]:
    """The files under a model's folder that decide its vectors: weights, tokenizer, settings."""
    files = (file for pattern in _DECIDING for file in folder.rglob(pattern))
    return sorted(file for file in set(files) if file.is_file())


def digest(files: Iterable[Path]) -> str:
    """Hash of the files' contents, in order.

    A file in the hub's cache is a link to a blob that is named by its own hash: that name is
    taken in place of reading gigabytes again.
    """
    total = hashlib.sha256()
    for file in files:
        total.update(_content_hash(file).encode())
    return total.hexdigest()[:DIGEST_LENGTH]


def _content_hash(file: Path) -> str:
    blob = file.resolve()
    if file.is_symlink() and blob.parent.name == "blobs":
        return blob.name
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
