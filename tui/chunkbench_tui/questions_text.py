"""Questions, evidence and hits as lines and text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from chunkbench_tui.safe_text import shown, shown_lines
from chunkbench_tui.widgets.column_layout import Heading
from chunkbench_tui.widgets.line import Line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_store.questions import (
        EvidencePassage,
        Passage,
        QuestionDetail,
        QuestionEntry,
        QuestionList,
        RankedHit,
    )
    from chunkbench_store.strategies import StrategyEntry
    from chunkbench_tui.questions_view import Narrowing

WIDEST_ID = 16
"""Cells of a question's id, so that long ones leave room for the question."""
GRADES = {None: "not judged", 0: "0 none", 1: "1 partial", 2: "2 full"}
_TITLE, _MUTED = "bold $text-primary", "$foreground-muted"
_QUOTED = 300


def question_headings(
    questions: Sequence[QuestionEntry], cutoff: str, *, compared: bool
) -> list[Heading]:
    """The headings of the list of questions; with two scores where two strategies are compared."""
    widest = max((len(shown(entry.key)) for entry in questions), default=2)
    ndcg = f"A nDCG@{cutoff}" if compared else f"nDCG@{cutoff}"
    return [
        Heading("hit", "hit", 4),
        Heading("ndcg", ndcg, len(ndcg), right=True),
        *([Heading("beside", "B", 5, right=True)] if compared else []),
        Heading("key", "id", 8, wanted=min(widest, WIDEST_ID)),
        Heading("text", "question", 20, wanted=500, weight=1),
        Heading("category", "category", 13, weight=2),
    ]


def question_line(entry: QuestionEntry, *, compared: bool) -> Line:
    """A question in the list: whether the strategy found an answer, and how well it did."""
    found = {None: "", True: "yes", False: "NO"}[entry.hit]
    return Line(
        entry.id,
        (
            found if entry.answerable else "none",
            "" if entry.ndcg is None else f"{entry.ndcg:.3f}",
            *([] if not compared else ["" if entry.beside is None else f"{entry.beside:.3f}"]),
            shown(entry.key),
            shown(entry.text),
            shown(entry.category),
        ),
        "bad" if entry.hit is False else "",
    )


def hit_headings(hits: Sequence[RankedHit]) -> list[Heading]:
    """The headings of a list of hits; the person's own grades where there is one."""
    own = any(hit.yours is not None for hit in hits)
    return [
        Heading("rank", "#", 2, right=True),
        Heading("grade", "grade", 10),
        *([Heading("yours", "you", 3, right=True)] if own else []),
        Heading("score", "score", 6, right=True, weight=2),
        Heading("place", "place", 20, wanted=60, weight=1),
        Heading("reason", "judge's reason", 18, wanted=300, weight=3),
    ]


def hit_line(hit: RankedHit, *, own: bool) -> Line:
    """A hit: the grade in words, so that it is not said by colour alone."""
    tone = {2: "good", 1: "good", 0: "muted"}.get(hit.grade if hit.grade is not None else -1, "")
    return Line(
        hit.rank,
        (
            str(hit.rank),
            GRADES[hit.grade],
            *([] if not own else ["" if hit.yours is None else str(hit.yours)]),
            f"{hit.score:.3f}",
            place_text(hit.passage),
            shown(hit.reason),
        ),
        tone,
    )


def place_text(passage: Passage) -> str:
    """Document and characters of a passage, the end of a long name first."""
    return f"{passage.start:,}–{passage.end:,} {shown(passage.name)}"


def question_text(detail: QuestionDetail) -> Content:
    """The question, its answers, and the passages that answer it with their text."""
    parts = [Content.styled(shown(detail.text), "bold")]
    if detail.answers:
        parts.append(Content(f"answer: {'; '.join(map(shown, detail.answers))}"))
    if not detail.evidence:
        unknown = detail.answers and detail.category != "unanswerable"
        why = "it is not given" if unknown else "the documents do not answer this question"
        parts.append(Content.styled(f"no evidence: {why}", _MUTED))
    several = len({one.slot for one in detail.evidence}) > 1
    parts += [_evidence_text(one, several) for one in detail.evidence]
    return Content("\n").join(parts)


def _evidence_text(one: EvidencePassage, several: bool) -> Content:
    """Evidence with its place; which part it is of, where several are needed."""
    what = f"part {one.slot + 1}" if several else "evidence"
    if one.alternative:
        what = f"  or {what}" if several else "  or"
    text = shown(" ".join(one.passage.text.split()))
    quoted = f"{text[:_QUOTED]}…" if len(text) > _QUOTED else text
    return Content.assemble(
        (f"E {what} ", _TITLE), (f"{place_text(one.passage)}: ", _MUTED), quoted
    )


def passage_text(hit: RankedHit) -> Content:
    """The passage of a hit in full, under what the judge said of it."""
    said = f": {shown(hit.reason)}" if hit.reason else ""
    said += "" if hit.yours is None else f" · you: {GRADES[hit.yours]}"
    cut = hit.passage.end - hit.passage.start - len(hit.passage.text)
    more = f"\n… and {cut:,} characters" if cut > 0 else ""
    return Content.assemble(
        (f"Hit {hit.rank}, {GRADES[hit.grade]}{said}", _TITLE),
        f"\n{shown_lines(hit.passage.text)}{more}",
    )


def no_hits_text(entry: StrategyEntry, detail: QuestionDetail) -> str:
    """Why there are no hits of a strategy."""
    label = shown(entry.label)
    if detail.retrieved:
        return f"{label} found nothing: it has no chunks"
    if entry.state in ("failed", "unavailable", "cancelled"):
        reason = f": {shown(entry.reason)}" if entry.reason else ""
        return f"{label} is {entry.state}{reason}"
    return f"{label} is {entry.state}: its hits come when its chunks are embedded and searched"


def empty_text(narrowing: Narrowing, entry: StrategyEntry) -> str:
    """Why no question is listed."""
    if narrowing.differ:
        return "A and B score the same on each of these questions. D shows all of them."
    if not narrowing.failures:
        return "This run has no questions: 8 builds some."
    if entry.state != "finished":
        return "No failure known yet: this strategy is not scored. F shows all questions."
    return "No failure: every answerable question has a hit. F shows all questions."


def listed_text(listed: QuestionList, narrowing: Narrowing) -> str:
    """How many questions are listed, and which."""
    what = "failure" if narrowing.failures else "question"
    text = f"{listed.total:,} {what}{'' if listed.total == 1 else 's'}"
    if narrowing.differ:
        text += " where A and B differ"
    if listed.total > len(listed.entries):
        text += f", the first {len(listed.entries):,} shown"
    return text
