"""`report`: a run's results for a person, a pull request or a program."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chunkbench_engine.errors import BadInput
from chunkbench_engine.judges.choice import PROXY, SUPPORT
from chunkbench_store.database import default_path, open_store
from chunkbench_store.live import live_run
from chunkbench_store.runs import run_of
from chunkbench_tui.commands.leaderboard import TIED, ranked, remark_lines, verdict_lines
from chunkbench_tui.console import say as tell
from chunkbench_tui.console import write
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from chunkbench_store.live import BoardRow, LiveRun
    from chunkbench_store.runs import RunRow

FORMATS = ("md", "csv", "json", "html")


def report(
    number: Annotated[int, typer.Argument(metavar="RUN", help="Number of the run.")],
    to: Annotated[str, typer.Option("--to", help="md, csv, json or html.")] = "md",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; standard output without.")
    ] = None,
    baseline: Annotated[
        str, typer.Option("--baseline", help="html: strategy that the leader is shown beside.")
    ] = "",
    db: Annotated[Path | None, typer.Option("--db", help="Database file.")] = None,
) -> None:
    """A run's results: for a pull request, a program, or as a page to hand on."""
    if to not in FORMATS:
        raise BadInput(f"--to {to} is none of {', '.join(FORMATS)}")
    if baseline and to != "html":
        raise BadInput("--baseline goes with --to html")
    with open_store(db or default_path(), create=False) as store:
        live, row = live_run(store, number), run_of(store, number)
        if live is None or row is None:
            raise BadInput(f"there is no run {number}: see chunkbench-tui runs")
        if to == "html":
            from chunkbench_tui.html.page import html_page

            text = html_page(store, live, row, baseline)
        else:
            text = {"md": _markdown, "csv": _csv, "json": _json}[to](live, row)
    if output is None:
        write(text)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {error.strerror}") from error
    tell(f"{output} is written.")


def _json(live: LiveRun, row: RunRow) -> str:
    """Everything: the run, its settings and manifest, every configuration with every measure."""
    from chunkbench_engine.measures.saying import say  # computes: see `leaderboard`
    from chunkbench_engine.measures.verdict import verdict_from

    board = [
        {
            **dataclasses.asdict(entry),
            "experiment": entry.experiment,
            "cold_seconds": entry.cold_seconds,
        }
        for entry in live.board
    ]
    content: dict[str, Any] = {
        "run": dataclasses.asdict(live.summary),
        "provisional": live.provisional,
        "settings": row.settings,
        "manifest": row.manifest,
        "stages": [dataclasses.asdict(stage) for stage in live.stages],
        "configurations": board,
        "verdicts": [
            {
                "experiment": entry.experiment,
                "model": entry.model,
                "retrieval": entry.retrieval,
                **entry.content,
                "said": say(verdict_from(entry.content)),
            }
            for entry in live.verdicts
        ],
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _csv(live: LiveRun, row: RunRow) -> str:  # noqa: ARG001 - the formats share a signature
    """A row a configuration; each measure a column, those with an interval three."""
    names = sorted({name for entry in live.board for name in entry.measures})
    with_interval = {
        name
        for entry in live.board
        for name, measured in entry.measures.items()
        if measured.low is not None
    }
    header = [
        "strategy",
        "family",
        "model",
        "retrieval",
        "state",
        "reason",
        "chunks",
        "cold_seconds",
        "own_seconds",
        "charged_seconds",
        "peak_bytes",
        "index_bytes",
        "embed_seconds",
        "same_chunks_as",
        "note",
        "selection",
        "p_leader",
        "tied",
    ]
    for name in names:
        header += [name, f"{name} low", f"{name} high"] if name in with_interval else [name]
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(header)
    for entry in live.board:
        cells: list[Any] = [
            entry.label,
            entry.family,
            entry.model,
            entry.retrieval,
            entry.state,
            entry.reason,
            entry.chunks,
            entry.cold_seconds,
            entry.own_seconds,
            entry.charged_seconds,
            entry.peak_bytes,
            entry.index_bytes,
            entry.embed_seconds,
            entry.same_as,
            entry.note,
            entry.selection,
            entry.p_leader,
            entry.tied,
        ]
        for name in names:
            measured = entry.measures.get(name)
            cells.append("" if measured is None else measured.value)
            if name in with_interval:
                cells += ["", ""] if measured is None else [measured.low, measured.high]
        writer.writerow(cells)
    return output.getvalue()


def _markdown(live: LiveRun, row: RunRow) -> str:
    """A table for each experiment, as a pull request shows it."""
    summary = live.summary
    k = summary.k
    lines = [
        f"# Run {summary.id}: {_cell(summary.corpus)}",
        "",
        f"{summary.documents} documents, {summary.questions} questions, top {k}, judge "
        f"{_cell(row.manifest['judge'])}, chunkers' own model {row.manifest['chunker_model']}."
        + (" The run is not finished: the measures are provisional." if live.provisional else ""),
    ]
    if summary.judge == SUPPORT:
        lines += ["", f"The hits are graded {PROXY}."]
    for experiment in live.experiments:
        lines += [
            "",
            f"## {_cell(experiment)}",
            "",
            f"| | strategy | nDCG@{k} | 95 % | Hit@{k} | MRR@{k} | P@1 | Recall@1 | ceiling | "
            f"tokens@{k} | chunks | cold s | peak MB | latency ms | index MB |",
            "|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        ]
        board = ranked(tuple(r for r in live.board if r.experiment == experiment), f"nDCG@{k}")
        lines += [_markdown_row(rank, entry, k) for rank, entry in enumerate(board, start=1)]
        said = [*verdict_lines(live, experiment), *remark_lines(board)]
        lines += ["", *(f"* {_cell(sentence)}" for sentence in said)] if said else []
    warnings = [event.text for event in live.events if event.level != "info"]
    if warnings:
        lines += ["", "## Warnings", "", *(f"* {_cell(text)}" for text in warnings)]
    return "\n".join(lines) + "\n"


def _markdown_row(rank: int, entry: BoardRow, k: int) -> str:
    main = entry.measures.get(f"nDCG@{k}")
    if main is None:
        why = f": {entry.reason}" if entry.reason else ""
        return f"| | {_cell(entry.label)} | {_cell(entry.state + why)} |" + " |" * 12

    def number(name: str, digits: int, scale: float = 1.0) -> str:
        value = entry.value(name)
        return "" if value is None else f"{value * scale:,.{digits}f}"

    interval = "" if main.low is None else f"{main.low:.3f} to {main.high:.3f}"
    cells = [
        f"{rank} {TIED}" if entry.tied else str(rank),
        _cell(entry.label),
        f"{main.value:.3f}",
        interval,
        number(f"Hit@{k}", 3),
        number(f"MRR@{k}", 3),
        number("P@1", 3),
        number("Recall@1", 3),
        number("Ceiling", 3),
        number(f"Tokens@{k}", 0),
        f"{entry.chunks:,}",
        f"{entry.cold_seconds:.3f}",
        f"{entry.peak_bytes / 1e6:.1f}",
        number("Latency-median", 2, 1000),
        f"{entry.index_bytes / 1e6:.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return shown(text).replace("|", "\\|").replace("<", "&lt;")
