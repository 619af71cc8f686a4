"""Word and PowerPoint files are ZIP archives: looked into before any library unpacks them."""

from __future__ import annotations

import io
import zipfile

from chunkbench_engine.documents.convert.converted import Refused

MOST_UNPACKED = 500_000_000
"""Bytes that an archive may unpack to."""
_MOST_PARTS = 20_000
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def refuse_bad_archive(data: bytes) -> None:
    """Refuse what is no ZIP archive, is damaged, or would unpack to far more than it is.

    The sizes in an archive's directory can be trusted as a bound: zipfile reads no more than
    they say.
    """
    if data.startswith(_OLE):
        raise Refused("is protected by a password, or an old format; save it anew without either")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise Refused("is damaged: it is no readable ZIP archive") from error
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MOST_UNPACKED or len(parts) > _MOST_PARTS:
        raise Refused(
            f"would unpack to {unpacked / 1e6:,.0f} MB in {len(parts):,} parts; "
            f"at most {MOST_UNPACKED / 1e6:,.0f} MB are unpacked"
        )
