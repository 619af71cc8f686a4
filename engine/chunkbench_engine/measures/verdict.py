"""Which strategy is best, how sure that is, and what would make it surer.

The leader is the contender with the best mean of the main measure. It is *named* the winner only
if it comes out best in 90 % of the bootstrap resamples of the questions. That alone is no test: of
two that do not differ at all, one is named in one case of five. A contender is *ruled out* if a
paired permutation test tells it apart from the leader at 5 %, Holm-corrected over all contenders
(Smucker et al. 2007); the others are *tied* with the leader, and in play with it.

Configurations with equal chunks and equal scores are one contender: apart, they would share its
wins among them, and a winner would go unnamed only because it was run twice.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkbench_engine.measures.context_notes import context_notes
from chunkbench_engine.measures.statistics import (
    RESAMPLES,
    SEED,
    against_leader,
    selection_probability,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

NAMED_FROM = 0.90
"""Share of the resamples in which a named winner comes out best, at least."""
ALPHA = 0.05
POWER = 0.80
FEW_QUESTIONS = 30

Cost = Literal["context tokens", "index bytes", "cold seconds"]
COSTS: tuple[Cost, ...] = ("context tokens", "index bytes", "cold seconds")

_EQUAL = 1e-12
"""Differences of scores below this are rounding."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A finished configuration.

    Attributes:
        label: the strategy with its parameters.
        strategy: the strategy without them: candidates that share it are settings of one strategy.
        digest: equal for equal chunks.
        costs: what it costs, in the order of `COSTS`: mean tokens in the top k, bytes of the
            index, seconds of chunking alone.
        repeated: share of those tokens that a higher rank gave already; 0 where that gains
            nothing, as within a budget.
    """

    label: str
    strategy: str
    digest: str
    costs: tuple[float, float, float]
    repeated: float = 0.0


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one configuration stands.

    Attributes:
        selection: share of the resamples in which it, or one with its chunks, comes out best.
        p_leader: Holm-corrected p of its difference to the leader; None for the leader itself.
        tied: whether it cannot be told apart from the leader; False for the leader itself.
    """

    selection: float
    p_leader: float | None
    tied: bool


@dataclass(frozen=True, slots=True)
class Cheapest:
    """The configuration that costs least of those in play, and what it costs."""

    cost: Cost
    label: str
    value: float


