"""Gates: `ndcg@5 < -0.02` fails where a strategy's nDCG@5 fell by more than 0.02.

An expression is a measure, a comparison (`<`, `<=`, `>`, `>=`), a number and, if wanted, the word
`significant`. It is about the difference `run - base`, in the measure's own unit (a share of 5 % is
0.05, a millisecond 0.001), and says what is to fail. With `significant` it fails only where the
permutation test tells the two apart, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chunkbench_engine.condition import Condition, parse_condition
from chunkbench_engine.errors import BadInput
from chunkbench_engine.measures.measure import Measure, parse_measure
from chunkbench_engine.measures.verdict import ALPHA

if TYPE_CHECKING:
    from chunkbench_engine.compare.comparison import Comparison, Difference, Pair

_EXAMPLE = "'ndcg@5 < -0.02' or 'ndcg@5 < 0 significant'"


@dataclass(frozen=True, slots=True)
class Gate:
    """A measure, and what of its difference is to fail.

    Attributes:
        condition: named as the measure is; its bound is in the measure's own unit.
    """

    measure: Measure
    condition: Condition

    def __str__(self) -> str:
        return str(self.condition)

    @property
    def significant(self) -> bool:
        """Whether the difference must be told from chance, too."""
        return self.condition.suffix == "significant"


@dataclass(frozen=True, slots=True)
class Failure:
    """A gate that failed on a strategy, in a sentence."""

    gate: str
    strategy: str
    said: str


def parse_gate(text: str) -> Gate:
    """The gate that an expression describes.

    Raises:
        BadInput: it is none, or names an unknown measure.
    """
    condition = parse_condition(text, _EXAMPLE)
    if condition.suffix == "%":
        raise BadInput(
            f"--fail-if {text!r}: differences are in the measure's own unit, where 5 % is 0.05; "
            "leave the % out"
        )
    measure = parse_measure(condition.name)
    return Gate(measure, replace(condition, name=str(measure)))


def failures(gates: list[Gate], comparison: Comparison) -> list[Failure]:
    """What fails: each gate on each pair, and every strategy that has lost its result.

    Raises:
        BadInput: significance is asked of a measure that has no value for each question.
    """
    found = [Failure("", lost, f"{lost}.") for lost in comparison.lost] if gates else []
    for gate in gates:
        for pair in comparison.pairs:
            difference = next(d for d in pair.differences if d.measure == str(gate.measure))
            if gate.significant and difference.p is None:
                raise BadInput(
                    f"--fail-if '{gate}': {gate.measure} has no value for each question, so there "
                    "is no test of it; leave the word significant out"
                )
            if _fails(gate, difference):
                found.append(Failure(str(gate), pair.name, _said(gate, pair, difference)))
    return found


def _fails(gate: Gate, difference: Difference) -> bool:
    beyond = gate.condition.holds(difference.difference)
    return beyond and (difference.significant or not gate.significant)


def _said(gate: Gate, pair: Pair, difference: Difference) -> str:
    moved = "fell" if difference.difference < 0 else "rose"
    change = (
        f"{moved} by {abs(difference.difference):.4g}, from {difference.base:.4g} to "
        f"{difference.run:.4g}"
        if difference.difference
        else f"stayed at {difference.run:.4g}"
    )
    said = (
        f"{gate}: {gate.measure} of {pair.name} ({pair.experiment}) {change}, "
        f"{abs(difference.difference - gate.condition.bound):.2g} beyond the limit"
    )
    if difference.p is None:
        return f"{said}."
    sure = "" if difference.significant else f", not told from chance at {ALPHA * 100:.0f} %"
    return (
        f"{said} (95 % {difference.low:+.3g} to {difference.high:+.3g}, "
        f"p {difference.p:.2g}{sure})."
    )
