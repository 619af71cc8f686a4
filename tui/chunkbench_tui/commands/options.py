"""Options and arguments that several commands have: one name and one sentence for each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

CorpusPath = Annotated[Path, typer.Argument(metavar="CORPUS", help="Folder or file of documents.")]
Run = Annotated[int, typer.Argument(metavar="RUN", help="Number of the run.")]
Strategies = Annotated[
    list[str] | None,
    typer.Option(
        "--strategy",
        "-s",
        metavar="SPEC",
        help="Strategy or sweep, else the paper's 34; may be repeated.",
    ),
]
Db = Annotated[Path | None, typer.Option("--db", metavar="FILE", help="Database file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model", "-m", metavar="MODEL", help="Embedding model for retrieval; may be repeated."
    ),
]
ChunkerModel = Annotated[
    str, typer.Option(metavar="MODEL", help="Embedding model inside semantic strategies.")
]
LanguageModel = Annotated[
    str, typer.Option(metavar="MODEL", help="Ollama model that LBDC, LSTC and CTX ask.")
]
Ollama = Annotated[
    list[str] | None,
    typer.Option(metavar="URL", help="Ollama server, else OLLAMA_HOST, or local; may be repeated."),
]
Include = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATTERN", help="Read only files that match, as '*.pdf'; may be repeated."
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATTERN", help="Leave out files that match, as 'drafts/'; may be repeated."
    ),
]
