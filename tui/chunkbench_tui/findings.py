"""What ails a strategy's chunks, as the app shows it: counts, and a list of findings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from textual.content import Content

from chunkbench_engine.diagnose.kinds import KINDS, ails_at_end, said, share
from chunkbench_tui.board import MAIN, Column, state_text
from chunkbench_tui.panels import heading
from chunkbench_tui.safe_text import shown
from chunkbench_tui.widgets.column_layout import Heading
from chunkbench_tui.widgets.line import Line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chunkbench_store.diagnosis import PlacedFinding
    from chunkbench_store.live import BoardRow

NO_QUESTIONS = "build questions (8) to rank them"
"""What a run without questions cannot say."""

_IN_CUTS = ("cut_sentences", "cut_tables", "cut_fences", "stranded_headings", "beyond_window")
"""Kinds that the panel of cuts counts."""
_PLACE = 24
_FEW = 3
_NAMES = {"cut_fences": "cut code", "uncovered": "in no chunk"}
"""Short names, where that of the kind will not do."""


def name_of(kind: str) -> str:
    return _NAMES.get(kind, kind.replace("_", " "))


def diagnosis_panel(counts: Mapping[str, float]) -> Content:
    """How many chunks of each kind there are; what the cuts panel says is left out."""
    if not counts:
        return Content()
    parts = [heading("Findings")]
    for name in KINDS:
        if name in _IN_CUTS:
            continue
        if name not in counts:
            text = "too few chunks to say" if "compared" in counts else "needs vectors"
        else:
            text = f"{counts[name]:,.0f}"
            if counts[name]:
                text += f", {share(name, counts) or 0:.1%}"
        parts.append(Content(f"{name_of(name):<21}{text}"))
    if "hub_skewness" in counts:
        parts.append(Content(f"{'hub skewness':<21}{counts['hub_skewness']:.2f}"))
    if counts.get("compared", 0) < counts.get("distinct", 0):
        parts.append(Content(f"of a random {counts['compared']:,.0f} of them"))
    return Content("\n").join(parts)


def finding_headings() -> list[Heading]:
    return [
        Heading("kind", "finding", 17),
        Heading("excerpt", "text", 14, wanted=60, weight=1),
        Heading("place", "place", _PLACE, weight=2),
        Heading("says", "what", 10, wanted=60, weight=3),
    ]


def finding_lines(findings: Sequence[PlacedFinding]) -> list[Line]:
    """A line a finding; its key is its place in the list."""
    lines = []
    for place, finding in enumerate(findings):
        text = finding.beginning
        if ails_at_end(finding.kind, finding.value):
            text = f"…{finding.ending.lstrip('…')[-22:]}"
        says = said(finding.kind, finding.value)
        if finding.other:
            says += f", also {finding.other}"
        where = finding.place
        if len(where) > _PLACE:
            where = f"…{where[1 - _PLACE :]}"  # its end has the line
        cells = (name_of(finding.kind), shown(text), shown(where), shown(says))
        lines.append(Line(place, cells))
    return lines


def in_order(findings: Sequence[PlacedFinding]) -> tuple[PlacedFinding, ...]:
    """The worst few of every kind, the kinds that matter most first; then the next few.

    Args:
        findings: of each kind the worst first.
    """
    order, seen = list(KINDS), Counter[str]()

    def rank(finding: PlacedFinding) -> tuple[int, int]:
        seen[finding.kind] += 1
        return (seen[finding.kind] - 1) // _FEW, order.index(finding.kind)

    return tuple(sorted(findings, key=rank))


def diagnosis_columns(rows: Sequence[BoardRow]) -> tuple[Column, ...]:
    """The columns of the board for a run without questions: shares of chunks, in per cent."""
    several = len({row.experiment for row in rows}) > 1
    label = min(max((len(shown(row.label)) for row in rows), default=8), 18)
    found = [
        Column(
            "strategy",
            "strategy",
            max(label, 8),
            "first",
            lambda row: row.label.casefold(),
            lambda row: shown(row.label),
        )
    ]
    if several:
        found.append(
            Column("model", "model", 14, "first", lambda r: r.experiment, lambda r: r.experiment)
        )
    found.append(_share_column(MAIN, "cut_sentences", 0))
    weights = {"stranded_headings": 4, "fragments": 3, "orphans": 2, "duplicates": 5, "hubs": 6}
    kinds = (name for name in KINDS if name != "cut_sentences")
    found += [_share_column(name, name, weights.get(name, 8)) for name in kinds]
    found += [
        Column(
            "chunks",
            "chunks",
            7,
            "lower",
            lambda row: row.chunks or None,
            lambda row: f"{row.chunks:,}" if row.chunks else "",
            1,
        ),
        Column(
            "cold",
            "cold s",
            6,
            "lower",
            lambda row: row.cold_seconds or None,
            lambda row: f"{row.cold_seconds:.2f}" if row.chunks else "",
            3,
        ),
        Column("state", "state", 14, "first", lambda r: state_text(r) or None, state_text, 7),
    ]
    return tuple(found)


def _share_column(key: str, kind: str, weight: int) -> Column:
    title = f"{KINDS[kind].short} %"

    def text(row: BoardRow) -> str:
        value = share(kind, row.diagnosis)
        return "" if value is None else f"{value * 100:.1f}"

    return Column(
        key, title, max(len(title), 6), "lower", lambda r: share(kind, r.diagnosis), text, weight
    )
