"""`run` and `resume`: a run without the app. The engine is the same process either way."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from chunkbench_engine.errors import BadInput
from chunkbench_engine.language.address import (
    DEFAULT_JUDGE_MODEL,
    DEFAULT_LANGUAGE_MODEL,
    urls_from_environment,
)
from chunkbench_engine.run.launch import create_run, log_path, start_engine
from chunkbench_engine.run.settings import DEFAULT_K, DEFAULT_MODEL, RETRIEVALS, Settings
from chunkbench_store.analysis import is_analysed
from chunkbench_store.database import Store, default_path, open_store
from chunkbench_store.live import LiveRun, board_of, events_of, live_run, run_summary
from chunkbench_store.runs import ask, set_run_state
from chunkbench_tui.commands.diagnosis import diagnoses, print_diagnosis
from chunkbench_tui.commands.leaderboard import print_leaderboard
from chunkbench_tui.commands.options import (
    ChunkerModel,
    Db,
    Exclude,
    Include,
    LanguageModel,
    Models,
    Ollama,
    Run,
    Strategies,
)
from chunkbench_tui.commands.run_file import is_run_file, settings_of_file
from chunkbench_tui.console import command, console, error_console, say, say_error
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from collections.abc import Callable

POLL_SECONDS = 0.2
STARTING_SECONDS = 30.0
STOPPING_SECONDS = 30.0
ENDED = ("finished", "failed", "stopped")


def run(
    context: typer.Context,
    corpus: Annotated[
        Path,
        typer.Argument(
            metavar="CORPUS", help="Folder or file of documents, or a run file: bench.toml."
        ),
    ],
    questions: Annotated[
        list[Path] | None,
        typer.Option(
            "--questions",
            "-q",
            metavar="FILE",
            help="Question file, else those in the folder; may be repeated.",
        ),
    ] = None,
    strategy: Strategies = None,
    model: Models = None,
    chunker_model: ChunkerModel = "",
    retrieval: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WAY",
            help=f"{', '.join(RETRIEVALS[:-1])} or {RETRIEVALS[-1]}; may be repeated.",
        ),
    ] = None,
    reranker: Annotated[
        str,
        typer.Option(
            metavar="MODEL", help="Cross-encoder of rerank: a name on the hub, or a folder."
        ),
    ] = "",
    k: Annotated[
        int | None,
        typer.Option(
            "-k", metavar="N", min=1, max=100, help=f"Passages retrieved, else {DEFAULT_K}."
        ),
    ] = None,
    budget: Annotated[
        int,
        typer.Option(
            metavar="TOKENS", min=0, help="Context that ends a ranked list, instead of -k."
        ),
    ] = 0,
    repeat: Annotated[int, typer.Option(metavar="N", min=1, max=100, help="Timed passes.")] = 3,
    concurrency: Annotated[
        int, typer.Option(metavar="N", min=1, max=256, help="Queries at a time while timed.")
    ] = 1,
    cold: Annotated[
        bool, typer.Option("--cold", help="Also chunk with each strategy alone, sharing nothing.")
    ] = False,
    pool: Annotated[
        str,
        typer.Option(
            metavar="POOL", help="Ideal of nDCG: published, or distinct (a passage counts once)."
        ),
    ] = "published",
    qdrant: Annotated[str, typer.Option(metavar="URL", help="Qdrant server, else embedded.")] = "",
    ollama: Ollama = None,
    language_model: LanguageModel = DEFAULT_LANGUAGE_MODEL,
    judge: Annotated[
        str,
        typer.Option(
            metavar="JUDGE",
            help="evidence, ollama, panel or support; evidence where there is any, else support.",
        ),
    ] = "",
    judge_model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL",
            help=f"Ollama model that judges, else {DEFAULT_JUDGE_MODEL}; repeated for a panel.",
        ),
    ] = None,
    include: Include = None,
    exclude: Exclude = None,
    skip_bad_questions: Annotated[
        bool,
        typer.Option(
            "--skip-bad-questions", help="Leave out question rows that fail their checks."
        ),
    ] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Carry out the code that a run file names.")
    ] = False,
    detach: Annotated[bool, typer.Option("--detach", help="Start the run and leave.")] = False,
    db: Db = None,
) -> None:
    """Rank chunking strategies on a folder of documents."""
    if pool not in ("published", "distinct"):
        raise BadInput(f"--pool {pool} is neither published nor distinct")
    if k is not None and budget:
        raise BadInput("-k and --budget each end a ranked list: give one of them")
    if budget and pool == "distinct":
        raise BadInput("--pool is for -k: with --budget no text counts twice in the ideal anyway")
    settings = Settings(
        corpus=str(corpus),
        questions=tuple(map(str, questions or ())),
        strategies=tuple(strategy or ()),
        models=tuple(model or (DEFAULT_MODEL,)),
        chunker_model=chunker_model,
        retrieval=tuple(retrieval or ("dense",)),
        reranker=reranker,
        k=DEFAULT_K if k is None else k,
        budget=budget,
        repeat=repeat,
        concurrency=concurrency,
        cold=cold,
        skip_bad_questions=skip_bad_questions,
        qdrant=qdrant,
        ollama=tuple(ollama) if ollama else urls_from_environment(),
        language_model=language_model,
        judge=judge,
        judge_models=tuple(judge_model or ()),
        include=tuple(include or ()),
        exclude=tuple(exclude or ()),
    )
    if pool == "distinct":
        settings = replace(settings, pool="distinct")
    folder = None
    if is_run_file(corpus):
        settings = settings_of_file(corpus, settings, context, trust=trust)
        folder = corpus.absolute().parent
    elif trust:
        raise BadInput("--trust goes with a run file, as in run bench.toml --trust")
    path = db or default_path()
    number = asyncio.run(create_run(path, settings, folder))
    _say_plan(path, number)
    start_engine(path, number)
    if detach:
        say(f"Run {number} is under way. Watch it with {command('open', path)}.")
        return
    raise typer.Exit(watch(path, number))


def _say_plan(path: Path, number: int) -> None:
    """What was read, and what a language model will be asked, before it is."""
    with open_store(path) as store:
        told = [event.text for event in events_of(store, number) if event.level == "info"]
    for text in told:
        say_error(text)


def resume(
    number: Run,
    db: Db = None,
) -> None:
    """Go on with a run, or try again what failed in it."""
    path = db or default_path()
    with open_store(path, create=False) as store:
        summary = run_summary(store, number)
        if summary is None:
            raise BadInput(f"there is no run {number}: see chunkbench-tui runs")
        ended = summary.state in ("finished", "failed")
        todo = (ended and _try_again(store, number)) or not is_analysed(store, number)
        if summary.state == "finished" and not todo:
            see = command(f"report {number}", path)
            raise BadInput(f"run {number} is finished: see it with {see}")
        if summary.state == "paused":
            ask(store, number, "resume")
        elif summary.state != "running":
            with store.write():
                set_run_state(store, number, "pending")
    start_engine(path, number)
    raise typer.Exit(watch(path, number))


def _try_again(store: Store, run: int) -> bool:
    """Ask for what failed, or was not to be had, to be tried again; whether there is any."""
    board = board_of(store, run)
    again = {row.chunk_set for row in board if row.state in ("failed", "unavailable")}
    for chunk_set in sorted(again):
        ask(store, run, "retry", chunk_set)
    return bool(again)


def _show_result(store: Store, live: LiveRun) -> None:
    if live.summary.questions:
        print_leaderboard(live, store.path)
    else:
        print_diagnosis(store, live.summary.id, diagnoses(store, live.summary.id))


def watch(path: Path, run: int, show: Callable[[Store, LiveRun], None] = _show_result) -> int:
    """Show the run's progress until it ends, then its result; the exit status."""
    with open_store(path) as store:
        try:
            live = _follow(store, run)
        except KeyboardInterrupt:
            return _stop(store, run)
        if live.summary.state == "lost":
            say_error(
                f"The engine of run {run} has gone without a word; its log is "
                f"{log_path(path, run)}. Go on with {command(f'resume {run}', path)}."
            )
            return 1
        for event in live.events:
            if event.level != "info":
                say_error(event.text)
        if live.summary.state == "failed":
            say_error(f"Run {run} failed: {live.summary.reason}")
            return 1
        if live.summary.state == "stopped":
            say(f"Run {run} was stopped. Go on with {command(f'resume {run}', path)}.")
            return 1
        show(store, live)
        return 0


