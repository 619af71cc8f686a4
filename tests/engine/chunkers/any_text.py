"""Texts and documents for the strategies' tests."""

from __future__ import annotations

import re
from functools import cache
from math import log
from time import perf_counter
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.documents.document import Document
from chunkbench_engine.embedders.embedder import Embedder, Vectors
from chunkbench_engine.embedders.registry import load_embedder
from chunkbench_engine.language.answer import (
    Answer,
    AnswerToken,
    Replies,
    Request,
    Unusable,
)

from ...ollama_server import even_chances, obedient

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"  # one emoji of three joined by ZWJ

_PIECES = (
    "a", "Word", "words and more words", "A sentence ends. ", "Does it? Yes! ", "Dr. No; ",
    " ", "  \t", "\n", "\r\n", "\n\n", "\r\n \r\n", "\n\n\n", "\x00", "\ufeff", "\u200b", "\x0c",
    "\u2028", "<|endoftext|>", "<|fim_prefix|>", "漢字仮名", "これは文。", "「はい！」", "不好？",
    "e\u0301\u0323", "\U0001f600", FAMILY, "\ud800", "9" * 7, "x" * 60, "# Title\n", "\n## Sub #\n",
    "Under\n===\n", "\n- item\n", "\n> quoted\n", "\n```\n# code\n", "\n```\n", "<div>\n",
    "\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n", "\n    indented\n", "\n---\n",
)  # fmt: skip

texts = st.one_of(
    st.lists(st.sampled_from(_PIECES), max_size=40).map("".join),
    st.text(st.characters(codec=None), max_size=80),
)
"""Any text: prose, Markdown and rubble, all line ends, scripts of all kinds, lone surrogates."""

HARD_TEXTS = {
    "nothing": "",
    "white space": " \r\n\t\n \n",
    "one character": "x",
    "an emoji": FAMILY,
    "a word of 20,000 letters": "One. " + "x" * 20_000 + " two.",
    "no spaces": "漢字" * 2_000,
    "marks only": ".)" * 1_500,
    "special tokens": "<|endoftext|>" * 100,
    "NUL": "a\x00b. " * 200,
    "CRLF": "First line.\r\nSecond line.\r\n\r\nNew paragraph.\r\n" * 60,
    "combining marks": "e\u0301\u0323\u0308" * 500,
    "emoji": FAMILY * 300,
    "headings only": "# A\n\n## B\n\n### C\n" * 20,
    "a long table": "| name | value |\n|---|---|\n" + "| some name | 42 |\n" * 300,
    "a fence that never closes": "```\n" + "# not a heading\n\n" * 300,
}


@cache
def _model() -> Embedder:
    return load_embedder("wordllama-256")


def embed(batch: Sequence[str]) -> Vectors:
    """The bundled static model, as a run gives it to the chunkers."""
    began = perf_counter()
    return Vectors(_model().embed(batch), perf_counter() - began)


def ask(requests: Iterable[Request]) -> Replies:
    """A language model that keeps to the schema, and now and then gives no usable answer."""
    return Replies([_read(request) for request in requests], 0.0)


def _read(request: Request) -> object:
    text = obedient(request.schema, request.prompt)
    if len(request.prompt) % 5 == 0:
        text = text[:-1]
    tokens = [
        AnswerToken(token, {other: log(chance) for other, chance in even_chances(token).items()})
        for token in re.findall(r"\d|\D+", text)
    ]
    try:
        return request.read(Answer(text, tuple(tokens) if request.logprobs else (), 0.0))
    except Unusable:
        return None


def annotated(text: str) -> AnnotatedDocument:
    return AnnotatedDocument(Document("a.md", text), embed, ask)


def pieces(spec: str, text: str) -> list[str]:
    """Texts of the chunks that a strategy makes."""
    return [text[c.start : c.end] for c in parse_spec(spec).strategy.chunk(annotated(text))]
