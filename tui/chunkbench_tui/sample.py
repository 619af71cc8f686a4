"""The sample corpus that comes with the program."""

from __future__ import annotations

from pathlib import Path


def sample_corpus_path() -> Path | None:
    """The folder of the sample corpus: installed with the package, or in the checkout."""
    here = Path(__file__).resolve().parent
    for folder in (here / "sample_corpus", here.parents[1] / "sample_corpus"):
        if folder.is_dir():
            return folder
    return None
