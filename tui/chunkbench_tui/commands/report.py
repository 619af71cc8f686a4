"""`report`: a run's results for a person, a pull request or a program."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chunkbench_engine.counted import counted
from chunkbench_engine.errors import BadInput
from chunkbench_engine.judges.choice import PROXY, SUPPORT
from chunkbench_store.analysis import analysis_of
from chunkbench_store.database import default_path, open_store
from chunkbench_store.live import live_run
from chunkbench_store.runs import run_of
from chunkbench_tui.commands.by_category import (
    categories_of,
    category_lines,
    category_means_of,
    category_tables,
)
from chunkbench_tui.commands.diagnosis import diagnosis_markdown
from chunkbench_tui.commands.leaderboard import (
    TIED,
    listed_text,
    ranked,
    remark_lines,
    verdict_lines,
)
from chunkbench_tui.commands.next_steps import steps_of
from chunkbench_tui.commands.options import Db, Run
from chunkbench_tui.commands.report_analysis import (
    analysis_dict,
    correlation_lines,
    frontier_lines,
    robustness_lines,
)
from chunkbench_tui.commands.snippet import leader_snippets
from chunkbench_tui.console import say as tell
from chunkbench_tui.console import write
from chunkbench_tui.safe_text import shown, shown_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chunkbench_store.analysis import Analysis
    from chunkbench_store.categories import CategoryMean
    from chunkbench_store.live import BoardRow, LiveRun
    from chunkbench_store.runs import RunRow

FORMATS = ("md", "csv", "json", "html")


def report(
    number: Run,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="md, csv, json or html; else by the file's ending, or md.",
        ),
    ] = "",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="File to write, else printed."),
    ] = None,
    baseline: Annotated[
        str,
        typer.Option(
            "--baseline", metavar="SPEC", help="html: strategy that the leader is shown beside."
        ),
    ] = "",
    db: Db = None,
) -> None:
    """Write a run's results, as md, csv, json or html."""
    ending = output.suffix.lstrip(".").lower() if output else ""
    to = to or (ending if ending in FORMATS else FORMATS[0])
    if to not in FORMATS:
        raise BadInput(f"--to {to} is none of {', '.join(FORMATS)}")
    if baseline and to != "html":
        raise BadInput("--baseline goes with --to html")
    with open_store(db or default_path(), create=False) as store:
        live, row = live_run(store, number), run_of(store, number)
        if live is None or row is None:
            raise BadInput(f"there is no run {number}: see chunkbench-tui runs")
        questions = live.summary.questions
        if to == "html" and not questions:
            raise BadInput(f"run {number} has no questions: --to md says what ails its chunks")
        if to == "md" and not questions:
            text = diagnosis_markdown(store, live)
        elif to == "html":
            from chunkbench_tui.html.page import html_page

            text = html_page(store, live, row, baseline)
        else:
            analysis, means = analysis_of(store, number), category_means_of(store, row)
            steps = {name: steps_of(store, live, name) for name in live.experiments}
            written = {"md": _markdown, "csv": _csv, "json": _json}
            text = written[to](live, row, analysis, means, steps)
    if output is None:
        write(text)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {error.strerror}") from error
    tell(f"{output} is written.")


