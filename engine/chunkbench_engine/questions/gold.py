"""What building a question set shows: documents, rows and candidates. Light: the app imports it."""

from __future__ import annotations

from dataclasses import dataclass

Place = tuple[str, int, int]
"""A document's id, and the start and end of a span in it."""

Places = tuple[tuple[Place, ...], ...]
"""Slots of alternative passages, as `Question.evidence` has them."""


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """A document that passages can be selected in; `characters` is its length."""

    id: str
    characters: int


@dataclass(frozen=True, slots=True)
class GoldCorpus:
    """Documents, and the file that questions about them go to.

    Attributes:
        root: the folder, absolute.
        name: of the folder or file.
        file: path of the question file; it may not exist yet.
        documents: in order of their ids.
        skipped: files that are not read.
    """

    root: str
    name: str
    file: str
    documents: tuple[GoldDocument, ...]
    skipped: int


@dataclass(frozen=True, slots=True)
class GoldRow:
    """A row of the question file.

    Attributes:
        line: index of its line in the file.
        id: as in `Question`, as are the following.
        question: what is asked; "" where the row cannot be read.
        evidence: where its passages stand; empty where it has a problem.
        answers: reference answers.
        category: one of the known ones, or as written.
        split: one of the known ones, or as written.
        synthetic: a language model proposed it.
        problem: why `run` would not take it, and what would mend it; "" if nothing.
    """

    line: int
    id: str
    question: str
    evidence: Places = ()
    answers: tuple[str, ...] = ()
    category: str = ""
    split: str = ""
    synthetic: bool = False
    problem: str = ""

    @property
    def lacks_evidence(self) -> bool:
        """Whether there is an answer to be found yet."""
        return not self.problem and not self.evidence and self.category != "unanswerable"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A question that a language model proposes.

    Attributes:
        question: in the model's words, as is the answer.
        answer: "" if it gave none.
        document: id of the document; the span in it is the evidence.
        start: offset of its first character.
        end: offset after its last; the text occurs once in the document.
        model: name and digest.
    """

    question: str
    answer: str
    document: str
    start: int
    end: int
    model: str
