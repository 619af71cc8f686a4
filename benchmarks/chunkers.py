"""Each strategy on text of growing length: seconds per megabyte and how time grows.

    python benchmarks/chunkers.py 1 4 16            # megabytes; all strategies
    python benchmarks/chunkers.py 1 4 -s 'RC, TBC'  # these only

The text is the sample corpus, repeated. Annotations are shared and timed apart: `own` is what the
strategy takes by itself, `cold` with the annotations it reads. An exponent of 1 is linear.
"""

from __future__ import annotations

import argparse
from math import log
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.chunkers.registry import REGISTRY
from chunkbench_engine.chunkers.spec import parse_specs
from chunkbench_engine.documents.document import Document
from chunkbench_engine.embedders.embedder import Vectors
from chunkbench_engine.embedders.registry import load_embedder

if TYPE_CHECKING:
    from collections.abc import Sequence

CORPUS = Path(__file__).parent.parent / "sample_corpus"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("megabytes", type=float, nargs="+")
    quick = [abbr for abbr, entry in REGISTRY.items() if not entry.needs_language_model]
    arguments.add_argument("-s", "--strategies", default=",".join(quick))
    given = arguments.parse_args()
    model = load_embedder("wordllama-256")

    def embed(texts: Sequence[str]) -> Vectors:
        began = perf_counter()
        return Vectors(model.embed(texts), perf_counter() - began)

    corpus = "\n\n".join(
        path.read_text() for path in sorted(CORPUS.rglob("*")) if path.suffix in (".md", ".txt")
    )
    sizes = sorted(given.megabytes)
    texts = [(corpus * (int(size * 1e6) // len(corpus) + 1))[: int(size * 1e6)] for size in sizes]
    documents = [AnnotatedDocument(Document("corpus", text), embed) for text in texts]
    parse_specs("TBC")[0].strategy.chunk(AnnotatedDocument(Document("warm", "A. B. C."), embed))
    print(f"{'':12}" + "".join(f"{size:>9g} MB" for size in sizes) + "   own and cold s; exponent")
    for configured in parse_specs(given.strategies):
        own, cold = [], []
        for document in documents:
            document.warm(configured.strategy.annotations)
            began = perf_counter()
            configured.strategy.chunk(document)
            own.append(perf_counter() - began)
            cold.append(own[-1] + document.charged(configured.strategy.annotations))
        growth = log(own[-1] / own[0]) / log(sizes[-1] / sizes[0]) if len(sizes) > 1 else 1.0
        cells = "".join(f"{a:6.2f}{b:6.2f}" for a, b in zip(own, cold, strict=True))
        print(f"{configured.label:12}{cells}   {growth:.2f}", flush=True)
    for name in documents[-1].costs:
        print(f"{name:28}" + "".join(f"{document.costs[name]:8.2f}" for document in documents))


if __name__ == "__main__":
    main()
