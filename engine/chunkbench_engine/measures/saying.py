"""A verdict in plain words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from chunkbench_engine.counted import counted
from chunkbench_engine.measures.verdict import ALPHA, NAMED_FROM, POWER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_engine.measures.verdict import Cheapest, Verdict

LISTED = 8
"""Labels listed before the rest is only counted."""
TEST = f"paired permutation test, Holm-corrected, {ALPHA * 100:.0f} %"


def say(verdict: Verdict) -> list[str]:
    """The verdict in sentences, the main one first."""
    said = [_headline(verdict)]
    if verdict.tied:
        how = "Not told apart from it" if verdict.named else "Still in play, not told apart from it"
        said.append(f"{how} ({TEST}): {_listed(verdict.tied)}.")
        if verdict.ruled_out:
            said.append(f"Ruled out: {_listed(verdict.ruled_out)}.")
    elif verdict.ruled_out:
        said.append(f"All others are ruled out ({TEST}).")
    said += _more_questions(verdict)
    if verdict.cheapest:
        said.append(f"Cheapest of those in play: {', '.join(map(_cost, verdict.cheapest))}.")
    if verdict.chosen is not None:
        chosen = verdict.chosen
        said.append(
            f"Chosen on the {counted(chosen.questions, 'question')} of dev, "
            f"it would be {chosen.label}: "
            f"{chosen.dev:.3f} there, {chosen.reported:.3f} on {verdict.split}."
        )
    return [*said, *verdict.notes]


def _headline(verdict: Verdict) -> str:
    leader = verdict.leader
    if verdict.same_as_leader:
        leader += f" (the same chunks: {_listed(verdict.same_as_leader)})"
    over = counted(verdict.questions, "question")
    if verdict.split:
        over += f" of {verdict.split}"
    if not verdict.runner_up:
        return f"There is nothing to compare {leader} with: no other chunks were measured."
    # Rounded down: what is not named must not look as if it should have been.
    share = f"{math.floor(verdict.selection * 1000) / 10:.1f} %"
    if verdict.named:
        wins = "wins, though not beyond doubt" if verdict.tied else "wins"
        return f"{leader} {wins}: it comes first in {share} of the bootstrap resamples of {over}."
    return (
        f"No winner: {leader} leads, but comes first in only {share} of the bootstrap "
        f"resamples of {over}; a winner does in {NAMED_FROM * 100:.0f} %."
    )


def _more_questions(verdict: Verdict) -> list[str]:
    pair = f"{verdict.leader} from {verdict.runner_up}"
    if verdict.runner_up not in verdict.tied:
        return []
    if verdict.questions_needed is None:
        return [f"How many more questions would tell {pair} cannot be said: {_why(verdict)}."]
    return [
        f"About {counted(_rounded(verdict.questions_needed), 'more question')} like these would "
        f"tell {pair}, if their difference stays {verdict.difference:.3f} "
        f"(power {POWER * 100:.0f} %); likely more, as a lead shrinks."
    ]


def _why(verdict: Verdict) -> str:
    if verdict.questions < 2:
        return "one question has no spread"
    return "their means are equal"


def _rounded(number: int) -> int:
    """Up to two significant digits: more would be make-believe."""
    step: int = 10 ** max(0, len(str(number)) - 2)
    return -(-number // step) * step


def _cost(cheapest: Cheapest) -> str:
    amount = {
        "context tokens": f"context, {cheapest.value:,.0f} tokens",
        "index bytes": f"index, {cheapest.value / 1e6:,.1f} MB",
        "cold seconds": f"chunking alone, {cheapest.value:,.2f} s",
    }[cheapest.cost]
    return f"{cheapest.label} ({amount})"


def _listed(labels: Sequence[str]) -> str:
    shown = ", ".join(labels[:LISTED])
    rest = len(labels) - LISTED
    return f"{shown} and {rest} more" if rest > 0 else shown
