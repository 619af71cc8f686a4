"""The strategies that ask a language model, against any Ollama server.

    python benchmarks/language_models.py http://127.0.0.1:11434 llama3.2
    python benchmarks/language_models.py gpu mixtral:8x22b --text README.md -s 'LBDC(threshold=0.3)'

For each: chunks, calls to the server, seconds, and what got no usable answer. Nothing is cached.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.chunkers.remarks import remarks_of
from chunkbench_engine.chunkers.spec import parse_specs
from chunkbench_engine.documents.corpus import load_corpus
from chunkbench_engine.language.address import server_url
from chunkbench_engine.language.asking import Asker
from chunkbench_engine.language.ollama import open_language_model

if TYPE_CHECKING:
    from chunkbench_engine.chunkers.spec import ConfiguredStrategy
    from chunkbench_engine.documents.document import Document

TEXT = Path(__file__).parent.parent / "sample_corpus" / "biology"
SHOWN = 6


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("server")
    arguments.add_argument("model")
    arguments.add_argument("--text", type=Path, default=TEXT, help="file or folder; its first file")
    arguments.add_argument("--characters", type=int, default=6_000, help="how much of it")
    arguments.add_argument("-s", "--strategies", default="LBDC, LSTC, CTX(PBC)")
    given = arguments.parse_args()
    document = load_corpus(given.text).documents[0]
    text = document.text[: given.characters]
    print(f"{document.id}: {len(text)} characters; {given.model} at {given.server}")
    for configured in parse_specs(given.strategies):
        with TemporaryDirectory() as folder:
            answers = Path(folder) / "answers.db"
            model = open_language_model([server_url(given.server)], given.model, answers)
            with closing(Asker(model, lambda: print(".", end="", flush=True))) as asker:
                _try(configured, type(document)(document.id, text), asker)


def _try(configured: ConfiguredStrategy, document: Document, asker: Asker) -> None:
    annotated = AnnotatedDocument(document, ask=asker)
    begun = perf_counter()
    chunks = configured.strategy.chunk(annotated)
    seconds = perf_counter() - begun
    print(f"\n{configured.label}: {len(chunks)} chunks, {seconds:.1f} s, {dict(annotated.remarks)}")
    for remark in remarks_of(configured.strategy, annotated.remarks):
        print(f"  {remark}")
    for chunk in chunks[:SHOWN]:
        line = " ".join(document.text[chunk.start : chunk.end].split())
        print(f"  {chunk.start:>6}-{chunk.end:<6} {line[:90]}")
        if chunk.prefix:
            print(f"                {chunk.prefix}")


if __name__ == "__main__":
    main()