@dataclass(frozen=True, slots=True)
class Chosen:
    """The configuration that is best on the split `dev`, and its means there and as reported."""

    label: str
    questions: int
    dev: float
    reported: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict over the configurations of one model. Lists are ordered by score, best first.

    Attributes:
        leader: label of the contender with the best mean; of equals, the first of the plan.
        same_as_leader: labels of others with its chunks and scores.
        mean: the leader's mean.
        selection: share of the bootstrap resamples in which the leader comes out best.
        named: whether the leader is named the winner.
        tied: contenders that cannot be told apart from the leader.
        ruled_out: contenders that can.
        runner_up: the contender with the second best mean; "" if there is only one contender.
        difference: the leader's mean less the runner-up's.
        questions: number of questions that the means are over.
        questions_needed: about how many more would tell the first two apart; 0 if they are told
            apart already, None if no number can be given (see `questions_needed`).
        cheapest: of those in play that find anything, by each cost; empty if there is only one.
        split: the questions' split that the means are over; "" if over all questions.
        chosen: what the split `dev` would have chosen; None if there is no such choice.
        notes: what a reader must know besides, in sentences.
    """

    leader: str
    same_as_leader: tuple[str, ...]
    mean: float
    selection: float
    named: bool
    tied: tuple[str, ...]
    ruled_out: tuple[str, ...]
    runner_up: str
    difference: float
    questions: int
    questions_needed: int | None
    cheapest: tuple[Cheapest, ...]
    split: str
    chosen: Chosen | None
    notes: tuple[str, ...]

    @property
    def in_play(self) -> tuple[str, ...]:
        """The leader and those tied with it."""
        return (self.leader, *self.tied)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def verdict_from(values: dict[str, Any]) -> Verdict:
    """The verdict as it was stored with `as_dict`."""
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }
    fields["cheapest"] = tuple(Cheapest(**row) for row in values["cheapest"])
    fields["chosen"] = Chosen(**values["chosen"]) if values["chosen"] else None
    return Verdict(**fields)


def reach_verdict(
    candidates: Sequence[Candidate],
    values: ArrayLike,
    *,
    split: str = "",
    dev: ArrayLike | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[Verdict, tuple[Standing, ...]]:
    """The verdict over the configurations of one model, and where each of them stands.

    Args:
        candidates: finished configurations, in the order of the plan.
        values: `(candidates, questions)`, the main measure; higher is better.
        split: the split that these questions are, "" if they are all there are.
        dev: `(candidates, dev questions)`, the same measure on the split `dev`, if there is one.
    """
    table = np.asarray(values, dtype=np.float64)
    groups = _contenders(candidates, table)
    rows = table[[group[0] for group in groups]]
    selection = selection_probability(rows, resamples=resamples, seed=seed)
    leader, p = against_leader(rows, resamples=resamples, seed=seed)
    tied = p >= ALPHA
    means = rows.mean(axis=1)
    others = [at for at in np.argsort(-means, kind="stable").tolist() if at != leader]
    in_play = [leader, *(at for at in others if tied[at])]

    def name(contender: int) -> str:
        return candidates[groups[contender][0]].label

    standings: dict[int, Standing] = {}
    for at, group in enumerate(groups):
        for place, row in enumerate(group):
            first = at == leader and place == 0
            standings[row] = Standing(
                float(selection[at]), None if first else float(p[at]), bool(tied[at]) and not first
            )
    second = others[0] if others else None
    needed: int | None = 0
    if second is not None and tied[second]:
        needed = questions_needed(rows[leader], rows[second], comparisons=len(others))
    verdict = Verdict(
        leader=name(leader),
        same_as_leader=tuple(candidates[row].label for row in groups[leader][1:]),
        mean=float(means[leader]),
        selection=float(selection[leader]),
        named=second is not None and bool(selection[leader] >= NAMED_FROM),
        tied=tuple(name(at) for at in in_play[1:]),
        ruled_out=tuple(name(at) for at in others if not tied[at]),
        runner_up="" if second is None else name(second),
        difference=0.0 if second is None else float(means[leader] - means[second]),
        questions=table.shape[1],
        questions_needed=needed,
        # What finds nothing is cheap and no choice, also where few questions rule nothing out.
        cheapest=_cheapest(
            [candidates[row] for at in in_play if means[at] > _EQUAL for row in groups[at]]
        ),
        split=split,
        chosen=None if dev is None else _chosen(candidates, np.asarray(dev), table),
        notes=(
            *context_notes(
                candidates[groups[leader][0]], [candidates[groups[at][0]] for at in others]
            ),
            *_notes(candidates, table.shape[1], chosen_apart=dev is not None),
        ),
    )
    return verdict, tuple(standings[row] for row in range(len(candidates)))


def questions_needed(first: ArrayLike, second: ArrayLike, comparisons: int = 1) -> int | None:
    """About how many more questions would tell two strategies apart; at least 1.

    With mean d and standard deviation s of the paired differences, a two-sided paired test at
    level α, Bonferroni-corrected for m comparisons, finds the difference with power 1 - β from

        n = ((z(1 - α/2m) + z(1 - β)) · s / d)²

    questions on: the normal approximation to the power of the paired t-test (Webber, Moffat &
    Zobel 2008, *Statistical power in retrieval experimentation*), here with α = 0.05 and power
    0.8. Nor can a permutation test find anything with so few questions that even the most extreme
    of the 2ⁿ signings is too probable, 2 / 2ⁿ > α/m. The leader's lead is the best of many draws
    and hence likely too large: the number is likely too small.

    Args:
        first, second: `(questions,)`, paired.
        comparisons: m.

    Returns:
        n less the questions there are; None if the means do not differ, or with one question only.
    """
    difference = np.subtract(first, second, dtype=np.float64)
    count = len(difference)
    mean = abs(float(difference.mean()))
    if count < 2 or mean <= _EQUAL:
        return None
    level = ALPHA / comparisons
    z = NormalDist().inv_cdf(1 - level / 2) + NormalDist().inv_cdf(POWER)
    enough = max((z * float(difference.std(ddof=1)) / mean) ** 2, 1 - math.log2(level))
    return max(1, math.ceil(enough) - count)


def _contenders(
    candidates: Sequence[Candidate], table: NDArray[np.float64]
) -> list[tuple[int, ...]]:
    """Rows by contender: those with equal chunks and equal scores go together."""
    groups: list[list[int]] = []
    for row, candidate in enumerate(candidates):
        for group in groups:
            first = group[0]
            if (
                candidates[first].digest == candidate.digest
                and np.abs(table[first] - table[row]).max() <= _EQUAL
            ):
                group.append(row)
                break
        else:
            groups.append([row])
    return [tuple(group) for group in groups]


def _cheapest(in_play: Sequence[Candidate]) -> tuple[Cheapest, ...]:
    """By each cost, the cheapest; of equals, the one with the better score."""
    if len(in_play) < 2:
        return ()
    found = []
    for place, cost in enumerate(COSTS):
        best = min(in_play, key=lambda candidate: candidate.costs[place])
        found.append(Cheapest(cost, best.label, float(best.costs[place])))
    return tuple(found)


def _chosen(
    candidates: Sequence[Candidate], dev: NDArray[np.float64], reported: NDArray[np.float64]
) -> Chosen:
    means = dev.mean(axis=1)
    best = int(np.argmax(means >= means.max() - _EQUAL))
    return Chosen(
        candidates[best].label, dev.shape[1], float(means[best]), float(reported[best].mean())
    )


def _notes(
    candidates: Sequence[Candidate], questions: int, *, chosen_apart: bool
) -> tuple[str, ...]:
    notes = []
    if questions < FEW_QUESTIONS:
        notes.append(
            f"{questions} questions are few: below {FEW_QUESTIONS}, a lead is easily chance."
        )
    settings = Counter(candidate.strategy for candidate in candidates)
    swept = [strategy for strategy, count in settings.items() if count > 1]
    if swept and not chosen_apart:
        notes.append(
            f"Several settings were run of {', '.join(swept)}, on questions without the splits dev "
            "and test: the best setting was chosen on the data it is reported on, which flatters "
            "it."
        )
    return tuple(notes)