def _follow(store: Store, run: int) -> LiveRun:
    """Wait for the end of a run, with bars on a terminal and in silence elsewhere."""
    if not error_console.is_terminal:
        return _until_ended(store, run, lambda _: None)
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        TextColumn("{task.percentage:>3.0f} %", markup=False),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        console=error_console,
        transient=True,
    ) as progress:
        bars: dict[str, TaskID] = {}

        def show(live: LiveRun) -> None:
            for stage in live.stages:
                if stage.name not in bars:
                    bars[stage.name] = progress.add_task(f"{stage.name:<9}", total=1, note="")
                progress.update(bars[stage.name], completed=stage.fraction)
            if live.summary.best_ndcg is not None and live.stages:
                best = Text(f"best so far {shown(live.summary.best)} {live.summary.best_ndcg:.3f}")
                progress.update(bars[live.stages[-1].name], note=best.plain)

        return _until_ended(store, run, show)


def _until_ended(store: Store, run: int, show: Callable[[LiveRun], None]) -> LiveRun:
    started = time.monotonic()
    while True:
        live = live_run(store, run)
        if live is None:
            raise BadInput(f"run {run} is no longer in {store.path}")
        show(live)
        if live.summary.state in ENDED:
            return live
        # An engine that never came up, or was killed, writes nothing more.
        silent = live.summary.state in ("lost", "pending")
        if silent and time.monotonic() - started > STARTING_SECONDS:
            return replace(live, summary=replace(live.summary, state="lost"))
        time.sleep(POLL_SECONDS)


def _stop(store: Store, run: int) -> int:
    """Ctrl-C: ask the engine to stop, wait for it, and say how to go on."""
    ask(store, run, "stop")
    until = time.monotonic() + STOPPING_SECONDS
    while time.monotonic() < until:
        summary = run_summary(store, run)
        if summary is None or summary.state in (*ENDED, "lost"):
            break
        time.sleep(POLL_SECONDS)
    console.print()
    go_on = command(f"resume {run}", store.path)
    say(f"Run {run} is stopped; nothing is lost. Go on with {go_on}.")
    return 130
