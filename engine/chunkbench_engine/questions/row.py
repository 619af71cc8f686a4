"""A question as it stands in a file, before it is held against the documents."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RawPassage:
    """Evidence as written: a text, or a span, or both (then they must agree).

    `document` is the name as written, "" if none was given; `start` and `end` are characters of
    the canonical text, both or neither.
    """

    document: str
    text: str | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row of a question file.

    Attributes:
        file: path of the file, as given.
        row: line in a JSONL file; row in a CSV file as a spreadsheet numbers it (the header is
            row 1); item of a JSON list, from 1.
        id: as written, or `<file stem>-<row>` where none is given.
        text: the question.
        evidence: slots of alternative passages, as in `Question`.
        answers: reference answers.
        category: as written.
        split: as written.
        synthetic: whether the row says that a language model proposed it.
        fault: what is wrong with the row's form, "" if nothing. A row with a fault carries no
            more than could be read of it.
    """

    file: str
    row: int
    id: str
    text: str = ""
    evidence: tuple[tuple[RawPassage, ...], ...] = ()
    answers: tuple[str, ...] = ()
    category: str = ""
    split: str = ""
    synthetic: bool = False
    fault: str = ""
