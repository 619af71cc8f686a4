"""What a strategy is charged with, beside what it takes when it is really run alone.

    python benchmarks/charge.py                 # all strategies without a language model
    python benchmarks/charge.py -s 'RC, TBC' --rounds 5 --chunker-model all-MiniLM-L6-v2
    python benchmarks/charge.py --memory        # peak memory too, against /usr/bin/time -v

Work that strategies share (tokens, sentences, their vectors) is done once in a run and charged to
each strategy that reads it: `cold` = own + charged. Here each strategy is also run as `run --cold`
does it: nothing made before it, vectors past the cache. The text is the sample corpus. Rounds
alternate, so that a busy machine slows both alike; medians are printed, and `alone / cold`: 1 is a
fair charge.

With --memory each strategy's metered peak is set beside GNU time's: its chunking in a Python
process of its own under `/usr/bin/time -v`, less the same process without the call that chunks.
That process makes the annotations too, in either, and reads all documents as the metered one does.
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

from chunkbench_engine.chunkers.registry import REGISTRY
from chunkbench_engine.chunkers.spec import parse_specs
from chunkbench_engine.documents.corpus import load_corpus
from chunkbench_engine.run.chunking import ChunkingProcess

CORPUS = Path(__file__).parent.parent / "sample_corpus"
TIME = Path("/usr/bin/time")

ALONE = """
import gc, json, sys
from pathlib import Path
from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.documents.corpus import load_corpus
from chunkbench_engine.documents.document import Document

given = json.loads(sys.argv[1])
strategy = parse_spec(given["spec"]).strategy
corpus = load_corpus(Path(given["corpus"]))
documents = [AnnotatedDocument(d) for d in corpus.documents]
for document in documents:
    document.warm([*strategy.annotations, "tokens", "sentences", "blocks"])
strategy.chunk(AnnotatedDocument(Document("warm", "# A\\n\\nOne. And two.\\n")))
gc.collect()
kept = [strategy.chunk(document) for document in documents] if given["chunk"] else []
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    quick = [abbr for abbr, entry in REGISTRY.items() if not entry.needs_language_model]
    arguments.add_argument("-s", "--strategies", default=",".join(quick))
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--chunker-model", default="wordllama-256")
    arguments.add_argument("--corpus", type=Path, default=CORPUS)
    arguments.add_argument("--memory", action="store_true")
    given = arguments.parse_args()
    documents = load_corpus(given.corpus).documents
    names = [document.id for document in documents]
    labels = [configured.label for configured in parse_specs(given.strategies)]
    charged: dict[str, list[float]] = {label: [] for label in labels}
    alone: dict[str, list[float]] = {label: [] for label in labels}
    peaks: dict[str, int] = {}
    for _ in range(given.rounds):
        with tempfile.TemporaryDirectory() as folder:
            process = ChunkingProcess(
                Path(folder) / "vectors.db",
                given.chunker_model,
                600,
                "",
                Path(folder) / "answers.db",
                "",
                (),
            )
            process.load(documents)
            for label in labels:
                applied = process.apply(label, names, cold=True)
                seconds = [made.seconds for made in applied.documents]
                charged[label].append(sum(s.own + s.charged for s in seconds))
                alone[label].append(sum(s.cold or 0.0 for s in seconds))
                peaks[label] = applied.metered.kernel_peak_rss - applied.metered.base_rss
            process.close()
    print(f"{len(names)} documents, median of {given.rounds} rounds")
    print(f"{'':12}{'cold s':>10}{'alone s':>10}{'alone / cold':>14}")
    ratios = []
    for label in labels:
        cold, real = median(charged[label]), median(alone[label])
        ratios.append(real / cold)
        print(f"{label:12}{cold:10.3f}{real:10.3f}{real / cold:14.2f}")
    print(f"median ratio {median(ratios):.2f}, {min(ratios):.2f} to {max(ratios):.2f}")
    if given.memory:
        print_memory(labels, peaks, given.corpus)


def print_memory(labels: list[str], peaks: dict[str, int], corpus: Path) -> None:
    """The metered peak above the start, and GNU time's difference of two processes."""
    if not TIME.exists():
        print(f"no comparison of memory: {TIME} is not installed")
        return
    print(f"\n{'':12}{'metered MB':>12}{'time -v MB':>12}")
    for label in labels:
        if REGISTRY[label.split("(")[0]].needs_vectors:
            continue  # its model would be in the one process and not in the other
        peak = _gnu_peak(label, corpus, chunk=True) - _gnu_peak(label, corpus, chunk=False)
        print(f"{label:12}{peaks[label] / 1e6:12.2f}{peak / 1e6:12.2f}")


def _gnu_peak(label: str, corpus: Path, *, chunk: bool) -> int:
    """Maximum resident set size of a process that chunks, or does all but that; the least of 3."""
    given = json.dumps({"spec": label, "corpus": str(corpus), "chunk": chunk})
    found = []
    for _ in range(3):
        done = subprocess.run(
            [TIME, "-v", sys.executable, "-c", ALONE, given],
            capture_output=True,
            text=True,
            check=True,
        )
        match = re.search(r"Maximum resident set size \(kbytes\): (\d+)", done.stderr)
        assert match is not None
        found.append(int(match[1]) * 1024)
    return min(found)


if __name__ == "__main__":
    main()
