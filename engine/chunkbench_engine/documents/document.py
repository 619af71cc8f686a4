"""A document: canonical text under a name."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Document:
    """One document of a corpus.

    Attributes:
        id: path relative to the corpus folder, with forward slashes.
        text: canonical text. Every offset in this project counts its characters
            (Unicode code points), never bytes.
        encoding: how the file was decoded.
        undecodable: number of bytes that were no valid text in that encoding.
        note: what was done to get from the file to the text, "" if nothing.
        format: what kind of file it was, as `Markdown` or `PDF`.
        reader: the package that made text of it, with its version; "" if the text is the file's.
    """

    id: str
    text: str
    encoding: str = "utf-8"
    undecodable: int = 0
    note: str = ""
    format: str = ""
    reader: str = ""

    @cached_property
    def sha256(self) -> str:
        """Hash of the canonical text, in hexadecimal."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()
