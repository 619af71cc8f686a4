"""A diagnosis on a terminal, in Markdown and as JSON."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from chunkbench_engine.counted import counted
from chunkbench_engine.diagnose.kinds import KINDS, ails_at_end, said, share
from chunkbench_store.diagnosis import MOST_OF_A_KIND, findings_of
from chunkbench_store.live import live_run
from chunkbench_tui.console import command, console, say
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chunkbench_store.database import Store
    from chunkbench_store.diagnosis import PlacedFinding
    from chunkbench_store.live import BoardRow, LiveRun

WORST = 3
"""Findings of a kind that are shown of a strategy, unless all are asked for."""
_MANY = 4
"""Of so many strategies or more, only the worst finding of a kind is shown."""

NEEDS_QUESTIONS = (
    "Which strategy retrieves best, only questions can tell. Build some in the app with 8 (gold), "
    "or with chunkbench-tui questions suggest or find."
)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One configuration: its counts, with what it costs among them.

    Attributes:
        name: the strategy's label, with the model where there are several.
        counts: empty where it has no result.
    """

    name: str
    row: BoardRow
    counts: dict[str, float]


def diagnoses(store: Store, run: int) -> list[Diagnosis]:
    """The configurations of a run, in the order of its plan."""
    live = live_run(store, run)
    if live is None:
        return []
    several = len(live.experiments) > 1
    found = []
    for row in live.board:
        costs = {
            "cold_seconds": row.cold_seconds,
            "embed_seconds": row.embed_seconds,
            "index_bytes": float(row.index_bytes),
        }
        found.append(
            Diagnosis(
                f"{row.label} ({row.experiment})" if several else row.label,
                row,
                {**row.diagnosis, **costs} if row.diagnosis else {},
            )
        )
    return found


def print_diagnosis(
    store: Store, run: int, found: Sequence[Diagnosis], *, everything: bool = False
) -> None:
    """The strategies side by side, then the findings of each; what matters most comes first."""
    known = [entry for entry in found if entry.counts]
    table = _by_columns(known)
    console.print(table if _fits(table) else _by_rows(known))
    for entry in found:
        if not entry.counts:
            say(f"{entry.name}: {entry.row.state}, {entry.row.reason}")
    for sentence in remarks(found):
        say(sentence)
    most = MOST_OF_A_KIND if everything else WORST if len(known) < _MANY else 1
    told: set[str] = set()
    for entry in known:
        _print_findings(findings_of(store, entry.row.config, most), entry, told)
    say("")
    say(NEEDS_QUESTIONS)
    say(f"Run {run}: {command('open', store.path)} shows each finding in its document.")


def _fits(table: Table) -> bool:
    return console.measure(table, options=console.options.update(width=10_000)).maximum <= (
        console.width
    )


def remarks(found: Sequence[Diagnosis]) -> list[str]:
    """What a reader of the counts should know."""
    said_of = []
    if any("compared" in entry.counts and "hubs" not in entry.counts for entry in found):
        said_of.append("Too few chunks to say who is a hub or an orphan are marked with –.")
    said_of += [
        f"{entry.name}: neighbours are those among a random {entry.counts['compared']:,.0f} of its "
        f"{entry.counts['distinct']:,.0f} distinct chunks."
        for entry in found
        if entry.counts.get("compared", 0) < entry.counts.get("distinct", 0)
    ]
    return said_of


def _empty_table() -> Table:
    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))


_COSTS: tuple[tuple[str, str, Callable[[dict[str, float]], str]], ...] = (
    ("chunks", "chunks", lambda counts: f"{counts['chunks']:,.0f}"),
    ("tokens embedded", "tokens", lambda counts: f"{counts['tokens']:,.0f}"),
    ("cold chunking, seconds", "cold s", lambda counts: f"{counts['cold_seconds']:.2f}"),
    ("embedding, seconds", "embed s", lambda counts: f"{counts['embed_seconds']:.2f}"),
    ("index, MB", "index MB", lambda counts: f"{counts['index_bytes'] / 1e6:.1f}"),
)


def _by_columns(known: Sequence[Diagnosis]) -> Table:
    """A column a strategy."""
    table = _empty_table()
    table.add_column("")
    for entry in known:
        table.add_column(Text(shown(entry.name)), justify="right", no_wrap=True)
    for title, _, cell in _COSTS:
        table.add_row(title, *(cell(entry.counts) for entry in known))
    for name in _kinds_found(known):
        cells = (count_text(name, entry.counts) for entry in known)
        table.add_row(Text(KINDS[name].title), *cells)
    table.add_row("skewness of the k-occurrences", *(_skewness(entry) for entry in known))
    return table


def _by_rows(known: Sequence[Diagnosis]) -> Table:
    """A row a strategy, with shares in per cent only."""
    table = _empty_table()
    table.add_column("strategy", overflow="ellipsis", no_wrap=True, min_width=8)
    for _, short, _ in _COSTS[:3]:
        table.add_column(short, justify="right")
    kinds = _kinds_found(known)
    for name in kinds:
        table.add_column(f"{KINDS[name].short} %", justify="right")
    table.add_column("skewness", justify="right")
    for entry in known:
        shares = (share(name, entry.counts) for name in kinds)
        table.add_row(
            Text(shown(entry.name)),
            *(cell(entry.counts) for _, _, cell in _COSTS[:3]),
            *("–" if part is None else f"{part * 100:.1f}" if part else "0" for part in shares),
            _skewness(entry),
        )
    return table


