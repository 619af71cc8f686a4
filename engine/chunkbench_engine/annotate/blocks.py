"""Markdown blocks with their place in the text."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from chunkbench_engine.annotate.paragraphs import trim

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

KINDS = ("heading", "paragraph", "list", "table", "fence", "quote", "html")

_KIND = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "table_open": "table",
    "fence": "fence",
    "code_block": "fence",
    "blockquote_open": "quote",
    "html_block": "html",
    "hr": "paragraph",
}
LINE_END = re.compile(r"\r\n?|\n")
"""What ends a line in Markdown."""


class Block(NamedTuple):
    """A block of Markdown: its kind (one of `KINDS`), its trimmed span, a heading's level or 0."""

    kind: str
    start: int
    end: int
    level: int = 0


def split_blocks(text: str) -> list[Block]:
    """Top-level blocks in order; every character but white space lies in exactly one.

    Indented code counts as a fence. What CommonMark gives no block of its own (a rule, link
    definitions) is a paragraph.
    """
    lines = [0, *(match.end() for match in LINE_END.finditer(text)), len(text)]
    blocks: list[Block] = []
    done = 0

    def add(kind: str, start: int, end: int, level: int = 0) -> None:
        start, end = trim(text, start, end)
        if start < end:
            blocks.append(Block(kind, start, end, level))

    for token in load_parser().parse(text):
        if token.level or token.map is None or token.type not in _KIND:
            continue
        start, end = lines[token.map[0]], lines[min(token.map[1], len(lines) - 1)]
        add("paragraph", done, start)
        level = int(token.tag[1]) if token.type == "heading_open" else 0
        add(_KIND[token.type], max(start, done), end, level)
        done = max(done, end)
    add("paragraph", done, len(text))
    return blocks


@cache
def load_parser() -> MarkdownIt:
    """The CommonMark parser, with tables; loaded once."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    # only the blocks are wanted: reading what is inside the lines takes most of the time
    return parser.disable(["inline", "text_join"])
