"""The measures by the names people write: `nDCG@5`, `Hit@5`, `P@1`, `nDCG@2000t`.

Behind the `@` is where the ranked list ends: after so many passages, or with so many tokens (`t`).
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Literal

from chunkbench_engine.errors import BadInput

Unit = Literal["", "share", "tokens", "count", "seconds"]


@dataclass(frozen=True, slots=True)
class Family:
    """A measure without its cutoff.

    Attributes:
        title: what it says, for a person; `{top}` stands for the passages to its cutoff.
        has_cutoff: whether its name ends in `@k`, or in `@` and a budget of tokens.
        higher_is_better: direction; None where neither is.
        unit: "" for a score between 0 and 1; "share" for one shown in per cent; "tokens"; "count";
            "seconds" (shown in milliseconds).
    """

    title: str
    has_cutoff: bool = True
    higher_is_better: bool | None = True
    unit: Unit = ""


FAMILIES: dict[str, Family] = {
    "nDCG": Family("nDCG of the {top}, against all strategies' gains together"),
    "nDCG-index": Family("nDCG of the {top}, against the best chunks of its own index"),
    "Hit": Family("questions with a full answer in the {top}", unit="share"),
    "MRR": Family("mean reciprocal rank of the first full answer in the {top}"),
    "P": Family("share of the {top} that holds at least part of the answer", unit="share"),
    "ZeroHit": Family(
        "questions without a full answer in the {top}", higher_is_better=False, unit="share"
    ),
    "nDCG-sd": Family(
        "spread of nDCG over the questions, {top}: standard deviation", higher_is_better=False
    ),
    "nDCG-worst": Family("mean nDCG of the worst tenth of the questions, {top}"),
    "Recall": Family("questions whose whole evidence is in the {top}", unit="share"),
    "EvidenceRecall": Family("share of the evidence passages in the {top}", unit="share"),
    "Ceiling": Family(
        "questions whose whole evidence some chunk of the index holds",
        has_cutoff=False,
        unit="share",
    ),
    "Tokens": Family("tokens in the {top}", higher_is_better=False, unit="tokens"),
    "EvidenceShare": Family("share of the tokens in the {top} that is evidence", unit="share"),
    "RepeatShare": Family(
        "share of the tokens in the {top} that repeats text already retrieved",
        higher_is_better=False,
        unit="share",
    ),
    "IoU": Family("evidence in the {top}, over all its text and the evidence missed"),
    "TokenRecall": Family("share of the evidence's characters in the {top}", unit="share"),
    "TokenPrecision": Family(
        "share of the {top}'s characters that is evidence, repeated text counted again",
        unit="share",
    ),
    "PrecisionOmega": Family(
        "share of evidence in the chunks that hold it, with perfect retrieval",
        has_cutoff=False,
        unit="share",
    ),
    "AUC": Family(
        "how well the top score tells answerable from unanswerable questions", has_cutoff=False
    ),
    "ChunkTokens-mean": Family("tokens in a chunk, mean", False, None, "tokens"),
    "ChunkTokens-median": Family("tokens in a chunk, median", False, None, "tokens"),
    "ChunkTokens-min": Family("tokens in the shortest chunk", False, None, "tokens"),
    "ChunkTokens-max": Family("tokens in the longest chunk", False, None, "tokens"),
    "OverWindow": Family("chunks longer than the model's window", False, False, "share"),
    "BeginInside": Family("chunks that begin inside a sentence", False, False, "share"),
    "EndInside": Family("chunks that end inside a sentence", False, False, "share"),
    "TablesCut": Family("tables that no chunk holds whole", False, False, "count"),
    "FencesCut": Family("code fences that no chunk holds whole", False, False, "count"),
    "HeadingsLeft": Family("chunks that end with a heading", False, False, "count"),
    "Latency-median": Family("query in to ranked list out, median", False, False, "seconds"),
    "Latency-p90": Family("query in to ranked list out, 90th percentile", False, False, "seconds"),
    "Latency-p95": Family("query in to ranked list out, 95th percentile", False, False, "seconds"),
    "Latency-p99": Family("query in to ranked list out, 99th percentile", False, False, "seconds"),
    "Search-median": Family("search alone, median", False, False, "seconds"),
    "Search-p95": Family("search alone, 95th percentile", False, False, "seconds"),
}
"""Families by name; the names, with their cutoffs, are those in the store."""

_NAME = re.compile(r"([A-Za-z][A-Za-z0-9-]*)(?:@([1-9][0-9]*)(t?))?")
_FIRST_RANK = "questions whose first hit is a full answer"


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure with its cutoff, as in `nDCG@5`; `str()` gives the name used everywhere.

    Attributes:
        family: key of `FAMILIES`.
        k: cutoff, None where the family has none, or where that is a budget.
        budget: cutoff in tokens, None likewise.

    `P@1` is stricter than `P@k`: the first hit must be a full answer, as in the paper.
    """

    family: str
    k: int | None = None
    budget: int | None = None

    def __str__(self) -> str:
        if self.budget is not None:
            return f"{self.family}@{self.budget}t"
        return self.family if self.k is None else f"{self.family}@{self.k}"

    @property
    def title(self) -> str:
        if self.family == "P" and self.k == 1:
            return _FIRST_RANK
        top = f"top {self.k}" if self.budget is None else f"first {self.budget:,} tokens"
        return FAMILIES[self.family].title.format(top=top)

    @property
    def higher_is_better(self) -> bool | None:
        return FAMILIES[self.family].higher_is_better

    @property
    def unit(self) -> Unit:
        return FAMILIES[self.family].unit

    def format(self, value: float) -> str:
        """A value as it is shown: `0.612`, `61.2 %`, `1,240`, `3.4 ms`."""
        if self.unit == "share":
            return f"{value * 100:.1f} %"
        if self.unit == "seconds":
            return f"{value * 1000:.1f} ms"
        return f"{value:.3f}" if self.unit == "" else f"{value:,.0f}"


def parse_measure(name: str) -> Measure:
    """The measure of a name such as `nDCG@5`; capitals do not matter.

    Raises:
        BadInput: there is no such measure, or its cutoff is missing or out of place.
    """
    match = _NAME.fullmatch(name.strip())
    known = {family.lower(): family for family in FAMILIES}
    written = match.group(1).lower() if match else name.strip().lower()
    family = known.get(written)
    if match is None or family is None:
        near = difflib.get_close_matches(written.split("@")[0], known, n=1)
        hint = f"{known[near[0]]} is meant?" if near else f"There are {', '.join(FAMILIES)}."
        raise BadInput(f"There is no measure {name}; {hint}")
    cutoff = int(match.group(2)) if match.group(2) else None
    if FAMILIES[family].has_cutoff and cutoff is None:
        raise BadInput(f"Measure {name} needs a cutoff, as in {family}@5.")
    if not FAMILIES[family].has_cutoff and cutoff is not None:
        raise BadInput(f"Measure {name} takes no cutoff; write {family}.")
    return Measure(family, None, cutoff) if match.group(3) else Measure(family, cutoff)
