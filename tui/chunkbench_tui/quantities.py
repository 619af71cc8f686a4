"""Quantities as a person reads them."""

from __future__ import annotations

import datetime
import itertools

MEGABYTE = 1_000_000
HEARTBEAT_NOTICED_SECONDS = 3.0
"""A heartbeat older than this is mentioned: one comes each second."""


def duration_text(seconds: float) -> str:
    """A duration in the unit that suits it: `0.8 s`, `42 s`, `3 min`, `1 h 5 min`."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{hours // 24} days"


def megabytes_text(size: float) -> str:
    """Bytes as a number of megabytes, without the unit."""
    megabytes = size / MEGABYTE
    return f"{megabytes:.1f}" if megabytes < 99.95 else f"{megabytes:,.0f}"


def clock_text(moment: str, *, seconds: bool = False) -> str:
    """A stored UTC time as the local clock shows it; with the day if it was not today."""
    local = datetime.datetime.fromisoformat(moment).astimezone()
    if seconds:
        return local.strftime("%H:%M:%S")
    today = datetime.datetime.now().astimezone().date()
    return local.strftime("%H:%M") if local.date() == today else local.strftime("%Y-%m-%d %H:%M")


def remaining_seconds(fraction: float, busy_seconds: float) -> float | None:
    """Time still needed at the pace so far; None where nothing can be said."""
    if not 0 < fraction < 1 or busy_seconds <= 0:
        return None
    return busy_seconds * (1 - fraction) / fraction


def scale_top(largest: float) -> float:
    """The end of a gauge's scale: the next of 1, 2, 5 times a power of ten, at least 1."""
    top = 1.0
    while True:
        for step in (1, 2, 5):
            if step * top >= largest:
                return step * top
        top *= 10


def bar(fraction: float, width: int) -> str:
    """A bar that reads without colour: full cells for the part, light ones for the rest."""
    full = round(min(max(fraction, 0.0), 1.0) * width)
    return "█" * full + "░" * (width - full)


def sparkline(values: list[float], width: int, top: float) -> str:
    """A curve on the fixed scale 0 to `top`, the highest value of each cell's share."""
    if not values:
        return ""
    marks = "▁▂▃▄▅▆▇█"
    cells = min(width, len(values))
    edges = [index * len(values) // cells for index in range(cells + 1)]
    peaks = [max(values[first:last]) for first, last in itertools.pairwise(edges)]
    return "".join(marks[min(int(peak / top * len(marks)), len(marks) - 1)] for peak in peaks)
