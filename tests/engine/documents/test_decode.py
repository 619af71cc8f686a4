"""Decoding: honest about what the bytes were, and about those that were nothing."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.documents.decode import NotText, decode

ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
PROSE = "Schrödinger’s cat — “alive” and dead.\r\nIt is 20 °C.\r\n"


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=("Cs", "Cc"))), st.sampled_from(ENCODINGS))
def test_a_byte_order_mark_decides_and_is_dropped(text: str, encoding: str) -> None:
    decoded = decode(MARKS[encoding] + text.encode(encoding))
    assert (decoded.text, decoded.encoding, decoded.undecodable) == (text, encoding, 0)
    assert decoded.note == "byte order mark dropped"


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=("Cs", "Cc"))))
def test_text_in_utf8_comes_back_as_it_is(text: str) -> None:
    if text.startswith("\ufeff"):
        text = text.lstrip("\ufeff")
    assert decode(text.encode()) == (text, "utf-8", 0, "")


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60), st.sampled_from(ENCODINGS))
def test_bytes_are_counted_as_undecodable_exactly_where_strict_decoding_fails(
    data: bytes, encoding: str
) -> None:
    if encoding == "utf-16-le" and data.startswith(b"\0\0"):
        return  # together with the mark these are the mark of UTF-32
    decoded = decode(MARKS[encoding] + data)
    try:
        assert decoded.text == data.decode(encoding)
        strict = True
    except UnicodeDecodeError:
        strict = False
    assert (decoded.undecodable == 0) is strict
    assert strict or "\ufffd" in decoded.text


def test_line_ends_are_kept() -> None:
    assert decode(b"one\r\ntwo\rthree\n").text == "one\r\ntwo\rthree\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [PROSE, "第一章 总则\n本法自2024年起施行。\n" * 3])
def test_wide_encodings_are_known_without_a_mark(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.encoding) == (text, encoding)
    assert decoded.note == f"no byte order mark; taken for {encoding.upper()}"


def test_western_text_that_is_no_utf8_is_taken_for_windows_1252_and_says_so() -> None:
    decoded = decode(PROSE.encode("windows-1252"))
    assert (decoded.text, decoded.encoding) == (PROSE, "windows-1252")
    assert decoded.note == "not valid UTF-8; taken for Windows-1252"


def test_a_byte_that_windows_1252_does_not_have_is_counted() -> None:
    decoded = decode("na\u00efve caf\u00e9 ".encode("windows-1252") + b"\x81 and so on")
    assert decoded.text == "naïve café \ufffd and so on"
    assert decoded.undecodable == 1
    assert decoded.note.endswith("1 byte could not be decoded and stand as U+FFFD")


def test_utf8_with_a_few_bad_bytes_stays_utf8_and_counts_them() -> None:
    decoded = decode("Größe: 3 µm, Straße, ".encode() + b"\xff\xfe" + "Übung".encode())
    assert decoded.encoding == "utf-8"
    assert decoded.text == "Größe: 3 µm, Straße, \ufffd\ufffdÜbung"
    assert decoded.undecodable == 2


def test_utf8_cut_off_inside_its_last_character_stays_utf8() -> None:
    decoded = decode("plain text, then €".encode()[:-1])
    assert (decoded.encoding, decoded.undecodable) == ("utf-8", 2)


def test_a_genuine_replacement_character_is_no_undecodable_byte() -> None:
    for encoding in ENCODINGS:
        assert decode(MARKS[encoding] + "a\ufffdb".encode(encoding)).undecodable == 0


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4,
        b"\x7fELF" + b"\0\1\2\3" * 50,
        "Это русский текст, и его кодировка не названа.".encode("windows-1251"),
        "これは日本語の文章です。符号化方式は書かれていません。".encode("shift-jis"),
    ],
    ids=["picture", "program", "windows-1251", "shift-jis"],
)
def test_what_is_no_text_or_not_recognised_is_refused_rather_than_garbled(data: bytes) -> None:
    with pytest.raises(NotText):
        decode(data)
