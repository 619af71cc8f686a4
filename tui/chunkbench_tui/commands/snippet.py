"""`snippet`: a strategy, or the best of a run, as code to paste."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkbench_engine.errors import BadInput
from chunkbench_store.database import default_path, open_store
from chunkbench_store.live import verdicts_of
from chunkbench_store.runs import run_of
from chunkbench_tui.commands.options import Db
from chunkbench_tui.console import say_error, write
from chunkbench_tui.safe_text import shown_lines

if TYPE_CHECKING:
    from chunkbench_engine.chunkers.snippets import Snippet
    from chunkbench_store.runs import RunRow


def snippet(
    named: Annotated[
        str, typer.Argument(metavar="SPEC|RUN", help="Strategy, or number of a run: its best.")
    ],
    library: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="LIBRARY",
            help="chunkbench, langchain, llamaindex or chonkie, else all.",
        ),
    ] = "",
    db: Db = None,
) -> None:
    """Print a strategy as code to paste."""
    from chunkbench_engine.chunkers.snippets import snippet_for, snippets
    from chunkbench_engine.chunkers.spec import parse_spec
    from chunkbench_engine.run.settings import DEFAULT_MODEL

    model = DEFAULT_MODEL
    spec = named
    if named.isascii() and named.isdigit():
        spec, model = _best_of(db or default_path(), int(named))
    configured = parse_spec(spec)
    found = [snippet_for(library, configured, model)] if library else snippets(configured, model)
    write("\n\n".join(shown_lines(entry.text()) + "\n" for entry in found))
    if any(not entry.exact for entry in found):
        say_error("What gives other chunks was not measured with these: run it beside them.")


def leader_snippets(leader: str, run: RunRow) -> tuple[list[Snippet], str]:
    """The code of a run's leader; and why there is none, "" if there is."""
    from chunkbench_engine.chunkers.snippets import snippets
    from chunkbench_engine.chunkers.spec import parse_spec

    try:
        return snippets(parse_spec(leader), run.settings["chunker_model"]), ""
    except BadInput as error:  # a plug-in that is no longer installed
        return [], f"It cannot be shown as code here: {error}"


def _best_of(db: Path, run: int) -> tuple[str, str]:
    """The leader of a run's first verdict, and the chunkers' own model."""
    with open_store(db, create=False) as store:
        row = run_of(store, run)
        verdicts = verdicts_of(store, run)
    if row is None:
        raise BadInput(f"there is no run {run}: see chunkbench-tui runs")
    if not verdicts:
        raise BadInput(f"run {run} has no verdict yet: name a strategy")
    leader = verdicts[0].content["leader"]
    how = "wins" if verdicts[0].content["named"] else "leads, and is no winner"
    say_error(f"Run {run}, {verdicts[0].experiment}: {leader} {how}.")
    return leader, row.settings["chunker_model"]
