"""`diagnose`: what can be said of chunks without any question."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated

import typer

from chunkbench_engine.diagnose.gate import failure, parse_bound
from chunkbench_engine.language.address import DEFAULT_LANGUAGE_MODEL, urls_from_environment
from chunkbench_engine.run.launch import create_run, start_engine
from chunkbench_engine.run.settings import DEFAULT_K, DEFAULT_MODEL, Settings
from chunkbench_store.database import default_path
from chunkbench_tui.commands.diagnosis import diagnoses, diagnosis_json, print_diagnosis
from chunkbench_tui.commands.options import (
    AsJson,
    ChunkerModel,
    CorpusPath,
    Db,
    Exclude,
    Include,
    LanguageModel,
    Models,
    Ollama,
    Strategies,
)
from chunkbench_tui.commands.run import watch
from chunkbench_tui.console import say_error, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_engine.condition import Condition
    from chunkbench_store.database import Store
    from chunkbench_store.live import LiveRun
    from chunkbench_tui.commands.diagnosis import Diagnosis


def diagnose(
    corpus: CorpusPath,
    strategy: Strategies = None,
    model: Models = None,
    chunker_model: ChunkerModel = "",
    k: Annotated[
        int, typer.Option("-k", metavar="N", min=1, max=100, help="Neighbours of a chunk.")
    ] = DEFAULT_K,
    ollama: Ollama = None,
    language_model: LanguageModel = DEFAULT_LANGUAGE_MODEL,
    include: Include = None,
    exclude: Exclude = None,
    fail_if: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION",
            help="Exit with status 1 if it holds, as 'orphans > 5%'; may be repeated.",
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every finding that is kept, not only the worst.")
    ] = False,
    as_json: AsJson = False,
    db: Db = None,
) -> None:
    """Say what ails the chunks, without any question."""
    conditions = [parse_bound(written) for written in fail_if or ()]
    settings = Settings(
        corpus=str(corpus),
        strategies=tuple(strategy or ()),
        models=tuple(model or (DEFAULT_MODEL,)),
        chunker_model=chunker_model,
        k=k,
        ollama=tuple(ollama) if ollama else urls_from_environment(),
        language_model=language_model,
        include=tuple(include or ()),
        exclude=tuple(exclude or ()),
        diagnose=True,
    )
    path = db or default_path()
    number = asyncio.run(create_run(path, settings))
    start_engine(path, number)
    found: list[Diagnosis] = []

    def show(store: Store, live: LiveRun) -> None:
        found.extend(diagnoses(store, number))
        if as_json:
            content = diagnosis_json(store, live, found)
            write(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
        else:
            print_diagnosis(store, number, found, everything=everything)

    if status := watch(path, number, show):
        raise typer.Exit(status)
    failures = failed(found, conditions)
    for sentence in failures:
        say_error(sentence)
    if failures:
        raise typer.Exit(1)


def failed(found: Sequence[Diagnosis], conditions: Sequence[Condition]) -> list[str]:
    """A sentence for each strategy and condition that holds, or cannot be told."""
    return [
        f"{entry.name}: {sentence}"
        for condition in conditions
        for entry in found
        if (sentence := failure(condition, entry.counts))
    ]
