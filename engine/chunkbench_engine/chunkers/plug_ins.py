"""Whose chunkers can be named beside our own: `module:callable`, and those packages offer."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

GROUP = "chunkbench.chunkers"
"""The entry points that are found by themselves."""

_WORD = re.compile(r"[A-Za-z_][\w-]*")


@dataclass(frozen=True, slots=True)
class PlugIn:
    """A chunker that an installed package offers.

    Attributes:
        name: what it is used by: its own name, or `module:callable` where that is taken or no word.
        target: `module:callable`.
        package: the package it comes with.
    """

    name: str
    target: str
    package: str


def plug_ins(taken: Collection[str]) -> list[PlugIn]:
    """The chunkers of installed packages, by name; `taken` are the names of our own strategies."""
    points = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    names = Counter(point.name for point in points)
    found = []
    for point in points:
        free = names[point.name] == 1 and point.name not in taken
        target = f"{point.module}:{point.attr}"
        found.append(
            PlugIn(
                name=point.name if free and _WORD.fullmatch(point.name) else target,
                target=target,
                package=point.dist.name if point.dist else "",
            )
        )
    return found


def target_of(name: str, taken: Collection[str]) -> str:
    """The `module:callable` that a name stands for; "" if it is one of ours, or unknown."""
    if ":" in name:
        return name
    if name in taken:
        return ""
    return next((known.target for known in plug_ins(taken) if known.name == name), "")
