"""Comparing a run with a base, strategy by strategy, over the questions that both were asked.

Differences are the run's mean less the base's. Each has the percentile bootstrap interval of the
paired differences and the p of a paired permutation test (`measures/statistics.py`), Holm-corrected
for each measure over all pairs that differ at all: measures are views of the same hits, pairs are
questions of their own to the data.

Pooled nDCG is relative to what all strategies of its run found, so that the same hits score
differently in runs with different strategies. Both sides are therefore taken against one ideal: for
each question, the higher of the two runs' ideals.
"""

from __future__ import annotations

import difflib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkbench_engine.compare.manifests import Unlike, unlike
from chunkbench_engine.errors import BadInput
from chunkbench_engine.measures.measure import parse_measure
from chunkbench_engine.measures.statistics import bootstrap_interval, holm, permutation_tests
from chunkbench_engine.measures.verdict import ALPHA, FEW_QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from chunkbench_engine.compare.side import Configuration, Experiment, Side

GRADED = ("nDCG", "Hit", "MRR", "P", "ZeroHit")
"""Families of measures that are made of the judge's grades."""

_EQUAL = 1e-12
"""Differences below this are rounding."""
_LISTED = 8


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure of a strategy on both sides.

    Attributes:
        measure: its name, with the cutoff.
        base, run: means over the shared questions; of a measure that questions have no share in,
            the two values.
        difference: `run - base`.
        low, high: its 95 % bootstrap interval; None where there are no questions to resample.
        p: of the permutation test, Holm-corrected; None likewise.
        questions: how many the means are over; 0 likewise.
        direction: `better` or `worse` where the difference is significant and the measure has a
            direction, `changed` where it is significant and has none, else "".
    """

    measure: str
    base: float
    run: float
    difference: float
    low: float | None
    high: float | None
    p: float | None
    questions: int
    direction: str

    @property
    def significant(self) -> bool:
        return self.p is not None and self.p < ALPHA


@dataclass(frozen=True, slots=True)
class Pair:
    """A strategy of the base and one of the run, under the same model and retrieval."""

    base: str
    run: str
    model: str
    retrieval: str
    experiment: str
    differences: tuple[Difference, ...]

    @property
    def name(self) -> str:
        return self.run if self.base == self.run else f"{self.base} → {self.run}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that is said of two sides.

    Attributes:
        comparable: whether documents, questions, model, judge and retrieval agree.
        unlike: what differs between them.
        notes: what a reader must know besides, in sentences.
        questions: number of questions that both were asked.
        lost: strategies of the base that the run planned and has no result of, with the reason.
        only_base, only_run: strategies that have no counterpart.
    """

    base: str
    run: str
    corpus: str
    comparable: bool
    unlike: tuple[Unlike, ...]
    notes: tuple[str, ...]
    questions: int
    split: str
    pairs: tuple[Pair, ...]
    lost: tuple[str, ...]
    only_base: tuple[str, ...]
    only_run: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def compare(
    base: Side,
    run: Side,
    *,
    base_strategy: str = "",
    with_strategies: Sequence[str] = (),
    measures: Sequence[str] = (),
    also: Sequence[str] = (),
) -> Comparison:
    """Compare a run with a base.

    Args:
        base_strategy: label of the base's strategy that all others are compared with; "" to
            compare each with the one of the same label.
        with_strategies: labels of the run's strategies to compare; empty for all.
        measures: names of measures; empty for the main ones.
        also: names of further measures.

    Raises:
        BadInput: there is nothing in both that could be compared, or a name is unknown.
    """
    matched = _matched(base, run, base_strategy, with_strategies)
    experiments = list(dict.fromkeys(new.experiment for _, new in matched))
    found = unlike(base, run, experiments)
    shared = [key for key, content in run.questions.items() if base.questions.get(key) == content]
    if not shared:
        raise BadInput(
            f"{base.name} and {run.name} have no question in common: questions are the same if "
            "id, wording, answers and evidence are"
        )
    names = _measures(base, run, matched, measures, also, judged_alike=not _has(found, "judge"))
    ideals = {experiment: _ideal(base, run, experiment) for experiment in experiments}
    columns = [_column(name, matched, base, run, shared, ideals) for name in names]
    pairs = tuple(
        Pair(
            old.label,
            new.label,
            *new.experiment,
            new.experiment.name,
            tuple(column[row] for column in columns),
        )
        for row, (old, new) in enumerate(matched)
    )
    olds, news = {old for old, _ in matched}, {new for _, new in matched}
    chosen = bool(base_strategy or with_strategies)
    return Comparison(
        base=base.name,
        run=run.name,
        corpus=run.corpus,
        comparable=not any(entry.matters for entry in found),
        unlike=tuple(found),
        notes=tuple(_notes(base, run, names, len(shared), ideals)),
        questions=len(shared),
        split=run.split,
        pairs=pairs,
        lost=tuple(
            f"{_written(key)} has no result in {run.name} ({run.without_result[key]})"
            for key in base.finished
            if key in run.without_result and not chosen
        ),
        only_base=() if chosen else _only(base.finished, olds, run.without_result),
        only_run=() if chosen else _only(run.finished, news, base.without_result),
    )


