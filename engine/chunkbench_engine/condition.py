"""What `--fail-if` is given, in one grammar for every command: `ndcg@5 < -0.02`, `orphans > 5%`."""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable

Suffix = Literal["", "%", "significant"]

_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ROUNDING = 1e-12
_WRITTEN = re.compile(
    r"\s*(?P<name>[^\s<>=%]+)\s*(?P<comparison><=|>=|<|>)\s*"
    r"(?P<bound>[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,2})?)"
    r"(?:\s*(?P<percent>%)|\s+(?P<significant>significant))?\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Condition:
    """A bound on a number; where it holds, a check fails.

    Attributes:
        name: of the number, as it was written.
        comparison: `<`, `<=`, `>` or `>=`.
        bound: as it was written, but a share where that was in per cent.
        suffix: what stood behind the bound.
    """

    name: str
    comparison: str
    bound: float
    suffix: Suffix = ""

    def __str__(self) -> str:
        word = " significant" if self.suffix == "significant" else ""
        return f"{self.name} {self.comparison} {self.written(self.bound)}{word}"

    def holds(self, found: float) -> bool:
        """Whether a number is beyond the bound. What differs from it by rounding alone is equal to
        it: 0.62 less 0.64 is not below -0.02."""
        equal = math.isclose(found, self.bound, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
        return _COMPARISONS[self.comparison](self.bound if equal else found, self.bound)

    def written(self, value: float) -> str:
        """A number as the bound is written."""
        return f"{value * 100:.4g}%" if self.suffix == "%" else f"{value:.10g}"


def parse_condition(written: str, example: str) -> Condition:
    """A condition as it is written: name, comparison, number, and `%` or `significant`.

    Args:
        example: how the command's own are written, for the error.

    Raises:
        BadInput: it cannot be read.
    """
    match = _WRITTEN.fullmatch(written)
    if match is None:
        raise BadInput(
            f"--fail-if {written!r} cannot be read: write a name, <, <=, > or >=, and a number, "
            f"as in {example}"
        )
    suffix: Suffix = "%" if match["percent"] else "significant" if match["significant"] else ""
    bound = float(match["bound"]) / (100 if suffix == "%" else 1)
    return Condition(match["name"], match["comparison"], bound, suffix)
