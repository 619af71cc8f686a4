"""The code that is offered to be pasted, run: what is called exact gives the same chunks."""

from __future__ import annotations

from typing import Any

import pytest
import tiktoken.registry

from chunkbench_engine.annotate.tokens import load_tokenizer
from chunkbench_engine.chunkers.snippets import Snippet, snippets
from chunkbench_engine.chunkers.spec import parse_spec

from .sample import FILES, pieces

for package in ("langchain_text_splitters", "llama_index.core", "chonkie"):
    pytest.importorskip(package, reason=f"{package} is not installed")

SPECS = (
    "RC",
    "RC(chunk_size=200, overlap=0)",
    "RC(chunk_size=300, overlap=60, separators='newline, character')",
    "RC(chunk_size=80, overlap=10, unit=tokens)",
    "RTF",
    "PCC(parent=600, child=150)",
    "FC",
    "OFC(token_size=100, overlap=25)",
    "SWC(window=64, step=48)",
    "FCC(char_size=300, overlap=30)",
    "SBC",
    "LAC",
    "LAC(target=100, tolerance=20, unit=tokens)",
    "HAC",
    "MDC(max=200)",
    "langchain:RecursiveCharacterTextSplitter(chunk_size=300, chunk_overlap=60)",
    "llamaindex:SentenceSplitter(chunk_size=100, chunk_overlap=20)",
    "llamaindex:SentenceWindowNodeParser.from_defaults(window_size=1)",
    "chonkie:SentenceChunker(chunk_size=300)",
)
REPLACEMENT = "\ufffd"
ONE = "httpx-quickstart.md", FILES["httpx-quickstart.md"]


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """`tiktoken.get_encoding` would fetch the ranks that are installed here."""
    monkeypatch.setitem(tiktoken.registry.ENCODINGS, "cl100k_base", load_tokenizer()[0])


OFFERED = [
    (spec, snippet)
    for spec in SPECS
    for snippet in snippets(parse_spec(spec))
    if snippet.library != "chunkbench"
]


def executed(snippet: Snippet, text: str) -> list[str]:
    names: dict[str, Any] = {"text": text}
    exec(snippet.code, names)
    chunks: list[str] = names["chunks"]
    return chunks


@pytest.mark.parametrize(
    ("spec", "snippet"), OFFERED, ids=[f"{s} for {o.library}" for s, o in OFFERED]
)
def test_what_is_called_exact_is_and_what_is_called_near_runs(spec: str, snippet: Snippet) -> None:
    for name, text in FILES.items() if snippet.exact else [ONE]:
        theirs = executed(snippet, text)
        if not snippet.exact:
            assert len(theirs) > 5
            assert snippet.differences
            continue
        ours = pieces(spec, text)
        assert len(theirs) == len(ours), name
        # but, as is then said, where a window's edge lies inside a character
        differ = [pair for pair in zip(theirs, ours, strict=True) if pair[0] != pair[1]]
        assert all(REPLACEMENT in piece for piece, _ in differ)
        assert not differ or "replacement character" in " ".join(snippet.differences)
