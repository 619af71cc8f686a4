"""The ready adapters beside the libraries they adapt."""

from __future__ import annotations

import pytest

from chunkbench_engine.chunkers.remarks import remarks_of
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.errors import BadInput

from .sample import FILES, annotated, pieces

TEXT = FILES["httpx-quickstart.md"]

SPECS = {
    "langchain_text_splitters": (
        "langchain:RecursiveCharacterTextSplitter(chunk_size=300, chunk_overlap=60)",
        "langchain:MarkdownTextSplitter(chunk_size=300, chunk_overlap=0)",
    ),
    "chonkie": (
        "chonkie:TokenChunker(chunk_size=300, chunk_overlap=30)",
        "chonkie:SentenceChunker(chunk_size=300)",
        "chonkie:RecursiveChunker(chunk_size=300)",
        "chonkie:FastChunker(chunk_size=300)",
    ),
    "llama_index.core": (
        "llamaindex:SentenceSplitter(chunk_size=100, chunk_overlap=20)",
        "llamaindex:TokenTextSplitter(chunk_size=100, chunk_overlap=20)",
        "llamaindex:MarkdownNodeParser",
        "llamaindex:SentenceWindowNodeParser.from_defaults(window_size=1)",
    ),
    "semchunk": (
        "semchunk:chunkerify(chunk_size=100)",
        "semchunk:chunkerify(chunk_size=100, overlap=0.2)",
    ),
}


@pytest.mark.parametrize(
    ("package", "spec"), [(package, spec) for package, specs in SPECS.items() for spec in specs]
)
def test_every_chunk_is_found_and_no_text_is_lost(package: str, spec: str) -> None:
    pytest.importorskip(package, reason=f"{package} is not installed")
    strategy = parse_spec(spec).strategy
    document = annotated(TEXT)
    assert len(strategy.chunk(document)) > 5
    assert list(remarks_of(strategy, document.remarks)) == []


def test_langchain_chunks_are_those_of_the_splitter() -> None:
    langchain = pytest.importorskip(
        "langchain_text_splitters", reason="langchain-text-splitters is not installed"
    )
    splitter = langchain.RecursiveCharacterTextSplitter(chunk_size=300, chunk_overlap=60)
    spec = "langchain:RecursiveCharacterTextSplitter(chunk_size=300, chunk_overlap=60)"
    assert pieces(spec, TEXT) == splitter.split_text(TEXT)


def test_chonkie_chunks_lie_where_chonkie_says() -> None:
    chonkie = pytest.importorskip("chonkie", reason="chonkie is not installed")
    chunks = parse_spec("chonkie:RecursiveChunker(chunk_size=300)").strategy.chunk(annotated(TEXT))
    theirs = chonkie.RecursiveChunker(chunk_size=300)(TEXT)
    assert [chunk.span for chunk in chunks] == [(c.start_index, c.end_index) for c in theirs]


def test_llamaindex_chunks_are_those_of_the_splitter() -> None:
    parsers = pytest.importorskip(
        "llama_index.core.node_parser", reason="llama-index-core is not installed"
    )
    splitter = parsers.SentenceSplitter(chunk_size=100, chunk_overlap=20)
    spec = "llamaindex:SentenceSplitter(chunk_size=100, chunk_overlap=20)"
    assert pieces(spec, TEXT) == splitter.split_text(TEXT)


def test_semchunk_chunks_are_those_of_the_chunker_with_the_tokens_counted_here() -> None:
    semchunk = pytest.importorskip("semchunk", reason="semchunk is not installed")
    from chunkbench_engine.annotate.tokens import load_tokenizer

    chunker = semchunk.chunkerify(load_tokenizer()[0], chunk_size=100)
    assert pieces("semchunk:chunkerify(chunk_size=100)", TEXT) == chunker(TEXT)


def test_chunks_that_a_library_words_anew_are_counted_as_not_found() -> None:
    pytest.importorskip("chonkie", reason="chonkie is not installed")
    header = "| name | value |\n|---|---|\n"
    table = header + "".join(f"| row {number} | {number} |\n" for number in range(9))
    strategy = parse_spec("chonkie:TableChunker(chunk_size=3)").strategy
    document = annotated(table)
    # it gives the header again with each part of a table, and only the first has it in the text
    assert len(strategy.chunk(document)) == 1
    assert any(
        remark.startswith("2 of 3 chunks (") for remark in remarks_of(strategy, document.remarks)
    )


def test_what_a_library_refuses_is_said_with_its_reason() -> None:
    pytest.importorskip(
        "langchain_text_splitters", reason="langchain-text-splitters is not installed"
    )
    strategy = parse_spec("langchain:RecursiveCharacterTextSplitter(chunk_size=100)").strategy
    with pytest.raises(BadInput, match=r"cannot be made: ValueError: Got a larger chunk overlap"):
        strategy.chunk(annotated(TEXT))
