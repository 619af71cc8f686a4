"""`strategies`, `models` and `runs`: what there is to choose from, and what was run."""

from __future__ import annotations

import dataclasses
import json

from rich.table import Table
from rich.text import Text

from chunkbench_engine.chunkers.entry import Entry
from chunkbench_store.database import default_path, open_store
from chunkbench_tui.commands.options import AsJson, Db
from chunkbench_tui.console import console, say, write
from chunkbench_tui.safe_text import shown


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column)
    return table


def strategies(as_json: AsJson = False) -> None:
    """List every strategy with its parameters."""
    from chunkbench_engine.chunkers.adapters import ADAPTERS
    from chunkbench_engine.chunkers.plug_ins import plug_ins
    from chunkbench_engine.chunkers.registry import REGISTRY

    offered = plug_ins(REGISTRY)

    if as_json:
        rows = [
            {
                "abbreviation": entry.abbr,
                "name": entry.name,
                "family": entry.family,
                "parameters": entry.defaults,
                "summary": entry.summary,
                "source": entry.source,
                "needs": _needs(entry),
            }
            for entry in REGISTRY.values()
        ]
        rows += [
            {
                "abbreviation": plug_in.name,
                "name": plug_in.target,
                "family": "foreign",
                "parameters": {},
                "summary": "",
                "source": plug_in.package,
                "needs": "",
            }
            for plug_in in offered
        ]
        write(json.dumps(rows, indent=2) + "\n")
        return
    table = _table("", "NAME", "DEFAULT PARAMETERS", "FAMILY", "NEEDS")
    for entry in REGISTRY.values():
        parameters = ", ".join(f"{name}={value}" for name, value in entry.defaults.items())
        parameters = "another strategy" if entry.wraps else parameters or "-"
        table.add_row(entry.abbr, entry.name, parameters, entry.family, _needs(entry) or "-")
    for plug_in in offered:
        source = f"{plug_in.target}, from {plug_in.package}"
        table.add_row(Text(shown(plug_in.name)), Text(shown(source)), "its own", "foreign", "-")
    console.print(table)
    say("")
    say("Write a strategy as RC(chunk_size=400), one after another as PGC >> FC(token_size=200),")
    say("a sweep as RC(chunk_size=200..800:200, overlap=0|50), with context as CTX(RC).")
    adapted = ", ".join(f"{name}:" for name in ADAPTERS)
    say("Your own: module:function, from text to a list of strings or of (start, end) pairs.")
    say(f"Other libraries' by their class, after {adapted}.")


def _needs(entry: Entry) -> str:
    """What must be there besides the program, in short."""
    if entry.needs_language_model:
        return "a language model (Ollama)"
    return "an embedding model" if entry.needs_vectors else ""


def models(as_json: AsJson = False) -> None:
    """List the embedding models that can be loaded here."""
    from chunkbench_engine.embedders.registry import models as known

    rows = known()
    if as_json:
        write(json.dumps([dataclasses.asdict(row) for row in rows], indent=2) + "\n")
        return
    table = _table("NAME", "KIND", "DIM", "WINDOW", "LICENCE", "STATE")
    for row in rows:
        window = "none" if row.window is None else str(row.window)
        table.add_row(row.name, row.kind, str(row.dimensions), window, row.licence, row.state)
    console.print(table)
    for row in rows:
        if row.remedy:
            say(f"{row.name}: {row.remedy}")
    say("Any other sentence-transformers or model2vec model: its name on the hub, or its folder.")


def runs(
    as_json: AsJson = False,
    db: Db = None,
) -> None:
    """List the runs, newest first."""
    from chunkbench_store.live import runs as stored

    path = db or default_path()
    rows = []
    if path.exists():
        with open_store(path) as store:
            rows = stored(store)
    if as_json:
        write(json.dumps([dataclasses.asdict(row) for row in rows], indent=2) + "\n")
        return
    if not rows:
        say("No run yet. Start one with chunkbench-tui run CORPUS.")
        return
    table = _table("RUN", "STATE", "CORPUS", "QUESTIONS", "STRATEGIES", "DONE", "BEST", "STARTED")
    for row in rows:
        so_far = "" if row.state == "finished" else " so far"
        best = "-" if row.best_ndcg is None else f"{row.best} {row.best_ndcg:.3f}{so_far}"
        table.add_row(
            str(row.id),
            row.state,
            Text(shown(row.corpus)),
            str(row.questions),
            str(row.strategies),
            f"{row.progress:.0%}",
            Text(shown(best)),
            row.created_at[:16].replace("T", " "),
        )
    console.print(table)
