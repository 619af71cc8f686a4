"""A broken, locked or hostile file is named with its reason; the others are read all the same."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import docx
import pypdf
import pytest
from PIL import Image
from pypdf.generic import DecodedStreamObject, NameObject

from chunkbench_engine.documents import formats, limits
from chunkbench_engine.documents.conversion import Conversion
from chunkbench_engine.documents.convert import archive
from chunkbench_engine.documents.convert.converted import Refused
from chunkbench_engine.documents.corpus import Corpus, load_corpus
from chunkbench_engine.documents.formats import BY_SUFFIX
from chunkbench_engine.documents.summary import remarks, summarise
from chunkbench_engine.errors import BadInput

MESSY = Path(__file__).resolve().parents[2] / "data" / "messy"
PDF = MESSY / "pdflatex.pdf"


def encrypted(password: str) -> bytes:
    writer = pypdf.PdfWriter(clone_from=PDF)
    writer.encrypt(password, owner_password="owner", algorithm="AES-256")
    return saved(writer)


def saved(writer: pypdf.PdfWriter) -> bytes:
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def one_page_of_four_damaged() -> bytes:
    writer = pypdf.PdfWriter(clone_from=PDF)
    content = DecodedStreamObject()
    content.set_data(b"BT [ (broken) } TJ << ET")
    writer.pages[1][NameObject("/Contents")] = writer._add_object(content)
    return saved(writer)


def scan() -> bytes:
    out = io.BytesIO()
    Image.new("L", (60, 80), 255).save(out, "PDF")
    return out.getvalue()


def bomb() -> bytes:
    """A ZIP file of a megabyte that says it unpacks to a gigabyte."""
    out = io.BytesIO()
    zeros = bytes(50_000_000)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        packed.writestr("word/document.xml", zeros)
        packed.writestr("word/media/a", zeros)
    return out.getvalue()


def word(text: str) -> bytes:
    document = docx.Document()
    document.add_paragraph(text)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("broken")
    whole = word("Every word counts.")
    files = {
        "good.docx": whole,
        "open.pdf": encrypted(""),
        "locked.pdf": encrypted("secret"),
        "scan.pdf": scan(),
        "page.pdf": one_page_of_four_damaged(),
        "half.pdf": PDF.read_bytes()[:9000],
        "no.pdf": b"no PDF at all",
        "empty.pdf": b"",
        "half.docx": whole[: len(whole) // 2],
        "locked.docx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
        "blank.docx": word(""),
        "wrong.docx": b"PK\x05\x06" + bytes(18),
        "wrong.pptx": whole,
        "bad.ipynb": b'{"cells": 3}',
        "deep.ipynb": b"[" * 100_000,
        "deep.html": b"<div>" * 30_000 + b"deep" + b"</div>" * 30_000,
        "script.html": b"<html><script>x()</script></html>",
        "nul.txt": b"\x00\x01\x02\x03" * 20,
        "late.md": b"after all of these",
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return load_corpus(folder)


def test_each_is_named_with_its_reason(broken: Corpus) -> None:
    reasons = {entry.path: entry.reason for entry in broken.skipped}
    starts = {
        "locked.pdf": "is protected by a password; save it without one",
        "scan.pdf": "holds no text on its 1 page: probably a scan; put it through OCR",
        "half.pdf": "is damaged, or unlike what pypdf ",
        "no.pdf": "is damaged, or unlike what pypdf ",
        "empty.pdf": "is empty",
        "half.docx": "is damaged: it is no readable ZIP archive",
        "locked.docx": "is protected by a password, or an old format",
        "blank.docx": "holds no text; pictures are not read",
        "wrong.docx": "is damaged, or unlike what python-docx ",
        "wrong.pptx": "is damaged, or unlike what python-pptx ",
        "bad.ipynb": "is no notebook that can be read",
        "deep.ipynb": "is nested too deeply",
        "deep.html": "is nested too deeply",
        "script.html": "holds no text but what scripts would make",
        "nul.txt": "is no text: 80 of its 80 bytes are control codes",
    }
    assert {name: reasons.get(name, "")[: len(start)] for name, start in starts.items()} == starts
    assert set(reasons) == set(starts)


def test_the_others_are_read(broken: Corpus) -> None:
    assert "Every word counts." in broken.by_id["good.docx"].text
    assert broken.by_id["late.md"].text == "after all of these"


def test_a_pdf_that_anyone_may_open_is_read_though_encrypted(broken: Corpus) -> None:
    assert "Is there no information?" in broken.by_id["open.pdf"].text


def test_of_a_pdf_with_a_damaged_page_the_others_are_read(broken: Corpus) -> None:
    document = broken.by_id["page.pdf"]
    assert "4 pages, 1 of them damaged and left out" in document.note
    assert document.text.startswith("Hello, here is some text without a meaning.")


def test_the_summary_counts_them(broken: Corpus) -> None:
    lost = len(broken.skipped)
    assert f"; {lost} files left out: bad.ipynb, blank.docx, " in summarise(broken)
    assert len(remarks(broken)) <= lost


def test_an_archive_that_unpacks_to_too_much_is_not_unpacked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(archive, "MOST_UNPACKED", 60_000_000)
    data = bomb()
    assert len(data) < 1_000_000
    with pytest.raises(Refused, match=r"would unpack to 100 MB in 2 parts; at most 60 MB"):
        archive.refuse_bad_archive(data)


def test_a_converter_that_never_ends_is_ended_and_the_next_file_is_converted(
    tmp_path: Path,
) -> None:
    os.mkfifo(tmp_path / "endless.ipynb")
    good = tmp_path / "good.ipynb"
    good.write_text('{"cells": [{"cell_type": "markdown", "source": "fine"}]}')
    form = BY_SUFFIX[".ipynb"]
    with Conversion(most_seconds=1) as converting, pytest.raises(Refused, match=r"not .* in 1 s"):
        converting.convert(tmp_path / "endless.ipynb", form)
    with Conversion() as converting:
        assert converting.convert(good, form).text == "fine"
        process = converting._process
        assert process is not None
        process.kill()
        process.wait()
        with pytest.raises(Refused, match=r"broke its converter .*ended by SIGKILL"):
            converting.convert(good, form)
        assert converting.convert(good, form).text == "fine"


def test_without_the_extra_a_file_is_named_with_the_command_that_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_text("text")
    (tmp_path / "b.pdf").write_bytes(PDF.read_bytes())
    (tmp_path / "c.pdf").write_bytes(PDF.read_bytes())
    monkeypatch.setattr(formats, "find_spec", lambda name: None)
    found = load_corpus(tmp_path)
    needed = "needs pypdf to be read as PDF: pip install 'chunkbench-tui[documents]'"
    assert remarks(found) == [f"2 files are not read (b.pdf, c.pdf): each {needed}"]
    with pytest.raises(BadInput) as caught:
        load_corpus(tmp_path / "b.pdf")
    assert str(caught.value).endswith(f"b.pdf cannot be read as a document: it {needed}.")


def test_a_file_that_is_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_text("text")
    with (tmp_path / "big.txt").open("wb") as file:
        file.truncate(limits.MOST_BYTES + 1)
    (entry,) = load_corpus(tmp_path).skipped
    assert entry.reason == "has 200 MB, and at most 200 MB are read; split it"


def test_a_file_in_a_folder_that_may_not_be_entered_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_text("text")
    (tmp_path / "b.md").write_text("text")
    is_file = Path.is_file

    def refuse(self: Path) -> bool:
        if self.name == "b.md":
            raise PermissionError(13, "Permission denied")
        return is_file(self)

    monkeypatch.setattr(Path, "is_file", refuse)
    (entry,) = load_corpus(tmp_path).skipped
    assert entry == ("b.md", "cannot be opened: Permission denied", False)
