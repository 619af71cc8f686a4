"""What to try next, from what a run has shown: sentences for a person."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chunkbench_engine.measures.verdict import Verdict

LOW_CEILING = 0.9
"""A ceiling below this is worth a sentence: chunking alone loses these questions."""
WIDE_GAP = 0.15
"""So much of the questions between ceiling and hits is worth one: retrieval loses these."""
OVER_WINDOW = 0.02
"""Share of chunks beyond the model's window that is worth one."""
MUCH_CHEAPER = 0.8
"""A strategy in play is worth naming if it hands on at most this share of the leader's tokens."""

LOWER_HIT = 0.05
"""A cheaper strategy that answers so many fewer questions in full is not praised without it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a finished configuration of an experiment came to; shares are between 0 and 1.

    Attributes:
        strategy: abbreviation; outcomes that share it are settings of one strategy.
        parameters: all of them.
        hit: share of the questions with a full answer in what was retrieved.
        ceiling: share that any chunk of the index answers whole; None without evidence.
        tokens: handed on for a question, mean.
        over_window: share of the chunks that the model's window cuts.
    """

    label: str
    strategy: str
    hit: float
    ceiling: float | None
    tokens: float
    over_window: float
    parameters: Mapping[str, Any] = field(default_factory=dict)


def next_steps(
    verdict: Verdict, outcomes: Sequence[Outcome], retrieval: str, tried: Sequence[str]
) -> list[str]:
    """What would most likely help, the most telling first.

    Args:
        outcomes: of the verdict's experiment; the leader is found among them by its label.
        retrieval: the experiment's.
        tried: the ways of retrieving that the run has.
    """
    by_label = {outcome.label: outcome for outcome in outcomes}
    leader = by_label.get(verdict.leader)
    if leader is None:
        return []
    found = [
        _edge(leader, outcomes),
        _ceiling(leader, outcomes),
        _gap(leader, retrieval, tried),
        _window(leader),
        _cheaper(leader, [by_label[label] for label in verdict.tied if label in by_label]),
        _questions(verdict),
    ]
    return [sentence for sentence in found if sentence]


def _edge(leader: Outcome, outcomes: Sequence[Outcome]) -> str:
    """The best of a sweep at its end: the best may lie beyond it."""
    settings = [outcome for outcome in outcomes if outcome.strategy == leader.strategy]
    ends = []
    for name, value in leader.parameters.items():
        others = {
            setting.parameters[name]
            for setting in settings
            if _number(setting.parameters.get(name)) and _apart_only_in(setting, leader, name)
        }
        if not _number(value) or len(others) < 3:
            continue
        if value == max(others):
            ends.append(f"{name}={value:g} is the largest that was run, so try more")
        elif value == min(others) and value > 0:
            ends.append(f"{name}={value:g} is the smallest that was run, so try less")
    if not ends:
        return ""
    return f"The best of {leader.strategy} lies at the end of its sweep: {'; '.join(ends)}."


def _ceiling(leader: Outcome, outcomes: Sequence[Outcome]) -> str:
    if leader.ceiling is None or leader.ceiling >= LOW_CEILING:
        return ""
    highest = max(outcomes, key=lambda outcome: outcome.ceiling or 0.0)
    better = ""
    if (highest.ceiling or 0.0) >= leader.ceiling + 0.05:
        better = f" {highest.label} leaves more whole, {_percent(highest.ceiling or 0.0)}."
    return (
        f"Only {_percent(leader.ceiling)} of the questions are answered whole by some chunk of "
        f"{leader.label}; it cuts the evidence of the others. Larger chunks, or overlap, raise "
        f"that.{better}"
    )


def _gap(leader: Outcome, retrieval: str, tried: Sequence[str]) -> str:
    if leader.ceiling is None or leader.ceiling - leader.hit < WIDE_GAP:
        return ""
    ways = [way for way in ("hybrid", "rerank") if way not in tried and retrieval != way]
    how = f"--retrieval {' or '.join(ways)}, or another model" if ways else "another model"
    return (
        f"{_percent(leader.ceiling - leader.hit)} of the questions are answered whole by a chunk "
        f"of {leader.label} that is not retrieved: that is retrieval's loss, not the chunking's. "
        f"Try {how}."
    )


def _window(leader: Outcome) -> str:
    if leader.over_window < OVER_WINDOW:
        return ""
    return (
        f"{_percent(leader.over_window)} of the chunks of {leader.label} are longer than the "
        "model's window, which leaves their ends out: smaller chunks, or a model with a longer one."
    )


def _cheaper(leader: Outcome, tied: Sequence[Outcome]) -> str:
    least = min(tied, key=lambda outcome: outcome.tokens, default=leader)
    if not 0 < least.tokens <= MUCH_CHEAPER * leader.tokens:
        return ""
    price = ""
    if least.hit <= leader.hit - LOWER_HIT:
        price = (
            f"; but only {_percent(least.hit)} of the questions have a full answer in them, "
            f"not {_percent(leader.hit)}"
        )
    return (
        f"{least.label} cannot be told apart from {leader.label} by nDCG, and hands on "
        f"{_percent(1 - least.tokens / leader.tokens)} fewer tokens a question: it is the cheaper "
        f"choice where context costs money{price}."
    )


def _questions(verdict: Verdict) -> str:
    if verdict.named or not verdict.runner_up:
        return ""
    return (
        "More questions make the answer surer; those on which the first few disagree are the most "
        "telling ones to look at."
    )


def _apart_only_in(setting: Outcome, leader: Outcome, name: str) -> bool:
    return all(
        setting.parameters.get(other) == value
        for other, value in leader.parameters.items()
        if other != name
    )


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"
