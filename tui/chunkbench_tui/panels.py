"""What the panels beside the leaderboard say, as styled text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from chunkbench_tui.board import latency
from chunkbench_tui.quantities import (
    HEARTBEAT_NOTICED_SECONDS,
    MEGABYTE,
    bar,
    clock_text,
    duration_text,
    megabytes_text,
    remaining_seconds,
    scale_top,
    sparkline,
)
from chunkbench_tui.safe_text import shown
from chunkbench_tui.widgets.line import fit, shortened_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_store.live import BoardRow, Event, LiveRun, RunSummary, Stage

_TITLE, _MUTED, _BAD = "bold $text-primary", "$foreground-muted", "bold $text-error"


def stages_panel(live: LiveRun, width: int) -> Content:
    """A bar for each stage, with the time it still needs or has taken; then the engine."""
    length = max(width - 31, 6)
    parts = [heading("Stages")]
    for stage in live.stages:
        parts.append(
            Content(
                f"{stage.name:<9}{bar(stage.fraction, length)} {stage.fraction:>4.0%}"
                f"  {_stage_time(stage, live.summary)}"
            )
        )
    parts.append(Content(f"engine   {engine_text(live)}"))
    return Content("\n").join(parts)


def engine_text(live: LiveRun) -> str:
    """Whether the engine lives, and its memory."""
    summary = live.summary
    if not summary.alive:
        return "gone" if summary.state == "lost" else "not running"
    memory = f"{megabytes_text(live.worker_rss)} MB"
    age = summary.heartbeat_age
    if age is not None and age > HEARTBEAT_NOTICED_SECONDS:
        return f"{memory}, silent for {duration_text(age)}"
    return memory


def costs_panel(rows: Sequence[BoardRow], selected: int | None, width: int, height: int) -> Content:
    """Peak memory and median latency of the strategies, on scales that fit all of them.

    The rows are those of the leaderboard, in its order, around the selected one.
    """
    top_peak = scale_top(max((row.peak_bytes / MEGABYTE for row in rows), default=0))
    times = [1000 * time for row in rows if (time := latency(row)) is not None]
    top_time = scale_top(max(times, default=0))
    label = min(max((cell_len(shown(row.label)) for row in rows), default=6), 10)
    length = max((width - label - 18) // 2, 4)
    parts = [
        heading("Cost of a strategy"),
        Content.styled(
            f" {'':<{label}} {f'peak 0–{top_peak:,.0f} MB':<{length + 7}}  "
            f"query 0–{top_time:,.0f} ms",
            _MUTED,
        ),
    ]
    room = max(height - len(parts), 1)
    place = next((i for i, row in enumerate(rows) if row.config == selected), 0)
    first = min(max(place - room // 2, 0), max(len(rows) - room, 0))
    for row in rows[first : first + room]:
        time = latency(row)
        peak = row.peak_bytes / MEGABYTE
        memory = (
            f"{bar(peak / top_peak, length)} {megabytes_text(row.peak_bytes):>6}"
            if row.chunks or row.peak_bytes
            else " " * (length + 7)
        )
        query = "" if time is None else f"{bar(1000 * time / top_time, length)} {1000 * time:>6.2f}"
        mark = "▸" if row.config == selected else " "
        parts.append(
            Content.styled(
                f"{mark}{fit(shortened_label(shown(row.label), label), label)} {memory}  {query}",
                "bold" if row.config == selected else "",
            )
        )
    return Content("\n").join(parts)


def memory_panel(row: BoardRow, curve: Sequence[tuple[float, int]], width: int) -> Content:
    """The memory of a strategy's chunking over time, on a scale from 0."""
    if not curve:
        return heading("Memory") + Content(f" {shown(row.label)}: no samples yet")
    top = scale_top(max(size for _, size in curve) / MEGABYTE)
    values = [size / MEGABYTE for _, size in curve]
    scale = f"0–{top:,.0f} MB over {duration_text(curve[-1][0])}"
    return Content("\n").join(
        [
            heading("Memory") + Content(f" {shown(row.label)}, {scale}"),
            Content(sparkline(values, max(width, 10), top)),
        ]
    )


def events_panel(events: Sequence[Event]) -> Content:
    """What happened, the newest first."""
    parts = [heading("Events")]
    for event in reversed(events):
        level = "" if event.level == "info" else f"{event.level}: "
        parts.append(
            Content.assemble(
                (f"{clock_text(event.at, seconds=True)} ", _MUTED),
                (level, _BAD),
                shown(event.text),
            )
        )
    if len(parts) == 1:
        parts.append(Content.styled("nothing yet", _MUTED))
    return Content("\n").join(parts)


def _stage_time(stage: Stage, summary: RunSummary) -> str:
    if stage.total and stage.done >= stage.total:
        return f"done, {duration_text(stage.busy_seconds)}"
    left = remaining_seconds(stage.fraction, stage.busy_seconds)
    if summary.state != "running":
        return summary.state if stage.done else ""
    return "waiting" if left is None else f"{duration_text(left)} left"


def heading(text: str) -> Content:
    """The title of a panel."""
    return Content.styled(text, _TITLE)
