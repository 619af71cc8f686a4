"""From a file's bytes to text, without ever losing a byte in silence."""

from __future__ import annotations

import codecs
import re
import unicodedata
from typing import NamedTuple

# UTF-32 goes before UTF-16, whose mark its own begins with.
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = bytes(set(range(32)) - set(b"\b\t\n\v\f\r\x1b"))
_ESCAPED = re.compile("[\udc80-\udcff]")
_HIGH = re.compile(rb"[\x80-\xff]+")
_REPLACEMENT = "\ufffd"

_MOST_CONTROLS = 0.02
"""Share of control bytes above which a file is taken for binary."""
_MOST_HIGH = 0.2
"""Share of bytes above 127 up to which a file may be Western European text."""


class NotText(ValueError):  # noqa: N818 - it names what was found
    """The bytes are no text, or text in an encoding that is not recognised."""


class Decoded(NamedTuple):
    """Text and how it was read.

    Attributes:
        text: the decoded text; line ends are kept as they are, a byte order mark is dropped.
        encoding: the encoding used.
        undecodable: bytes that were no valid text in it; each run of them stands in the text
            as U+FFFD.
        note: what a person should know about the decoding, "" if nothing.
    """

    text: str
    encoding: str
    undecodable: int = 0
    note: str = ""


def decode(data: bytes) -> Decoded:
    """Decode a file: byte order mark, else UTF-8, else UTF-16 or Windows-1252 if it looks so.

    Raises:
        NotText: the bytes look binary, or like text in an encoding that is not recognised.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding, "byte order mark dropped")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A file that was cut off in the middle of its last character is UTF-8 all the same.
        cut_off = error.reason == "unexpected end of data"
        return _guess(data, cut_off)
    nuls = data.count(0)
    if nuls > len(data) / 10 and (wide := _wide_encoding(data)):
        return _decoded(data, wide, f"no byte order mark; taken for {wide.upper()}")
    _refuse_binary(data)
    return Decoded(text, "utf-8")


def _guess(data: bytes, cut_off: bool) -> Decoded:
    if 0 in data and (wide := _wide_encoding(data)):
        return _decoded(data, wide, f"no byte order mark; taken for {wide.upper()}")
    _refuse_binary(data)
    escaped = data.decode("utf-8", "surrogateescape")
    bad = len(_ESCAPED.findall(escaped))
    valid = sum(1 for char in escaped if char > "\x7f") - bad
    if cut_off or valid > bad:
        return _decoded(data, "utf-8", "")
    if not _looks_western(data):
        raise NotText("is in an encoding that is not recognised; convert it to UTF-8")
    return _decoded(data, "windows-1252", "not valid UTF-8; taken for Windows-1252")


def _wide_encoding(data: bytes) -> str:
    """UTF-16 or UTF-32 without a byte order mark, "" if the bytes read as neither.

    Of the readings without an error the one with the most ASCII wins, as the wrong byte order
    turns spaces, line ends and digits into rare characters.
    """
    best, most = "", 0
    for encoding in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        ascii_count = sum(1 for char in text if char < "\x80")
        if ascii_count > most and _plausible(text[:4096]):
            best, most = encoding, ascii_count
    return best


def _plausible(text: str) -> bool:
    odd = sum(
        1
        for char in text
        if unicodedata.category(char) in ("Cc", "Cn", "Co") and char not in "\b\t\n\v\f\r\x1b"
    )
    return odd <= len(text) * _MOST_CONTROLS


def _looks_western(data: bytes) -> bool:
    """In Western European text the characters beyond ASCII are few and mostly stand alone."""
    runs = [len(run) for run in _HIGH.findall(data)]
    high = sum(runs)
    alone = sum(1 for length in runs if length == 1)
    return high <= len(data) * _MOST_HIGH and alone * 2 >= high


def _refuse_binary(data: bytes) -> None:
    controls = len(data) - len(data.translate(None, _CONTROLS))
    if controls > len(data) * _MOST_CONTROLS:
        raise NotText(f"is no text: {controls:,} of its {len(data):,} bytes are control codes")


def _decoded(data: bytes, encoding: str, note: str) -> Decoded:
    text, undecodable = _decode_counting(data, encoding)
    if undecodable:
        count = "1 byte" if undecodable == 1 else f"{undecodable:,} bytes"
        lost = f"{count} could not be decoded and stand as U+FFFD"
        note = f"{note}; {lost}" if note else lost
    return Decoded(text, encoding, undecodable, note)


def _decode_counting(data: bytes, encoding: str) -> tuple[str, int]:
    width = {"utf-16": 2, "utf-32": 4}.get(encoding[:6], 1)
    if width == 1:
        escaped = data.decode(encoding, "surrogateescape")
        return _ESCAPED.subn(_REPLACEMENT, escaped)
    torn = len(data) % width
    whole = data[: len(data) - torn]
    text = whole.decode(encoding, "replace")
    replaced = text.count(_REPLACEMENT) - _count_units(whole, _REPLACEMENT.encode(encoding))
    return text + _REPLACEMENT * bool(torn), replaced * width + torn


def _count_units(data: bytes, unit: bytes) -> int:
    """Occurrences of a code unit at its own alignment."""
    count, at = 0, data.find(unit)
    while at >= 0:
        if at % len(unit) == 0:
            count += 1
        at = data.find(unit, at + 1)
    return count