def _json(
    live: LiveRun,
    row: RunRow,
    analysis: Analysis,
    means: Sequence[CategoryMean],
    steps: Mapping[str, list[str]],
) -> str:
    """Everything: the run, its settings and manifest, every configuration with every measure."""
    from chunkbench_engine.measures.saying import say  # computes: see `leaderboard`
    from chunkbench_engine.measures.verdict import verdict_from

    board = [
        {
            **dataclasses.asdict(entry),
            "experiment": entry.experiment,
            "cold_seconds": entry.cold_seconds,
            "by_category": categories_of(entry.config, means),
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
                "next_steps": steps[entry.experiment],
                "snippets": [
                    {**dataclasses.asdict(snippet), "text": snippet.text()}
                    for snippet in leader_snippets(entry.content["leader"], row)[0]
                ],
            }
            for entry in live.verdicts
        ],
        "analysis": analysis_dict(live, analysis),
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _csv(
    live: LiveRun,
    row: RunRow,  # noqa: ARG001 - the formats share a signature
    analysis: Analysis,  # noqa: ARG001
    means: Sequence[CategoryMean],  # noqa: ARG001
    steps: Mapping[str, list[str]],  # noqa: ARG001
) -> str:
    """A row a configuration, in the order of the plan; each measure a column, those with an
    interval three. `docs/reports.md` explains the columns."""
    names = sorted({name for entry in live.board for name in entry.measures})
    with_interval = {
        name
        for entry in live.board
        for name, measured in entry.measures.items()
        if measured.low is not None
    }
    places = {
        entry.config: place
        for experiment in live.experiments
        for place, entry in enumerate(_measured(live, experiment), start=1)
    }
    header = [
        "rank",
        "strategy",
        "family",
        "model",
        "retrieval",
        "state",
        "reason",
        "chunks",
        "cold_seconds",
        "cold_run_seconds",
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
            places.get(entry.config, ""),
            entry.label,
            entry.family,
            entry.model,
            entry.retrieval,
            entry.state,
            entry.reason,
            entry.chunks,
            entry.cold_seconds,
            entry.cold_run_seconds,
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


def _measured(live: LiveRun, experiment: str) -> list[BoardRow]:
    """The rows of an experiment that have the main measure, the best first."""
    main = f"nDCG@{live.summary.cutoff}"
    rows = tuple(r for r in live.board if r.experiment == experiment and main in r.measures)
    return ranked(rows, main)


def _synthetic(row: RunRow) -> str:
    """How many of the questions a language model proposed; runs of old do not know."""
    count = row.manifest.get("synthetic_questions", 0)
    return f" ({count} of them proposed by a language model)" if count else ""


def _markdown(
    live: LiveRun,
    row: RunRow,
    analysis: Analysis,
    means: Sequence[CategoryMean],
    steps: Mapping[str, list[str]],
) -> str:
    """A table for each experiment, as a pull request shows it."""
    summary = live.summary
    cutoff = summary.cutoff
    first, recall = _first_and_recall(cutoff)
    cold_run = any(entry.cold_run_seconds is not None for entry in live.board)
    chunker_model = row.manifest["chunker_model"]
    lines = [
        f"# Run {summary.id}: {_cell(summary.corpus)}",
        "",
        f"{counted(summary.documents, 'document')}, "
        f"{counted(summary.questions, 'question')}{_synthetic(row)}, "
        f"{listed_text(summary)}, judge {_cell(row.manifest['judge'])}, "
        f"chunkers' own model {chunker_model}."
        + (" The run is not finished: the measures are provisional." if live.provisional else ""),
    ]
    if (at_a_time := row.manifest.get("latency", {}).get("concurrency", 1)) > 1:
        lines += ["", f"Latency is of {at_a_time} queries at a time."]
    if summary.judge == SUPPORT:
        lines += ["", f"The hits are graded {PROXY}."]
    for experiment in live.experiments:
        lines += [
            "",
            f"## {_cell(experiment)}",
            "",
            f"| | strategy | nDCG@{cutoff} | 95 % | Hit@{cutoff} | MRR@{cutoff} | {first} | "
            f"{recall} | ceiling | tokens@{cutoff} | chunks | cold s |"
            f"{' alone s |' if cold_run else ''}"
            " peak MB | latency ms | index MB |",
            "|--:|---|" + "--:|" * (14 if cold_run else 13),
        ]
        board = ranked(tuple(r for r in live.board if r.experiment == experiment), f"nDCG@{cutoff}")
        lines += [
            _markdown_row(rank, entry, cutoff, cold_run=cold_run)
            for rank, entry in enumerate(board, start=1)
        ]
        said = [*verdict_lines(live, experiment), *remark_lines(board)]
        lines += ["", *(f"* {_cell(sentence)}" for sentence in said)] if said else []
        if steps[experiment]:
            lines += ["", "### What to try next", ""]
            lines += [f"* {_cell(sentence)}" for sentence in steps[experiment]]
        if tables := category_tables(board, means, cutoff):
            lines += ["", "### By category of question", *category_lines(tables)]
        lines += frontier_lines(board, analysis, cutoff, _cell)
        lines += robustness_lines(board, cutoff, _cell)
    lines += correlation_lines(analysis, cutoff)
    for leader in dict.fromkeys(entry.content["leader"] for entry in live.verdicts):
        found, why_not = leader_snippets(leader, row)
        lines += ["", f"## {_cell(leader)} as code", *(["", why_not] if why_not else [])]
        for snippet in found:
            lines += ["", "```python", shown_lines(snippet.text()), "```"]
    warnings = [event.text for event in live.events if event.level != "info"]
    if warnings:
        lines += ["", "## Warnings", "", *(f"* {_cell(text)}" for text in warnings)]
    return "\n".join(lines) + "\n"


def _markdown_row(rank: int, entry: BoardRow, cutoff: str, *, cold_run: bool) -> str:
    main = entry.measures.get(f"nDCG@{cutoff}")
    if main is None:
        why = f": {entry.reason}" if entry.reason else ""
        return f"| | {_cell(entry.label)} | {_cell(entry.state + why)} |" + " |" * (
            13 if cold_run else 12
        )

    def number(name: str, digits: int, scale: float = 1.0) -> str:
        value = entry.value(name)
        return "" if value is None else f"{value * scale:,.{digits}f}"

    interval = "" if main.low is None else f"{main.low:.3f} to {main.high:.3f}"
    cells = [
        f"{rank} {TIED}" if entry.tied else str(rank),
        _cell(entry.label),
        f"{main.value:.3f}",
        interval,
        number(f"Hit@{cutoff}", 3),
        number(f"MRR@{cutoff}", 3),
        *(number(name, 3) for name in _first_and_recall(cutoff)),
        number("Ceiling", 3),
        number(f"Tokens@{cutoff}", 0),
        f"{entry.chunks:,}",
        f"{entry.cold_seconds:.3f}",
        *([_cold_run(entry)] if cold_run else []),
        f"{entry.peak_bytes / 1e6:.1f}",
        number("Latency-median", 2, 1000),
        f"{entry.index_bytes / 1e6:.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def _cold_run(entry: BoardRow) -> str:
    return "" if entry.cold_run_seconds is None else f"{entry.cold_run_seconds:.3f}"


def _first_and_recall(cutoff: str) -> tuple[str, str]:
    """Two measures more: ranks say little of lists that end with a budget."""
    if cutoff.isdigit():
        return "P@1", "Recall@1"
    return f"P@{cutoff}", f"Recall@{cutoff}"


def _cell(text: str) -> str:
    return shown(text).replace("|", "\\|").replace("<", "&lt;")