def _kinds_found(known: Sequence[Diagnosis]) -> list[str]:
    return [name for name in KINDS if any(entry.counts.get(name) for entry in known)]


def _skewness(entry: Diagnosis) -> str:
    return f"{entry.counts['hub_skewness']:.2f}" if "hub_skewness" in entry.counts else "–"


def count_text(name: str, counts: dict[str, float]) -> str:
    """A count with its share: `58, 7.5 %`; – where it is not known."""
    part = share(name, counts)
    if part is None:
        return "–"
    return f"{counts[name]:,.0f}, {part * 100:.1f} %" if counts[name] else "0"


def _print_findings(findings: Sequence[PlacedFinding], entry: Diagnosis, told: set[str]) -> None:
    """The findings of a strategy by kind; the remedy stands with the first of its kind."""
    if not findings:
        return
    say("")
    console.print(Text(shown(entry.name), "bold"))
    for name, kind in KINDS.items():
        of_kind = [finding for finding in findings if finding.kind == name]
        if not of_kind:
            continue
        remedy = "" if name in told else f" {kind.remedy}"
        told.add(name)
        say(f"  {kind.title}: {count_text(name, entry.counts)}.{remedy}")
        for finding in of_kind:
            say(f"    {finding_text(finding)}")


def finding_text(finding: PlacedFinding) -> str:
    """A finding on one line: its place, chunk, offsets, what its value means, some of its text."""
    parts = [finding.place, f"[{finding.start}, {finding.end})"]
    if finding.chunk is not None:
        parts.insert(1, f"chunk {finding.chunk}")
    if meaning := said(finding.kind, finding.value):
        parts.append(meaning)
    if finding.other:
        parts.append(f"also {finding.other}")
    return f"{'  '.join(parts)}  “{excerpt(finding)}”"


def excerpt(finding: PlacedFinding) -> str:
    """The end of a finding's text where that is what ails, else its beginning."""
    return finding.ending if ails_at_end(finding.kind, finding.value) else finding.beginning


def diagnosis_json(store: Store, live: LiveRun, found: Sequence[Diagnosis]) -> dict[str, Any]:
    """All of a diagnosis: the fields are described in `docs/diagnose.md`."""
    return {
        "run": live.summary.id,
        "corpus": live.summary.corpus,
        "documents": live.summary.documents,
        "k": live.summary.k,
        "strategies": [
            {
                "strategy": entry.row.label,
                "model": entry.row.model,
                "state": entry.row.state,
                "reason": entry.row.reason,
                "counts": {n: v for n, v in entry.counts.items() if n not in KINDS},
                "kinds": {
                    name: {
                        "count": entry.counts[name],
                        "share": share(name, entry.counts),
                        "of": kind.base,
                        "says": kind.title,
                        "remedy": kind.remedy,
                    }
                    for name, kind in KINDS.items()
                    if name in entry.counts
                },
                "findings": [
                    {
                        **{
                            key: value
                            for key, value in dataclasses.asdict(finding).items()
                            if key not in ("document", "name", "beginning", "ending")
                        },
                        "document": finding.name,
                        "excerpt": excerpt(finding),
                    }
                    for finding in findings_of(store, entry.row.config)
                ],
            }
            for entry in found
        ],
        "remarks": remarks(found),
    }


def diagnosis_markdown(store: Store, live: LiveRun) -> str:
    """The strategies in a table, then the worst finding of each kind, as a pull request has it."""
    found = diagnoses(store, live.summary.id)
    known = [entry for entry in found if entry.counts]
    kinds = _kinds_found(known)
    heads = ["strategy", *(title for title, _, _ in _COSTS), *(KINDS[n].title for n in kinds)]
    lines = [
        f"# Run {live.summary.id}: {cell(live.summary.corpus)}",
        "",
        f"{counted(live.summary.documents, 'document')}, no questions. {NEEDS_QUESTIONS}",
        "",
        f"| {' | '.join(heads)} |",
        f"|---|{'--:|' * (len(heads) - 1)}",
    ]
    for entry in known:
        cells = [
            cell(entry.name),
            *(text(entry.counts) for _, _, text in _COSTS),
            *(count_text(name, entry.counts) for name in kinds),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    lines += [
        f"* {cell(entry.name)}: {entry.row.state}, {cell(entry.row.reason)}"
        for entry in found
        if not entry.counts
    ]
    for entry in known:
        lines += ["", f"## {cell(entry.name)}", ""]
        for finding in findings_of(store, entry.row.config, 1):
            kind = KINDS[finding.kind]
            lines.append(f"* {kind.title}. {cell(finding_text(finding))} {kind.remedy}")
    return "\n".join(lines) + "\n"


def cell(text: str) -> str:
    """Text that is safe in a cell, or a list, of Markdown."""
    return shown(text).replace("|", "\\|").replace("<", "&lt;")