def _matched(
    base: Side, run: Side, base_strategy: str, with_strategies: Sequence[str]
) -> list[tuple[Configuration, Configuration]]:
    """The configurations to compare, in the order of the run's plan."""
    for side, wanted in ((base, [base_strategy] if base_strategy else []), (run, with_strategies)):
        labels = list(dict.fromkeys(key.label for key in side.finished))
        for label in wanted:
            if label not in labels:
                raise BadInput(_no_strategy(side, label, labels))
    if base.name == run.name and not base_strategy:
        raise BadInput(
            f"{run.name} is compared with itself: name two of its strategies with --base LABEL "
            "--with LABEL"
        )
    matched = []
    for new in run.finished:
        if with_strategies and new.label not in with_strategies:
            continue
        old = new._replace(label=base_strategy or new.label)
        itself = base.name == run.name and old == new
        if old in base.finished and not itself:
            matched.append((old, new))
    if not matched:
        raise BadInput(_nothing_matched(base, run))
    return matched


def _no_strategy(side: Side, label: str, labels: list[str]) -> str:
    lost = [why for key, why in side.without_result.items() if key.label == label]
    if lost:
        return f"{label} has no result in {side.name} ({lost[0]})"
    near = difflib.get_close_matches(label, labels, n=3) or labels[:_LISTED]
    return f"{side.name} has no strategy {label}; it has {', '.join(near)}"


def _nothing_matched(base: Side, run: Side) -> str:
    for side in (base, run):
        if not side.finished:
            return f"{side.name} has no strategy with a result: there is nothing to compare"
    models = [{key.experiment.name for key in side.finished} for side in (base, run)]
    if not models[0] & models[1]:
        return (
            f"{base.name} and {run.name} have no model and retrieval in common: "
            f"{', '.join(sorted(models[0]))} and {', '.join(sorted(models[1]))}"
        )
    listed = [
        ", ".join(list(dict.fromkeys(key.label for key in side.finished))[:_LISTED])
        for side in (base, run)
    ]
    return (
        f"{base.name} and {run.name} have no strategy in common ({listed[0]}; {listed[1]}): "
        "name two with --base LABEL --with LABEL"
    )


def _measures(
    base: Side,
    run: Side,
    matched: Iterable[tuple[Configuration, Configuration]],
    measures: Sequence[str],
    also: Sequence[str],
    *,
    judged_alike: bool,
) -> list[str]:
    """Names of the measures to compare; those asked for must be in both."""
    there = _measured_in_both(base, run, matched)
    asked = list(dict.fromkeys(str(parse_measure(name)) for name in [*measures, *also]))
    for name in asked:
        if name not in there:
            near = difflib.get_close_matches(name, there, n=3) or sorted(there)[:_LISTED]
            why = ""
            if name.partition("@")[2] in {base.cutoff, run.cutoff} and base.cutoff != run.cutoff:
                why = f" (a ranked list ends at {base.cutoff} in one, at {run.cutoff} in the other)"
            raise BadInput(
                f"{name} was not measured in both {base.name} and {run.name}{why}; there is "
                f"{', '.join(near)}"
            )
        if not judged_alike and parse_measure(name).family in GRADED:
            raise BadInput(
                f"{name} is made of the judge's grades, and the judges differ: take a measure of "
                "the evidence, as nDCG-index or Recall"
            )
    if measures:
        return asked
    cutoff = run.cutoff
    main = [
        f"nDCG@{cutoff}",
        f"nDCG-index@{cutoff}",
        f"Hit@{cutoff}",
        f"MRR@{cutoff}",
        "P@1",
        f"Recall@{cutoff}",
        "Ceiling",
        f"Tokens@{cutoff}",
    ]
    usable = [
        name
        for name in main
        if name in there and (judged_alike or parse_measure(name).family not in GRADED)
    ]
    return list(dict.fromkeys([*usable, *asked]))


def _measured_in_both(
    base: Side, run: Side, matched: Iterable[tuple[Configuration, Configuration]]
) -> set[str]:
    there: set[str] | None = None
    for old, new in matched:
        before, now = base.finished[old], run.finished[new]
        both = (before.scores.keys() & now.scores.keys()) | (
            before.values.keys() & now.values.keys()
        )
        there = both if there is None else there & both
    return there or set()


