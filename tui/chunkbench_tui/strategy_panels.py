"""What the strategy screen says of one configuration, as styled text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from chunkbench_engine.errors import BadInput
from chunkbench_engine.measures.measure import parse_measure
from chunkbench_tui.board import interval_text, state_text
from chunkbench_tui.panels import heading
from chunkbench_tui.quantities import bar, duration_text, megabytes_text
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from chunkbench_store.live import BoardRow
    from chunkbench_store.strategies import CutCounts, Histogram, StrategyDetail

_COSTS: dict[str, tuple[str, float, str]] = {
    "Latency-median": ("query time, median", 1000, "{:.2f} ms"),
    "Latency-p90": ("query time, 90 % below", 1000, "{:.2f} ms"),
    "Latency-p95": ("query time, 95 % below", 1000, "{:.2f} ms"),
    "Latency-p99": ("query time, 99 % below", 1000, "{:.2f} ms"),
    "Search-median": ("search alone, median", 1000, "{:.2f} ms"),
    "Search-p95": ("search alone, 95 % below", 1000, "{:.2f} ms"),
}
"""Measures of cost: what they are called, factor, format."""
_SHAPE = (
    "ChunkTokens-mean",
    "ChunkTokens-median",
    "ChunkTokens-min",
    "ChunkTokens-max",
    "OverWindow",
    "BeginInside",
    "EndInside",
    "TablesCut",
    "FencesCut",
    "HeadingsLeft",
)
"""Measures that are shown as the histogram and the counts of cuts."""
_FIRST = ("nDCG@", "Hit@", "MRR@", "P@1", "Recall@", "Ceiling")
_MUTED = "$foreground-muted"
_EIGHTHS = " ▁▂▃▄▅▆▇█"


def measures_panel(row: BoardRow) -> Content:
    """Every measure of how well it retrieves, with its 95 % interval."""
    parts = [heading("Measures") + Content.styled("  95 % intervals", _MUTED)]
    names = [name for name in row.measures if name not in _COSTS and name not in _SHAPE]
    for name in sorted(names, key=_measure_order):
        value = _with_unit(name, row.measures[name].value)
        parts.append(Content(f"{shown(name):<17}{value:>8}  {interval_text(name, row)}".rstrip()))
    if not names:
        parts.append(Content.styled("none yet: no hit of it is judged", _MUTED))
    return Content("\n").join(parts)


def times_panel(row: BoardRow, detail: StrategyDetail, width: int) -> Content:
    """Where the time went, stage by stage, on one scale; then queries and sizes."""
    stages = [
        ("chunking itself", row.own_seconds),
        ("its annotations", row.charged_seconds),
        ("embedding", row.embed_seconds),
        ("indexing", detail.upsert_seconds),
        ("timed queries", detail.search_seconds),
    ]
    most = max(seconds for _, seconds in stages)
    length = max(min(width - 27, 12), 4)
    parts = [heading("Time") + Content.styled("  a stage", _MUTED)]
    for name, seconds in stages:
        share = bar(seconds / most, length) if most else " " * length
        parts.append(Content(f"{name:<16}{share} {duration_text(seconds):>7}"))
    parts.append(_pair("chunking in this run", duration_text(row.paid_seconds)))
    for name, (title, factor, form) in _COSTS.items():
        if (value := row.value(name)) is not None:
            parts.append(_pair(title, form.format(value * factor)))
    parts.append(_pair("peak memory", f"{megabytes_text(row.peak_bytes)} MB"))
    parts.append(_pair("index", f"{megabytes_text(row.index_bytes)} MB"))
    return Content("\n").join(parts)


def cuts_panel(row: BoardRow, detail: StrategyDetail) -> Content:
    """How boundaries fall: sentences, tables and code blocks cut, headings left behind."""
    cuts = detail.cuts
    if cuts is None:
        return heading("Cuts") + Content.styled("  no document chunked yet", _MUTED)
    parts = [
        heading("Cuts"),
        _cut("begin in a sentence", _of(cuts.begin_inside, cuts.chunks)),
        _cut("end in a sentence", _of(cuts.end_inside, cuts.chunks)),
        _cut("tables cut", _of(cuts.tables_cut, cuts.tables)),
        _cut("code blocks cut", _of(cuts.fences_cut, cuts.fences)),
        _cut("headings at the end", f"{cuts.headings_left:,}"),
        _cut("cut by the model", _over_window(row, detail, cuts)),
    ]
    return Content("\n").join(parts)


def histogram_panel(histogram: Histogram | None, row: BoardRow, width: int) -> Content:
    """The sizes of the chunks as columns, under their count, mean and extremes."""
    if histogram is None:
        return heading("Chunk sizes") + Content.styled("  no chunks yet", _MUTED)
    facts = [f"{sum(histogram.counts):,} chunks"]
    for name, what in (("mean", "mean"), ("median", "median"), ("min", "least"), ("max", "most")):
        if (value := row.value(f"ChunkTokens-{name}")) is not None:
            facts.append(f"{what} {value:,.0f}")
    title = heading("Chunk sizes") + Content(f"  {', '.join(facts)} tokens")
    return Content("\n").join([title, *map(Content, columns(histogram, width))])


def columns(histogram: Histogram, width: int, height: int = 4) -> list[str]:
    """A histogram as columns over an axis in tokens; a column that is not empty is never blank."""
    counts, most = histogram.counts, max(histogram.counts)
    wide = max(min((width - 8) // len(counts), 4), 1)
    lines = []
    for level in range(height, 0, -1):
        label = f"{most:,}" if level == height else ""
        cells = ""
        for count in counts:
            eighths = -(-count * height * 8 // most) - (level - 1) * 8
            mark = _EIGHTHS[min(max(eighths, 0), 8)]
            cells += mark * max(wide - 1, 1) + (" " if wide > 1 else "")
        lines.append(f"{label:>6} {cells}".rstrip())
    end = f"{len(counts) * histogram.width:,} tokens"
    span = len(counts) * wide
    lines.append(f"{'':>6} 0{end:>{max(span - 1, len(end) + 1)}}")
    return lines


def remarks_text(row: BoardRow) -> Content:
    """Family and experiment, its state, and what a reader of its numbers should know."""
    state = state_text(row)
    if any(measured.provisional for measured in row.measures.values()):
        state += "; scores are provisional"
    parts = [Content(f"{shown(row.family)}, {shown(row.experiment)}: {state}")]
    if row.tied is not None:
        share = "" if row.selection is None else f"; best in {row.selection:.0%} of the resamples"
        if row.p_leader is None:
            verdict = "the leader"
        elif row.tied:
            verdict = f"cannot be told apart from the leader (p {row.p_leader:.2g})"
        else:
            verdict = f"behind the leader (p {row.p_leader:.2g})"
        parts.append(Content(f"verdict: {verdict}{share}"))
    return Content("\n").join(parts)


def _over_window(row: BoardRow, detail: StrategyDetail, cuts: CutCounts) -> str:
    if row.value("OverWindow") is None:
        return "not known yet"
    return _of(detail.over_window, cuts.chunks)


def _of(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,}" + (f", {part / whole:.0%}" if whole else "")


def _with_unit(name: str, value: float) -> str:
    try:
        return parse_measure(name).format(value)
    except BadInput:  # a measure of a later version
        return f"{value:.3f}"


def _measure_order(name: str) -> tuple[int, str]:
    """In the order of the board, then what else there is."""
    return next((i for i, start in enumerate(_FIRST) if name.startswith(start)), len(_FIRST)), name


def _pair(name: str, value: str) -> Content:
    return Content(f"{name:<25}{value}")


def _cut(name: str, value: str) -> Content:
    return Content(f"{name:<21}{value}")
