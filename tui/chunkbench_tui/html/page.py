"""The page itself: content in, HTML out."""

from __future__ import annotations

import json
from importlib import metadata, resources
from typing import TYPE_CHECKING

import jinja2
from markupsafe import Markup

from chunkbench_engine.chunkers.snippets import LIBRARIES
from chunkbench_engine.counted import counted
from chunkbench_engine.judges.choice import PROXY, SUPPORT
from chunkbench_engine.measures.measure import parse_measure
from chunkbench_store.analysis import analysis_of
from chunkbench_tui.commands.leaderboard import TIED
from chunkbench_tui.html.content import experiments_of, measure_names
from chunkbench_tui.html.pictures import experiment_pictures, run_pictures
from chunkbench_tui.questions_text import GRADES
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from chunkbench_store.database import Store
    from chunkbench_store.live import LiveRun
    from chunkbench_store.runs import RunRow


def html_page(store: Store, live: LiveRun, row: RunRow, baseline: str = "") -> str:
    """A run's results as one page: no script, style, font or picture is fetched from anywhere.

    Args:
        baseline: label of the strategy that each leader is shown beside.

    Raises:
        BadInput: the run has no strategy `baseline`.
    """
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Whatever is written comes through here: control characters are shown, then HTML escaped.
        finalize=lambda value: shown(value) if type(value) is str else value,
    )
    environment.filters["measure"] = lambda value, name: parse_measure(name).format(value)
    template = environment.from_string(_part("page.html.j2"))
    analysis = analysis_of(store, live.summary.id)
    return template.render(
        run=live.summary,
        events=[event.text for event in live.events if event.level != "info"],
        synthetic=row.manifest.get("synthetic_questions", 0),
        provisional=live.provisional,
        judge=row.manifest["judge"],
        proxy=PROXY if live.summary.judge == SUPPORT else "",
        experiments=experiments_of(store, live, row, baseline),
        measure_names=measure_names,
        pictures={name: experiment_pictures(live, analysis, name) for name in live.experiments},
        run_pictures=run_pictures(live, analysis),
        libraries=LIBRARIES,
        grades=GRADES,
        counted=counted,
        tied=TIED,
        # Ranks say little of lists that end with a budget.
        first=f"Recall@{live.summary.cutoff}" if live.summary.budget else "P@1",
        manifest=json.dumps(row.manifest, indent=2, ensure_ascii=False).splitlines(),
        settings=json.dumps(row.settings, indent=2, ensure_ascii=False).splitlines(),
        version=metadata.version("chunkbench-tui"),
        style=Markup(_part("page.css")),  # noqa: S704 - our own file
        script=Markup(_part("page.js")),  # noqa: S704 - our own file
    )


def _part(name: str) -> str:
    return (resources.files("chunkbench_tui.html") / name).read_text(encoding="utf-8")
