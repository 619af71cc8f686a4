"""Conditions under which a check in CI fails: `orphans > 5%`, `cut_tables > 0`."""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import TYPE_CHECKING

from chunkbench_engine.condition import Condition, parse_condition
from chunkbench_engine.diagnose.kinds import KINDS, share
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping

COSTS = ("chunks", "tokens", "hub_skewness", "cold_seconds", "embed_seconds", "index_bytes")
"""What can be named besides the kinds of finding; none is a share of anything."""

_EXAMPLE = "'orphans > 5%' or 'cut_tables > 0'"


def parse_bound(written: str) -> Condition:
    """A bound on a count, or with `%` on its share, or on a cost.

    Raises:
        BadInput: it cannot be read, names nothing there is, or wants the share of a cost.
    """
    condition = parse_condition(written, _EXAMPLE)
    name = condition.name.lower().replace("-", "_")
    names = (*KINDS, *COSTS)
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"{near[0]} is meant?" if near else f"there are {', '.join(names)}"
        raise BadInput(f"--fail-if {written!r}: nothing is named {name}; {hint}")
    if condition.suffix == "%" and name in COSTS:
        raise BadInput(f"--fail-if {written!r}: {name} is no share of anything; leave the % out")
    if condition.suffix == "significant":
        raise BadInput(f"--fail-if {written!r}: counts are not tested; leave the word out")
    return replace(condition, name=name)


def failure(condition: Condition, counts: Mapping[str, float]) -> str:
    """A sentence if the condition holds, or cannot be told; "" if all is well.

    A share of nothing is 0: where there is no table, none is cut.
    """
    name = condition.name
    found = share(name, counts) if condition.suffix == "%" else counts.get(name)
    if found is None:
        return f"{name} is not known, so {condition} cannot be told"
    if not condition.holds(found):
        return ""
    return f"{name} is {condition.written(found)}, and the check fails if {condition}"
