"""The tables of examples.md: runs its two commands and prints what they found.

python docs/examples.py                        # with the default model and all-MiniLM-L6-v2
python docs/examples.py -m wordllama-256
"""

from __future__ import annotations

import argparse
import csv
import io
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
SIZES = "300|600|1200"
HEADINGS = [f"-s{name}(size={SIZES})" for name in ("F6C", "PPC", "HAC")]
SWEEP = ["-sRC(chunk_size=50|100|200|400|800, overlap=0, unit=tokens)"]

HEADING_COLUMNS = {
    "chunks": "{:.0f}",
    "Ceiling": "{:.1%}",
    "Recall@1": "{:.1%}",
    "Recall@3": "{:.1%}",
    "Recall@5": "{:.1%}",
    "Tokens@5": "{:.0f}",
}
SWEEP_COLUMNS = {
    "chunks": "{:.0f}",
    "Ceiling": "{:.1%}",
    "Recall@5": "{:.1%}",
    "P@5": "{:.1%}",
    "TokenPrecision@5": "{:.1%}",
    "Tokens@5": "{:.0f}",
    "nDCG@5": "{:.3f}",
}
BUDGET_COLUMNS = {
    "Recall@2000t": "{:.1%}",
    "Hit@2000t": "{:.1%}",
    "TokenPrecision@2000t": "{:.1%}",
    "nDCG@2000t": "{:.3f}",
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("-m", "--model", action="append")
    given = arguments.parse_args()
    models = [f"-m{name}" for name in given.model or ["wordllama-256", "all-MiniLM-L6-v2"]]
    with tempfile.TemporaryDirectory() as folder:
        db = ["--db", str(Path(folder) / "examples.db")]  # one, so that vectors are made once
        show("1", "sample_corpus/constitution", [*HEADINGS, *models], HEADING_COLUMNS, db)
        show("2", "sample_corpus", [*SWEEP, *models], SWEEP_COLUMNS, db)
        show("3", "sample_corpus", [*SWEEP, *models, "--budget", "2000"], BUDGET_COLUMNS, db)


def show(run: str, corpus: str, options: list[str], columns: dict[str, str], db: list[str]) -> None:
    """Run, and print a table for each model, in the order of the plan."""
    cli(["run", corpus, *options, *db])
    rows = list(csv.DictReader(io.StringIO(cli(["report", run, "--to", "csv", *db]))))
    for model in dict.fromkeys(row["model"] for row in rows):
        print(f"\n{corpus}, {model}\n\n| strategy | {' | '.join(columns)} |")
        print("|---|" + "--:|" * len(columns))
        for row in rows:
            if row["model"] == model:
                cells = [form.format(float(row[name])) for name, form in columns.items()]
                print(f"| {row['strategy']} | {' | '.join(cells)} |", flush=True)


def cli(arguments: list[str]) -> str:
    command = [sys.executable, "-c", "from chunkbench_tui.cli import main; main()", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


if __name__ == "__main__":
    main()