def _ideal(base: Side, run: Side, experiment: Experiment) -> dict[str, float]:
    """For each question, the higher of the two ideals; empty where they are the same."""
    old, new = base.ideals.get(experiment, {}), run.ideals.get(experiment, {})
    common = {key: max(old[key], new[key]) for key in old.keys() & new.keys()}
    alike = all(abs(old[key] - new[key]) <= 1e-9 for key in common)
    return {} if alike else common


def _column(
    name: str,
    matched: Sequence[tuple[Configuration, Configuration]],
    base: Side,
    run: Side,
    shared: Sequence[str],
    ideals: dict[Experiment, dict[str, float]],
) -> list[Difference]:
    """One measure of all pairs."""
    measure = parse_measure(name)
    sides = [(base.finished[old], run.finished[new]) for old, new in matched]
    if any(name not in before.scores or name not in now.scores for before, now in sides):
        values = [(before.values[name], now.values[name]) for before, now in sides]
        return [
            Difference(name, old, new, new - old, None, None, None, 0, "") for old, new in values
        ]
    keys = [
        key
        for key in shared
        if all(key in m.scores[name] for before_and_now in sides for m in before_and_now)
    ]
    if not keys:
        raise BadInput(f"no question that {base.name} and {run.name} share has {name}")
    tables: list[NDArray[np.float64]] = []
    for side, which in ((base, 0), (run, 1)):
        tables.append(
            np.array(
                [
                    [
                        both[which].scores[name][key]
                        * (_rescaled(side, pair[1].experiment, key, ideals) if _pools(name) else 1)
                        for key in keys
                    ]
                    for both, pair in zip(sides, matched, strict=True)
                ]
            )
        )
    differences = tables[1] - tables[0]
    differences[np.abs(differences) <= _EQUAL] = 0.0
    interval = bootstrap_interval(differences)
    p = _corrected(differences)
    return [
        Difference(
            name,
            float(tables[0][row].mean()),
            float(tables[1][row].mean()),
            float(interval.mean[row]),
            float(interval.low[row]),
            float(interval.high[row]),
            float(p[row]),
            len(keys),
            _direction(float(interval.mean[row]), float(p[row]), measure.higher_is_better),
        )
        for row in range(len(matched))
    ]


def _corrected(differences: NDArray[np.float64]) -> NDArray[np.float64]:
    """p of each row; one that differs in no question is no test, and corrects no other.

    The test is conditional on the sizes of the differences, so that leaving such a row out by
    them is no choice by the outcome.
    """
    tested = differences.any(axis=1)
    p = np.ones(len(differences))
    if tested.any():
        p[tested] = holm(permutation_tests(differences[tested]))
    return p


def _pools(name: str) -> bool:
    return name.startswith("nDCG@")


def _rescaled(
    side: Side, experiment: Experiment, key: str, ideals: dict[Experiment, dict[str, float]]
) -> float:
    """By how much a question's nDCG changes when it is taken against the common ideal."""
    common = ideals[experiment].get(key, 0.0)
    return side.ideals[experiment][key] / common if common else 1.0


def _direction(difference: float, p: float, higher_is_better: bool | None) -> str:
    if p >= ALPHA:
        return ""
    if higher_is_better is None:
        return "changed"
    return "better" if (difference > 0) == higher_is_better else "worse"


def _notes(
    base: Side,
    run: Side,
    names: Sequence[str],
    questions: int,
    ideals: dict[Experiment, dict[str, float]],
) -> list[str]:
    unfinished = dict.fromkeys(side.name for side in (base, run) if side.provisional)
    notes = [
        f"{name} is not finished: what is not there yet is not compared, and nDCG may fall."
        for name in unfinished
    ]
    if questions < FEW_QUESTIONS:
        notes.append(f"{questions} questions are few: below {FEW_QUESTIONS}, much is chance.")
    pooled = [name for name in names if _pools(name)]
    if pooled and any(ideals.values()):
        notes.append(
            f"The two runs found different passages, so {pooled[0]} is taken against one ideal for "
            "both, for each question the higher of the two: it is not the leaderboards' value."
        )
    return notes


def _only(
    ours: Iterable[Configuration], matched: set[Configuration], lost: dict[Configuration, str]
) -> tuple[str, ...]:
    return tuple(_written(key) for key in ours if key not in matched and key not in lost)


def _written(key: Configuration) -> str:
    return f"{key.label} ({key.experiment.name})"


def _has(found: Iterable[Unlike], what: str) -> bool:
    return any(entry.what == what for entry in found)
