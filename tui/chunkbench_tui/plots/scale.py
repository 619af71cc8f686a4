"""From values to places on an axis, and round numbers to mark on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDE = 30.0
"""Values that differ by more than this factor are easier to read on a logarithmic scale."""
_MARGIN = 0.05
_ROUNDING = 1e-9
"""Spread, against the size of the values, below which they are the same."""


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from `low` to `high`, in its own unit."""

    low: float
    high: float
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """Where on the axis a value lies: 0 at its low end, 1 at its high end."""
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self, most: int) -> tuple[float, ...]:
        """Round numbers within the scale, at most so many."""
        if self.logarithmic:
            return self._powers(most)
        step = _round_step((self.high - self.low) / max(most, 1))
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        # Rounded to the step's own digits: 3 * 0.1 is to read 0.3.
        digits = max(-math.floor(math.log10(step)), 0)
        return tuple(round(n * step, digits) for n in range(first, last + 1))

    def _powers(self, most: int) -> tuple[float, ...]:
        decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for steps, every in (((1, 2, 5), 1), ((1, 3), 1), ((1,), 1), ((1,), 2), ((1,), 4)):
            found = tuple(
                step * 10.0**decade
                for decade in decades
                if decade % every == 0
                for step in steps
                if self.low <= step * 10.0**decade <= self.high
            )
            if len(found) <= most:
                break
        return found[:most]


def scale_of(values: Sequence[float], *, may_be_logarithmic: bool = False) -> Scale:
    """A scale on which all of the values lie, with a little room at both ends."""
    low, high = min(values), max(values)
    if may_be_logarithmic and low > 0 and high / low > _WIDE:
        room = (high / low) ** _MARGIN
        return Scale(low / room, high * room, logarithmic=True)
    spread = high - low if high - low > _ROUNDING * abs(high) else 0.0
    room = spread * _MARGIN or abs(high) * 0.5 or 0.5
    return Scale(max(low - room, 0.0) if low >= 0 else low - room, high + room)


def tick_texts(ticks: Sequence[float]) -> list[str]:
    """Round numbers as they stand at an axis: with as many decimals as any of them needs, unless
    they are of very different sizes."""
    texts = [f"{tick:,.10g}" for tick in ticks]
    if any("e" in text for text in texts) or _differ_widely(ticks):
        return texts
    decimals = max((len(text.partition(".")[2]) for text in texts), default=0)
    return [f"{tick:,.{decimals}f}" for tick in ticks]


def _differ_widely(ticks: Sequence[float]) -> bool:
    return bool(ticks) and max(ticks) > _WIDE * min(ticks) > 0


def _round_step(least: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least * (1 - 1e-9))
