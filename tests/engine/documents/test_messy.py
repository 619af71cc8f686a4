"""Real documents of many kinds give the text that a reader sees, and a note of how."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import pytest

from chunkbench_engine.annotate.blocks import split_blocks
from chunkbench_engine.documents.corpus import Corpus, load_corpus
from chunkbench_engine.documents.summary import summarise

MESSY = Path(__file__).resolve().parents[2] / "data" / "messy"

EXPECTED = {
    "quickstart.md": ("Markdown", "", ["```pycon", "First, start by importing HTTPX:"]),
    "api-reference.md": ("Markdown", "", ["::: httpx.Client"]),
    "runbook.md": ("Markdown", "", ["title: Kube Persistent Volume Filling Up"]),
    "contract-edgar.txt": ("text", "", ["made by and between Electric City Corp.,"]),
    "readme-zh.md": ("Markdown", "", ["使用零代码"]),
    "readme-zh.rst": ("reStructuredText", "", ["汉字拼音转换工具"]),
    "quickref.html": (
        "HTML",
        "from HTML by markdownify ",
        [
            "\n## [Section Structure](#contents)\n",
            "| Plain text | Typical result | Notes |\n| --- | --- | --- |\n",
            "| `*emphasis*` | *emphasis* | Normally rendered as italics. |",
            "A standalone hyperlink. |",
        ],
    ),
    "pdflatex.pdf": (
        "PDF",
        "4 pages, 4 running header or footer lines dropped",
        [
            "This text should show what a printed text will look like at this place. If you read "
            "this text, you will get no information.",
            "“Huardest gefburn”? Kjift – not at all!",
        ],
    ),
    "contract.pdf": (
        "PDF",
        "5 pages",
        [
            "Cloud Service Agreement\n",
            "Customer will promptly notify Provider if it suspects or knows of any fraudulent "
            "activity with its accounts, passwords, or credentials, or if they become compromised.",
            "Provider may only disclose Usage Data to others if the Usage Data is aggregated",
        ],
    ),
    "contract.docx": (
        "Word",
        "from Word by python-docx ",
        [
            "# Cloud Service Agreement\n\n1. Service\n    1. Access and Use. During the",
            "\n    2. Support. During the Subscription Period, Provider will provide Technical",
            "\n2. Restrictions & Obligations\n    1. Restrictions on Customer.\n        a",
        ],
    ),
    "mathematics.rst": ("reStructuredText", "", [r".. math::"]),
    "ocr.txt": ("text", "", ["We the people of the United States"]),
    "crlf.txt": ("text", "", ["to form a more perfect Union,\r\nestablish Justice"]),
    "utf16.rst": ("reStructuredText", "byte order mark dropped", ["A ReStructuredText Primer"]),
    "specification.rst": ("reStructuredText", "", ["reStructuredText Markup Specification"]),
    "splitter.py": ("source code", "", ["class RecursiveTokenChunker"]),
    "config.yaml": ("data", "", ["baseURL:"]),
}


@pytest.fixture(scope="module")
def messy() -> Corpus:
    return load_corpus(MESSY)


@pytest.mark.parametrize("name", EXPECTED)
def test_each_file_gives_the_text_that_a_reader_sees_and_a_note(messy: Corpus, name: str) -> None:
    form, note, sentences = EXPECTED[name]
    document = messy.by_id[name]
    assert document.format == form
    assert note in document.note if note else document.note == ""
    assert [sentence for sentence in sentences if sentence not in document.text] == []
    assert document.undecodable == 0
    assert document.text.count("\ufffd") == 0


def test_no_file_is_lost_in_silence(messy: Corpus) -> None:
    files = {path.name for path in MESSY.iterdir()}
    assert {document.id for document in messy.documents} == set(EXPECTED) | {"PROVENANCE.toml"}
    assert {entry.path for entry in messy.skipped} == files - set(messy.by_id)


def test_a_line_says_what_was_read_and_what_was_not(messy: Corpus) -> None:
    readers = {document.format: document.reader for document in messy.documents}
    assert summarise(messy) == (
        "18 documents: 4 Markdown, 4 reStructuredText, 3 text, "
        f"2 data, 2 PDF ({readers['PDF']}), 1 Word ({readers['Word']}), "
        f"1 HTML ({readers['HTML']}), 1 source code; "
        "1 file left out: LICENSES; beside them 1 hidden"
    )
    assert readers["PDF"].startswith("pypdf ")


def test_headings_and_tables_of_converted_files_are_seen_as_such(messy: Corpus) -> None:
    blocks = split_blocks(messy.by_id["quickref.html"].text)
    assert sum(block.kind == "table" for block in blocks) >= 20
    assert sum(block.kind == "heading" and block.level == 2 for block in blocks) >= 15
    (heading, *rest) = split_blocks(messy.by_id["contract.docx"].text)
    assert (heading.kind, heading.level) == ("heading", 1)
    assert any(block.kind == "list" for block in rest)


MADE = {
    "memo.txt": (b"Mockapetris   [Page 1]\r\n\x0c\r\nMEMO 1035   Domains\r\n", "text"),
    "titles.srt": (b"\xef\xbb\xbf1\n00:00:01,000 --> 00:00:04,000\nHello.\n", "subtitles"),
    "chat.md": (b"User: " + b"and so on " * 1700, "Markdown"),
    "rates.tsv": (b"year\trate\n2024\t5.25\n", "table"),
    "Format.java": (b"class Format { /* \xc3\xbc */ }", "source code"),
    "pyproject.toml": (b'[project]\nname = "x"\n', "data"),
    "western.txt": ("“Straße” and café, the name of it".encode("cp1252"), "text"),
}


def test_text_of_any_kind_is_kept_to_the_letter(tmp_path: Path) -> None:
    for name, (data, _) in MADE.items():
        (tmp_path / name).write_bytes(data)
    found = load_corpus(tmp_path).by_id
    assert {name: found[name].format for name in MADE} == {
        name: form for name, (_, form) in MADE.items()
    }
    for name, (data, _) in MADE.items():
        encoded = found[name].text.encode(found[name].encoding)
        assert encoded == data.removeprefix(b"\xef\xbb\xbf")


def test_the_files_are_the_ones_whose_terms_are_told() -> None:
    entries = tomllib.loads((MESSY / "PROVENANCE.toml").read_text(encoding="utf-8"))["file"]
    assert {entry["path"] for entry in entries} == set(EXPECTED)
    for entry in entries:
        data = (MESSY / entry["path"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == entry["sha256"]
        assert entry["licence"]
        assert entry["source"]
