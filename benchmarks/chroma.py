"""Chroma's evaluation of chunking, run by this product, beside what Chroma's own code finds.

    python benchmarks/chroma.py FOLDER                       # with all-MiniLM-L6-v2
    python benchmarks/chroma.py FOLDER --db chroma.db        # kept; a second time it is only read
    python benchmarks/chroma.py FOLDER --only fixed_200_0 --only fixed_250_0

FOLDER holds `corpora/*.md` and `questions_df.csv` as in the repository of Chroma's evaluation
(brandonstarxel/chunking_evaluation: 5 corpora, 472 questions), and `chroma_results.json`: by
configuration (`fixed_200_0`: chunker, size and overlap in tokens) the `mean` of each measure over
the questions with 5 chunks retrieved, as computed by that repository's code, once as it is
(`retrieve_5`) and once with exact search and, where that was done, each chunk at its true place
(`true_offsets.exact_search_retrieve_5`, else `exact_search_retrieve_5`): it looks for a chunk's
text from the document's beginning, and takes a repeated one for the first. Ours are true offsets
and exact search.

Windows of tokens are the same chunks as Chroma's but for the edge of a character. Recursive chunks
are nearly so: a piece's length is counted in the document's tokens, not tokenized anew, and its
separators `.`, `?` and `!` are our `sentence`, which keeps them at the end of a sentence.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_SENTENCES = '"blank line, newline, sentence, space, character"'
SPECS = {
    "fixed_200_0": "FC(token_size=200)",
    "fixed_250_0": "FC(token_size=250)",
    "fixed_250_125": "FC(token_size=250, overlap=125)",
    "fixed_400_0": "FC(token_size=400)",
    "fixed_800_400": "FC(token_size=800, overlap=400)",
    "recursive_200_0": f"RC(chunk_size=200, overlap=0, unit=tokens, separators={_SENTENCES})",
    "recursive_lc_200_0": "RC(chunk_size=200, overlap=0, unit=tokens)",
}
MEASURES = {
    "recall": "TokenRecall@5",
    "precision": "TokenPrecision@5",
    "iou": "IoU@5",
    "precision_omega": "PrecisionOmega",
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--only", action="append", choices=SPECS)
    arguments.add_argument("--db", type=Path)
    given = arguments.parse_args()
    names = given.only or list(SPECS)
    expected = json.loads((given.folder / "chroma_results.json").read_text())["configs"]
    with tempfile.TemporaryDirectory() as folder:
        db = given.db or Path(folder) / "chroma.db"
        if not db.exists():
            cli("run", str(given.folder / "corpora"),
                "-q", str(given.folder / "questions_df.csv"),
                "-m", "all-MiniLM-L6-v2", "--repeat", "1", "--db", str(db),
                *(f"-s{SPECS[name]}" for name in names))  # fmt: skip
        found = cli("report", "1", "--to", "csv", "--db", str(db))
    rows = {row["strategy"]: row for row in csv.DictReader(io.StringIO(found))}
    print("percent; ours / Chroma's code, true offsets and exact search / Chroma's code as it is")
    print(f"{'':20}{'chunks':>14}" + "".join(f"{measure:>22}" for measure in MEASURES))
    differences: dict[str, list[float]] = {"fixed": [], "recursive": []}
    for name in names:
        row, theirs = rows[SPECS[name]], expected[name]
        exact = theirs.get("true_offsets", theirs).get("exact_search_retrieve_5", {})
        cells = []
        for measure, ours in MEASURES.items():
            values = [
                float(row[ours]),
                _mean(exact, measure),
                _mean(theirs["retrieve_5"], measure),
            ]
            differences[name.split("_")[0]].append(abs(values[0] - values[1]))
            cells.append(" / ".join(f"{value * 100:.2f}" for value in values))
        chunks = f"{row['chunks']} / {theirs['n_chunks']}"
        print(f"{name:20}{chunks:>14}" + "".join(f"{cell:>22}" for cell in cells))
    for kind, values in differences.items():
        if values:
            print(f"{kind}: at most {max(values) * 100:.2f} points from the second figure")


def _mean(measures: dict[str, Any], name: str) -> float:
    return float(measures[name]["mean"])


def cli(*arguments: str) -> str:
    command = [sys.executable, "-c", "from chunkbench_tui.cli import main; main()", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


if __name__ == "__main__":
    main()
