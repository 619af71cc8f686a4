"""PDF to text, by pypdf."""

from __future__ import annotations

import io
import logging

import pypdf
from pypdf.errors import DependencyError

from chunkbench_engine.counted import counted
from chunkbench_engine.documents.convert.converted import Converted, Refused
from chunkbench_engine.documents.convert.pages import drop_running_lines, join_pages

_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)
"""They are the font's, and nobody types them: `ﬁle` would be found by no word."""


def convert(data: bytes) -> Converted:
    """The text of all pages, hard line breaks joined to paragraphs, running lines dropped."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what matters of it is raised
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise Refused("is protected by a password; save it without one")
        pages, unreadable = _pages(reader)
    except DependencyError as error:
        raise Refused("is encrypted in a way that needs the package cryptography") from error
    if not pages:
        raise Refused("is damaged: it has no pages")
    empty = sum(1 for lines in pages if not "".join(lines).strip())
    if empty == len(pages):
        raise Refused(
            f"holds no text on its {counted(len(pages), 'page')}: probably a scan; "
            "put it through OCR, such as ocrmypdf"
        )
    kept, dropped = drop_running_lines(pages)
    details = [counted(len(pages), "page")]
    if empty > unreadable:
        details.append(f"{empty - unreadable:,} of them without text (scans or pictures)")
    if unreadable:
        details.append(f"{unreadable:,} of them damaged and left out")
    if dropped:
        details.append(f"{counted(dropped, 'running header or footer line')} dropped")
    return Converted(join_pages(kept), ", ".join(details))


def _pages(reader: pypdf.PdfReader) -> tuple[list[list[str]], int]:
    """Lines of each page, and how many pages could not be read; raises where none could."""
    pages: list[list[str]] = []
    failed: list[Exception] = []
    for page in reader.pages:
        try:
            pages.append(page.extract_text().translate(_LIGATURES).splitlines())
        except Exception as error:  # of any kind, on a broken page
            failed.append(error)
            pages.append([])
    if failed and len(failed) == len(pages):
        raise failed[0]
    return pages, len(failed)
