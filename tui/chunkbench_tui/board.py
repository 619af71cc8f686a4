"""The leaderboard without a screen: its columns, their order, and the text of every cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rich.cells import cell_len

from chunkbench_engine.errors import BadInput
from chunkbench_engine.measures.measure import parse_measure
from chunkbench_tui.quantities import megabytes_text
from chunkbench_tui.safe_text import shown
from chunkbench_tui.widgets.column_layout import Heading
from chunkbench_tui.widgets.line import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chunkbench_store.live import BoardRow

MAIN = "main"
"""Key of the column of the main measure, whichever it is."""

DIFFERENCE = "difference"
"""Key of the column of the difference to the baseline."""

LATENCY = "Latency-median"

ENDED_WITHOUT_RESULT = ("failed", "unavailable", "cancelled")
_WAITING_ORDER = ("chunking", "embedding", "indexed", "retrieving", "retrieved", "judged")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the leaderboard.

    Attributes:
        better: which end of it is best: shown first when the board is sorted by it.
        value: what it is sorted by; None where it is not known.
        text: what is shown.
        weight: columns with a greater one give way first; 0 never does.
    """

    key: str
    title: str
    width: int
    better: Literal["higher", "lower", "first"]
    value: Callable[[BoardRow], float | str | None]
    text: Callable[[BoardRow], str]
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Order:
    """What the board is sorted by; `reverse` puts the worst first."""

    key: str = MAIN
    reverse: bool = False


def main_measures(cutoff: str) -> tuple[str, ...]:
    """The measures that may stand first; `m` goes through them.

    Args:
        cutoff: where a question's ranked list ends: `5` passages, or `2000t`, tokens.
    """
    ranks = [str(rank) for rank in (1, 3, 5) if cutoff.isdigit() and rank <= int(cutoff)]
    recalls = (f"Recall@{rank}" for rank in ranks or [cutoff])
    first = ("P@1",) if ranks else ()
    return (f"nDCG@{cutoff}", f"Hit@{cutoff}", f"MRR@{cutoff}", *first, *recalls, "Ceiling")


def columns(
    rows: Sequence[BoardRow], main: str, cutoff: str, baseline: BoardRow | None = None
) -> tuple[Column, ...]:
    """The columns for these rows, the main measure before the others.

    Args:
        baseline: a row that the others are compared with, in the main measure.
    """
    several = len({row.experiment for row in rows}) > 1
    weights = {
        f"nDCG@{cutoff}": 1,
        f"Hit@{cutoff}": 1,
        f"MRR@{cutoff}": 2,
        "P@1": 6,
        "Recall@1": 10,
    }
    found = [
        Column(
            "strategy",
            "strategy",
            _clamped(rows, "label", 8, 18),
            "first",
            lambda row: row.label.casefold(),
            lambda row: shown(row.label),
        )
    ]
    if several:
        found.append(
            Column(
                "model",
                "model",
                _clamped(rows, "experiment", 5, 14),
                "first",
                lambda row: row.experiment,
                lambda row: shown(row.experiment),
            )
        )
    found.append(_main_column(main))
    if baseline is not None:
        found.append(_difference_column(main, baseline))
    found += [
        _measure_column(name, weights.get(name, 11))
        for name in main_measures(cutoff)
        if name != main
    ]
    found += [
        Column(
            "chunks", "chunks", 7, "lower", _chunks, lambda r: _number(_chunks(r), "{:,.0f}"), 5
        ),
        Column("cold", "cold s", 6, "lower", _cold, lambda r: _number(_cold(r), "{:.2f}"), 3),
        *([_COLD_RUN] if any(row.cold_run_seconds is not None for row in rows) else []),
        Column("peak", "peak MB", 7, "lower", _peak, lambda r: _megabytes(_peak(r)), 4),
        Column("latency", "query ms", 8, "lower", latency, lambda r: _milliseconds(latency(r)), 7),
        Column("index", "index MB", 8, "lower", _index, lambda r: _megabytes(_index(r)), 8),
        Column("state", "state", 14, "first", lambda r: state_text(r) or None, state_text),
    ]
    return tuple(found)


def direction_mark(column: Column, order: Order) -> str:
    """▼ where values fall from top to bottom, ▲ where they rise."""
    falls = (column.better == "higher") != order.reverse
    return "▼" if falls else "▲"


def ordered(rows: Sequence[BoardRow], column: Column, order: Order) -> list[BoardRow]:
    """The rows with a value, best first; then those without one, the nearest to it first.

    Equal values stay in the order of the run's plan.
    """
    known = [row for row in rows if column.value(row) is not None]
    descending = (column.better == "higher") != order.reverse
    known.sort(key=column.value, reverse=descending)  # type: ignore[arg-type]
    unknown = [row for row in rows if column.value(row) is None]
    return known + sorted(unknown, key=_distance_from_result)


def headings(
    shown_columns: Sequence[Column], rows: Sequence[BoardRow], order: Order
) -> list[Heading]:
    """The headings of the table; the column it is sorted by carries the mark."""
    result = [Heading("rank", "#", max(2, len(str(len(rows)))), right=True)]
    for column in shown_columns:
        mark = direction_mark(column, order) if column.key == order.key else ""
        right = column.key not in ("strategy", "model", "state")
        title = column.title + mark
        longest = max((cell_len(column.text(row)) for row in rows), default=0)
        result.append(
            Heading(
                column.key,
                title,
                max(column.width, cell_len(title)),
                wanted=0 if right else max(longest, column.width),
                right=right,
                strong=column.key == MAIN,
                weight=column.weight,
                label=column.key == "strategy",
            )
        )
    return result


