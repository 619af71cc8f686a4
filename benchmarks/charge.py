"""What a strategy is charged with, beside what it takes when it is really run alone.

    python benchmarks/charge.py                 # all strategies without a language model
    python benchmarks/charge.py -s 'RC, TBC' --rounds 5 --chunker-model all-MiniLM-L6-v2
    python benchmarks/charge.py --memory --megabytes 8    # peaks too, against /usr/bin/time -v

Work that strategies share (tokens, sentences, their vectors) is done once in a run and charged to
each strategy that reads it: `cold` = own + charged. Here each strategy is also run as `run --cold`
does it: nothing made before it, vectors past the cache. The text is the sample corpus. Rounds
alternate, so that a busy machine slows both alike; medians are printed, and `alone / cold`: 1 is a
fair charge.

With --memory each strategy's metered peak over one long document, which is the text repeated, is
set beside GNU time's: its chunking in a Python process of its own under `/usr/bin/time -v`, less
the same process without the call that chunks. Reading the text and making the annotations have
peaks of their own, and GNU time shows only what the chunking needs beyond them: it is hardly above
the metered peak, and often far below. Those that read annotations are marked `*`.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from chunkbench_engine.chunkers.registry import REGISTRY
from chunkbench_engine.chunkers.spec import parse_specs
from chunkbench_engine.documents.corpus import load_corpus
from chunkbench_engine.documents.document import Document
from chunkbench_engine.run.chunking import ChunkingProcess

if TYPE_CHECKING:
    from collections.abc import Sequence

CORPUS = Path(__file__).parent.parent / "sample_corpus"
TIME = Path("/usr/bin/time")

ALONE = """
import gc, json, sys
from pathlib import Path
from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.documents.document import Document

given = json.loads(sys.argv[1])
strategy = parse_spec(given["spec"]).strategy
document = AnnotatedDocument(Document("document", Path(given["file"]).read_text()))
document.warm(strategy.annotations)
strategy.chunk(AnnotatedDocument(Document("warm", "# A\\n\\nOne. And two.\\n")))
gc.collect()
kept = strategy.chunk(document) if given["chunk"] else []
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    quick = [abbr for abbr, entry in REGISTRY.items() if not entry.needs_language_model]
    arguments.add_argument("-s", "--strategies", default=",".join(quick))
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--chunker-model", default="wordllama-256")
    arguments.add_argument("--corpus", type=Path, default=CORPUS)
    arguments.add_argument("--memory", action="store_true")
    arguments.add_argument("--megabytes", type=float, default=8.0)
    given = arguments.parse_args()
    documents = load_corpus(given.corpus).documents
    names = [document.id for document in documents]
    labels = [configured.label for configured in parse_specs(given.strategies)]
    charged: dict[str, list[float]] = {label: [] for label in labels}
    alone: dict[str, list[float]] = {label: [] for label in labels}
    for _ in range(given.rounds):
        with tempfile.TemporaryDirectory() as folder:
            sharing, bare = (open_process(Path(folder), given.chunker_model) for _ in range(2))
            sharing.load(documents)
            bare.load(documents)
            for label in labels:
                seconds = [made.seconds for made in sharing.apply(label, names).documents]
                charged[label].append(sum(s.own + s.charged for s in seconds))
                alone[label].append(sum(bare.alone(label, names)))
            sharing.close()
            bare.close()
    print(f"{len(names)} documents, median of {given.rounds} rounds")
    print(f"{'':12}{'cold s':>10}{'alone s':>10}{'alone / cold':>14}")
    ratios = []
    for label in labels:
        cold, real = median(charged[label]), median(alone[label])
        ratios.append(real / cold)
        print(f"{label:12}{cold:10.3f}{real:10.3f}{real / cold:14.2f}")
    print(f"median ratio {median(ratios):.2f}, {min(ratios):.2f} to {max(ratios):.2f}")
    if given.memory:
        print_memory(labels, documents, given.megabytes)


def open_process(folder: Path, model: str) -> ChunkingProcess:
    return ChunkingProcess(folder / "vectors.db", model, 600, "", folder / "answers.db", "", ())


def print_memory(labels: list[str], documents: Sequence[Document], megabytes: float) -> None:
    """The metered peak above the start, and GNU time's difference of two processes."""
    if not TIME.exists():
        print(f"no comparison of memory: {TIME} is not installed")
        return
    print(f"\none document of {megabytes:g} MB{'metered MB':>16}{'time -v MB':>12}")
    text = "\n\n".join(document.text for document in documents)
    text = (text * (int(megabytes * 1e6) // len(text) + 1))[: int(megabytes * 1e6)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "document.txt"
        file.write_text(text)
        process = open_process(Path(folder), "wordllama-256")
        process.load([Document("document", text)])
        for label in labels:
            if REGISTRY[label.split("(")[0]].needs_vectors:
                continue  # its model would be in the one process and not in the other
            metered = process.apply(label, ["document"]).metered
            peak = _gnu_peak(label, file, chunk=True) - _gnu_peak(label, file, chunk=False)
            above = metered.kernel_peak_rss - metered.base_rss
            mark = " *" if parse_specs(label)[0].strategy.annotations else ""
            print(f"{label:24}{above / 1e6:14.1f}{peak / 1e6:12.1f}{mark}", flush=True)
        process.close()


def _gnu_peak(label: str, file: Path, *, chunk: bool) -> int:
    """Maximum resident set size of a process that chunks, or does all but that."""
    given = json.dumps({"spec": label, "file": str(file), "chunk": chunk})
    done = subprocess.run(
        [TIME, "-v", sys.executable, "-c", ALONE, given], capture_output=True, text=True, check=True
    )
    match = re.search(r"Maximum resident set size \(kbytes\): (\d+)", done.stderr)
    assert match is not None
    return int(match[1]) * 1024


if __name__ == "__main__":
    main()
