"""Paragraphs, sentences and Markdown blocks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.annotate.blocks import KINDS, split_blocks
from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.annotate.paragraphs import split_paragraphs
from chunkbench_engine.documents.document import Document

SAMPLES = Path(__file__).parents[3] / "sample_corpus"

_pieces = st.sampled_from(
    ["A word", ". ", "! ", "\n", "\n\n", "\r\n", "\r\n\r\n", " ", "\t", "。", "」", "Mr. X ",
     "# H\n", "```\n", "- a\n", "> b\n", "| a | b |\n|---|---|\n| c | d |\n", "<p>\n", "[a]: b\n",
     "---\n", "    code\n", "\x00", "\x0c", "\u2028", "\ud800"]
)  # fmt: skip
texts = st.one_of(
    st.lists(_pieces, max_size=30).map("".join), st.text(st.characters(codec=None), max_size=60)
)


def sentences(text: str) -> list[str]:
    return [text[a:b] for a, b in AnnotatedDocument(Document("a", text)).sentences]


def paragraphs(text: str) -> list[str]:
    return [text[a:b] for a, b in split_paragraphs(text)]


def blocks(text: str) -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end]) for block in split_blocks(text)]


@given(texts)
@settings(max_examples=150, deadline=None)
def test_every_character_but_white_space_is_in_exactly_one_unit_of_each_kind(text: str) -> None:
    document = AnnotatedDocument(Document("a", text))
    in_blocks = [(block.start, block.end) for block in document.blocks]
    assert all(block.kind in KINDS for block in document.blocks)
    for spans in (document.paragraphs, document.sentences, in_blocks):
        done = 0
        for start, end in spans:
            assert text[start:end] == text[start:end].strip() != ""
            assert start >= done
            assert not text[done:start].strip()
            done = end
        assert not text[done:].strip()


@given(texts)
@settings(max_examples=100, deadline=None)
def test_a_sentence_lies_in_one_paragraph(text: str) -> None:
    document = AnnotatedDocument(Document("a", text))
    for start, end in document.sentences:
        assert any(a <= start and end <= b for a, b in document.paragraphs)


def test_paragraphs_are_parted_by_blank_lines_of_any_kind() -> None:
    assert paragraphs("a\nb\n\nc\n \t\nd\r\n\r\ne\n\n\n\nf\n") == ["a\nb", "c", "d", "e", "f"]


def test_abbreviations_do_not_end_a_sentence() -> None:
    assert sentences("Mr. Smith met Dr. No. They left! Did they?") == [
        "Mr. Smith met Dr. No.",
        "They left!",
        "Did they?",
    ]


def test_a_sentence_never_spans_a_blank_line() -> None:
    assert sentences("A heading\n\nand a sentence that\ngoes on.") == [
        "A heading",
        "and a sentence that\ngoes on.",
    ]


def test_ideographic_marks_end_a_sentence_with_the_quotes_after_them() -> None:
    assert sentences("これは文。「はい！」と言う。不好？！真的") == [
        "これは文。",
        "「はい！」",
        "と言う。",
        "不好？！",
        "真的",
    ]


def test_a_long_paragraph_has_the_same_sentences_as_its_parts() -> None:
    prose = (SAMPLES / "constitution" / "constitution.md").read_text()
    lines = [
        " ".join(paragraph.split())
        for paragraph in paragraphs(prose)
        if paragraph.endswith(".") and paragraph[0].isupper() and len(paragraph) > 100
    ]
    parts = [sentence for line in lines for sentence in sentences(line)]
    assert len(" ".join(lines)) > 15_000
    assert sentences(" ".join(lines)) == parts


def test_a_sentence_longer_than_the_segmenter_is_given_at_once_is_one() -> None:
    long = "word " * 3_000 + "end."
    assert sentences(long + " Another.") == [long, "Another."]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("# A\ntext", ["heading", "paragraph"]),
        ("A\n===\n\n- x\n- y\n", ["heading", "list"]),
        ("1. x\n\n2. y\n", ["list"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n\nend", ["table", "paragraph"]),
        ("```py\n# no heading\n\nx\n```\n", ["fence"]),
        ("~~~\n# open\n", ["fence"]),
        ("    indented code\n", ["fence"]),
        ("> # quoted\n> text\n", ["quote"]),
        ("<div>\n# x\n</div>\n", ["html"]),
        ("[a]: http://b\n\ntext\n\n---\n", ["paragraph", "paragraph", "paragraph"]),
        ("# A\r\n\r\ntext\r\n", ["heading", "paragraph"]),
    ],
)
def test_blocks_are_those_of_markdown(text: str, kinds: list[str]) -> None:
    assert [kind for kind, _ in blocks(text)] == kinds


def test_a_block_is_the_text_as_written() -> None:
    assert blocks("\n# A #\r\n\r\n- x\r\n  y\r\n\r\nz  \n") == [
        ("heading", "# A #"),
        ("list", "- x\r\n  y"),
        ("paragraph", "z"),
    ]


def test_a_heading_has_its_level() -> None:
    assert [block.level for block in split_blocks("# a\n\n### b\n\nc\n---\n\ntext")] == [1, 3, 2, 0]