def lines(shown_columns: Sequence[Column], rows: Sequence[BoardRow], order: Order) -> list[Line]:
    """The lines of the board, in order, with their place where the sorted value is known."""
    by_key = {column.key: column for column in shown_columns}
    column = by_key.get(order.key, shown_columns[0])
    # A row without a result says why, over the columns that would be empty.
    span = 1 + next(i for i, column in enumerate(shown_columns) if column.key == MAIN)
    result = []
    for place, row in enumerate(ordered(rows, column, order), 1):
        rank = str(place) if column.value(row) is not None else ""
        cells = [rank, *(column.text(row) for column in shown_columns)]
        spans_from = -1
        if row.state in ENDED_WITHOUT_RESULT:
            spans_from, cells[span] = span, state_text(row)
        tone = ""
        if row.state in ("failed", "unavailable"):
            tone = "bad"
        elif row.state in ("waiting", "cancelled"):
            tone = "muted"
        result.append(Line(row.config, tuple(cells), tone, spans_from))
    return result


def state_text(row: BoardRow) -> str:
    """What a row is doing, or what a reader of its numbers should know."""
    if row.state in ENDED_WITHOUT_RESULT:
        return f"{row.state}: {shown(row.reason)}" if row.reason else row.state
    if row.state != "finished":
        # What was retrieved and is counted on is being judged.
        doing = "judging" if row.state == "retrieved" and row.total else row.state
        return f"{doing} {row.done / row.total:.0%}" if row.total else row.state
    # As `=` on the command line: what a paired test cannot tell from the first.
    remarks = ["tied for first"] if row.tied else []
    if row.same_as:
        remarks.append(f"same chunks as {shown(row.same_as)}")
    if row.note:
        remarks.append(shown(row.note))
    return "; ".join(remarks) or "done"


def interval_text(name: str, row: BoardRow) -> str:
    """The 95 % interval of a measure, `0.55–0.67`; "" where it has none."""
    measured = row.measures.get(name)
    if measured is None or measured.low is None or measured.high is None:
        return ""
    unit = _unit(name)
    if unit == "share":
        return f"{measured.low * 100:.0f}–{measured.high * 100:.0f}"
    if unit == "tokens":
        return f"{measured.low:,.0f}–{measured.high:,.0f}"
    return f"{measured.low:.2f}–{measured.high:.2f}"


def value_text(name: str, value: float) -> str:
    """A value of a measure without its unit."""
    return f"{value * 100:.1f}" if _is_share(name) else f"{value:.3f}"


def latency(row: BoardRow) -> float | None:
    """Median seconds from the question to its ranked list."""
    return row.value(LATENCY)


def _main_column(name: str) -> Column:
    def text(row: BoardRow) -> str:
        value = row.value(name)
        if value is None:
            return ""
        return f"{value_text(name, value)} {interval_text(name, row):>9}"

    title = f"{name} %" if _is_share(name) else name
    return Column(MAIN, f"{title} (95 %)", 15, "higher", lambda row: row.value(name), text)


def _difference_column(name: str, baseline: BoardRow) -> Column:
    """The difference to a row, within its experiment: another has a pool of its own."""

    def value(row: BoardRow) -> float | None:
        here, there = row.value(name), baseline.value(name)
        same = row.experiment == baseline.experiment
        return here - there if same and here is not None and there is not None else None

    def text(row: BoardRow) -> str:
        if row.config == baseline.config:
            return "baseline"
        difference = value(row)
        if difference is None:
            return ""
        return f"{difference * 100:+.1f}" if _is_share(name) else f"{difference:+.3f}"

    return Column(DIFFERENCE, "to base", 8, "higher", value, text)


def _measure_column(name: str, weight: int) -> Column:
    def text(row: BoardRow) -> str:
        value = row.value(name)
        return "" if value is None else value_text(name, value)

    title = name.replace("Recall", "R").replace("Ceiling", "Ceil")
    title = f"{title} %" if _is_share(name) else title
    return Column(name, title, len(title), "higher", lambda row: row.value(name), text, weight)


def _is_share(name: str) -> bool:
    return _unit(name) == "share"


def _unit(name: str) -> str:
    try:
        return parse_measure(name).unit
    except BadInput:  # a measure of a later version: shown as a plain number
        return ""


def _distance_from_result(row: BoardRow) -> int:
    if row.state in _WAITING_ORDER:
        return -_WAITING_ORDER.index(row.state)
    return {"finished": 1, "waiting": 2, "failed": 3, "cancelled": 4}.get(row.state, 5)


def _clamped(rows: Sequence[BoardRow], field: str, least: int, most: int) -> int:
    longest = max((cell_len(shown(getattr(row, field))) for row in rows), default=0)
    return min(max(longest, least), most)


def _chunks(row: BoardRow) -> float | None:
    return row.chunks or None


def _cold(row: BoardRow) -> float | None:
    return row.cold_seconds or None


_COLD_RUN = Column(
    "alone",
    "alone s",
    7,
    "lower",
    lambda row: row.cold_run_seconds,
    lambda row: _number(row.cold_run_seconds, "{:.2f}"),
    9,
)


def _peak(row: BoardRow) -> float | None:
    # Of a strategy that has chunked something, 0 bytes above the start is a measurement.
    return row.peak_bytes if row.chunks or row.peak_bytes else None


def _index(row: BoardRow) -> float | None:
    return row.index_bytes or None


def _number(value: float | None, form: str) -> str:
    return "" if value is None else form.format(value)


def _megabytes(value: float | None) -> str:
    return "" if value is None else megabytes_text(value)


def _milliseconds(value: float | None) -> str:
    return "" if value is None else f"{value * 1000:.2f}"
