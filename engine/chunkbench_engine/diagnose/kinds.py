"""The kinds of finding: what each is called, what it is a share of, and its remedy.

Light on purpose: the app and the command line read it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Base = Literal["chunks", "compared", "tables", "fences", "characters"]
"""What a count is a share of; `compared` are the chunks whose neighbours were looked up."""

LEAST_TOKENS = 8
"""A chunk of fewer cl100k_base tokens is a fragment: some six words."""
NEAR = 0.95
"""Chunks whose vectors have this cosine or more are near-duplicates."""
HUB_FACTOR = 5
"""A hub is a neighbour of so many times more chunks than its share, which is k."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of finding.

    Attributes:
        title: what its count says, for a person.
        short: the same as the heading of a column.
        base: what the count is a share of.
        by_vectors: whether it depends on the embedding model.
        remedy: one sentence.
        values: what the value of one finding means; `{value}` stands for it. Of several the one
            with that number, from 1; empty if it says nothing.
    """

    title: str
    short: str
    base: Base
    by_vectors: bool
    remedy: str
    values: tuple[str, ...] = ()


KINDS: dict[str, Kind] = {
    "uncovered": Kind(
        "text in no chunk, in characters",
        "lost",
        "characters",
        False,
        "No question can find this text: take a strategy that keeps all of it, "
        "or check that yours means to leave it out.",
        ("{value:,.0f} characters in no chunk",),
    ),
    "beyond_window": Kind(
        "beyond the model's window",
        "beyond",
        "chunks",
        True,
        "The model does not see their end: make chunks shorter than the window, "
        "or take a model with a longer one.",
        ("{value:,.0f} of the model's tokens",),
    ),
    "cut_tables": Kind(
        "cut tables: no chunk holds them whole",
        "tables",
        "tables",
        False,
        "Rows are parted from their header: MDC keeps a table whole where it fits, and repeats "
        "the header where it does not.",
        ("{value:,.0f} chunks share it",),
    ),
    "cut_fences": Kind(
        "cut code blocks: no chunk holds them whole",
        "code",
        "fences",
        False,
        "Half a program answers little: MDC keeps a code block whole where it fits; "
        "else raise the size.",
        ("{value:,.0f} chunks share it",),
    ),
    "stranded_headings": Kind(
        "stranded headings: a chunk ends with one",
        "headings",
        "chunks",
        False,
        "The heading is parted from what it heads: HAC begins a chunk at each heading.",
    ),
    "wordless": Kind(
        "wordless: no letter in the chunk",
        "no letter",
        "chunks",
        False,
        "Rules, page numbers and bare figures take places in the top k: "
        "remove them from the documents, or pack them into larger chunks.",
    ),
    "fragments": Kind(
        f"fragments: fewer than {LEAST_TOKENS} tokens",
        "fragments",
        "chunks",
        False,
        "Too short to say what they are about: raise the size, or pack small pieces together "
        "as PPC and LAC do.",
        ("length {value:,.0f}",),
    ),
    "duplicates": Kind(
        "duplicates: another chunk has the same text",
        "same text",
        "chunks",
        False,
        "Copies fill the top k with one text: remove what repeats (headers, footers, "
        "licences) from the documents.",
        ("{value:,.0f} copies",),
    ),
    "near_duplicates": Kind(
        f"near-duplicates: cosine {NEAR} or more to another",
        "near same",
        "compared",
        True,
        "The model can hardly tell them apart: remove repeated text, or take larger chunks so "
        "that what differs is in them.",
        ("{value:,.0f} nearly the same",),
    ),
    "hubs": Kind(
        f"hubs: a neighbour {HUB_FACTOR} times as often as its share",
        "hubs",
        "compared",
        True,
        "Hubs turn up for many questions that they do not answer: remove boilerplate from the "
        "documents, and let short general passages be part of larger chunks.",
        ("a neighbour of {value:,.0f} chunks",),
    ),
    "orphans": Kind(
        "orphans: a neighbour of no other chunk",
        "orphans",
        "compared",
        True,
        "No error in itself, as some chunks always are and a question in their own words finds "
        "them: read the first few, and where they mix topics or say little, try another size.",
        ("nearest cosine {value:.2f}",),
    ),
    "cut_sentences": Kind(
        "cut sentences: the chunk begins or ends in one",
        "cut",
        "chunks",
        False,
        "What a sentence says is split over two chunks: LAC and SGC end where sentences do.",
        ("begins inside one", "ends inside one", "begins and ends inside one"),
    ),
}
"""By name, those that matter most first."""

KINDS_BY_STRUCTURE = tuple(
    name for name, kind in KINDS.items() if not kind.by_vectors and name != "duplicates"
)
"""Those that one document's chunks show by themselves."""


def said(kind: str, value: float) -> str:
    """What the value of one finding means; "" where its kind has none."""
    values = KINDS[kind].values
    if len(values) > 1:
        return values[int(value) - 1]
    return values[0].format(value=value) if values else ""


def ails_at_end(kind: str, value: float) -> bool:
    """Whether what ails a chunk is seen at its end."""
    return kind in ("stranded_headings", "beyond_window") or (kind, value) == ("cut_sentences", 2)


def share(name: str, counts: Mapping[str, float]) -> float | None:
    """A count as a share of its base; None where that is not known, 0 where there is none."""
    if name not in counts:
        return None
    base = counts[KINDS[name].base]
    return counts[name] / base if base else 0.0
