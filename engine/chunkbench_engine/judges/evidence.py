"""The evidence judge: grades by the spans in which the answer is known to stand. No model."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkbench_engine.judges.judge import FULL, PARTIAL, Grade
from chunkbench_engine.questions.question import Passage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from chunkbench_engine.judges.judge import RetrievedChunk
    from chunkbench_engine.judges.spans import Spans
    from chunkbench_engine.questions.question import Question


JUDGE = "evidence"


class _Evidence(NamedTuple):
    slot: int
    start: int
    end: int


class EvidenceJudge:
    """Grades a retrieved span of document d against the question's evidence in d.

    * 2: for *every* slot that has a passage in d, the span holds one of that slot's passages in d
      whole; and there is at least one such slot.
    * 1: not so, but the span overlaps one of the passages.
    * 0: otherwise.

    So a slot with alternatives asks for one of them only; a slot all of whose passages lie in
    other documents is not asked of a span in d. White space at a passage's ends does not count.

    Args:
        texts: canonical text by document id, of at least the documents with evidence.
    """

    id = JUDGE

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._trimmed: dict[Passage, Passage] = {}

    async def grade(self, question: Question, retrieved: RetrievedChunk) -> Grade:
        """The grade of one span; see the class. Raises ValueError if there is no evidence."""
        if not question.evidence:
            raise ValueError(f"question {question.id} has no evidence to judge by")
        evidence = self._in_document(question, retrieved.document)
        slots = {passage.slot for passage in evidence}
        held = {
            passage.slot
            for passage in evidence
            if retrieved.start <= passage.start and passage.end <= retrieved.end
        }
        if held:
            return Grade(FULL if held == slots else PARTIAL, _holds(len(held), len(slots)))
        for passage in evidence:
            start, end = max(passage.start, retrieved.start), min(passage.end, retrieved.end)
            if start < end:
                return Grade(PARTIAL, f"overlaps the evidence at characters {start}-{end}")
        return Grade(0, "no evidence in it")

    def grade_all(self, question: Question, spans: Spans) -> NDArray[np.int8]:
        """Grades of many spans, `(n,)`; equal to `grade` of each."""
        grades = np.zeros(len(spans), dtype=np.int8)
        for document in {passage.document for slot in question.evidence for passage in slot}:
            rows = spans.rows(document)
            evidence = self._in_document(question, document)
            start, end = spans.start[rows], spans.end[rows]
            overlaps = np.zeros(len(start), dtype=bool)
            held = {slot: np.zeros(len(start), dtype=bool) for slot, _, _ in evidence}
            for slot, first, last in evidence:
                held[slot] |= (start <= first) & (last <= end)
                overlaps |= np.maximum(start, first) < np.minimum(end, last)
            whole = np.logical_and.reduce(list(held.values()))
            grades[rows] = np.where(whole, FULL, np.where(overlaps, PARTIAL, 0))
        return grades

    def slots_held(self, question: Question, spans: Spans) -> NDArray[np.bool_]:
        """Which span holds a passage of which slot whole: `(slots, n)`."""
        held = np.zeros((len(question.evidence), len(spans)), dtype=bool)
        for number, slot in enumerate(question.evidence):
            for passage in map(self._trim, slot):
                rows = spans.rows(passage.document)
                start, end = spans.start[rows], spans.end[rows]
                held[number, rows] |= (start <= passage.start) & (passage.end <= end)
        return held

    def _in_document(self, question: Question, document: str) -> list[_Evidence]:
        return [
            _Evidence(number, trimmed.start, trimmed.end)
            for number, slot in enumerate(question.evidence)
            for passage in slot
            if passage.document == document
            for trimmed in (self._trim(passage),)
        ]

    def _trim(self, passage: Passage) -> Passage:
        """The passage without white space at its ends."""
        trimmed = self._trimmed.get(passage)
        if trimmed is None:
            text = self._texts[passage.document][passage.start : passage.end]
            if not text.strip():
                raise ValueError(f"evidence without text: {passage}")
            start = passage.start + len(text) - len(text.lstrip())
            trimmed = Passage(passage.document, start, start + len(text.strip()))
            self._trimmed[passage] = trimmed
        return trimmed


def _holds(held: int, slots: int) -> str:
    if held < slots:
        return f"holds {held} of {slots} evidence passages"
    return "holds the evidence" if slots == 1 else f"holds all {slots} evidence passages"
