"""What the gold builder says of a question set, a selection and a candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.questions.verbatim import line_number, occurrences
from chunkbench_tui.safe_text import shown
from chunkbench_tui.widgets.column_layout import Heading
from chunkbench_tui.widgets.line import Line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from chunkbench_engine.questions.gold import GoldCorpus, GoldRow, Suggestion
    from chunkbench_engine.questions.search import Candidate

ADVISED = 30
"""Questions that are advised: with fewer the leaderboard warns."""

HEADINGS = (
    Heading("question", "question", 20, wanted=200),
    Heading("place", "evidence", 18, wanted=30),
    Heading("category", "category", 12, weight=1),
    Heading("split", "split", 10, weight=2),
)


def status_text(corpus: GoldCorpus, file: Path, rows: Sequence[GoldRow]) -> str:
    """How far the question set is."""
    usable = sum(1 for row in rows if not row.problem)
    parts = [
        f"Gold · {shown(corpus.name)}",
        f"{usable} of the {ADVISED} advised" if usable < ADVISED else f"{usable} questions",
    ]
    if lacking := sum(row.lacks_evidence for row in rows):
        parts.append(f"{lacking} without evidence")
    if bad := sum(1 for row in rows if row.problem):
        parts.append(f"{bad} cannot be used")
    return " · ".join([*parts, shown(file.name)])


def selection_text(document: str, text: str, caret: int, span: tuple[int, int]) -> str:
    """Where the caret or the selection is, and whether it can be evidence."""
    start, end = span
    name = shown(document)
    if start == end:
        line = line_number(text, caret)
        return f"s selects the sentence, v begins, or the mouse · {name}:{line:,}"
    first, last = line_number(text, start), line_number(text, end - 1)
    lines = f"{first:,}" if first == last else f"{first:,}–{last:,}"
    # What one needs to know comes first: the end is cut where the line is narrow.
    place = f"{end - start:,} characters · {name}:{lines}"
    others = [at for at in occurrences(text, text[start:end]) if at != start]
    if not others:
        return f"occurs once · enter: its question · {place}"
    where = ", ".join(f"{line_number(text, at):,}" for at in others[:3])
    more = ", …" if len(others) > 3 else ""
    return f"also in line {where}{more} · x extends it, enter keeps its offsets · {place}"


def candidate_text(place: int, total: int, candidate: Candidate) -> str:
    """A passage that may answer the question in the list."""
    words = ", ".join(candidate.words)
    return shown(
        f"{place + 1} of {total} · A accepts, n next · {candidate.document}:{candidate.line:,} · "
        f"shares {words}"
    )


def suggestion_text(suggestion: Suggestion) -> str:
    """A question that a language model proposes."""
    return shown(f"A accepts, e edits, R rejects: {suggestion.question} {suggestion.answer}")


def row_lines(rows: Sequence[GoldRow]) -> list[Line]:
    """The rows of the file, newest last."""
    return [
        Line(
            row.line,
            (shown(row.question or row.id), place_text(row), shown(row.category), shown(row.split)),
            "bad" if row.problem else "muted" if row.lacks_evidence else "",
        )
        for row in rows
    ]


def place_text(row: GoldRow) -> str:
    """Where a row's evidence is, or why it has none."""
    if row.problem:
        return "cannot be used"
    if row.lacks_evidence:
        return "without evidence"
    if not row.evidence:
        return "unanswerable"
    mark = "model: " if row.synthetic else ""
    if len(row.evidence) > 1:
        return f"{mark}{len(row.evidence)} passages"
    return mark + shown(row.evidence[0][0][0])
