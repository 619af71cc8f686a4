"""Questions held against their documents, before anything is spent on them."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from chunkbench_engine.errors import BadInput
from chunkbench_engine.questions.locate import Located
from chunkbench_engine.questions.names import find_documents, nearest_documents
from chunkbench_engine.questions.question import CATEGORIES, SPLITS, Passage, Question
from chunkbench_engine.questions.reader import read_rows
from chunkbench_engine.questions.verbatim import MOST_OCCURRENCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from chunkbench_engine.documents.corpus import Corpus
    from chunkbench_engine.questions.row import RawPassage, RawRow

_SHOWN = 20
"""Problems listed in one message."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a row cannot be used, and what would mend it.

    Attributes:
        file: path of the question file, as given.
        row: see `RawRow`.
        question: the row's id.
        reason: a phrase.
        suggestion: a phrase, "" if there is none; a passage in it is a JSON string, ready to paste.
    """

    file: str
    row: int
    question: str
    reason: str
    suggestion: str = ""

    def __str__(self) -> str:
        line = f"{self.file}, row {self.row} ({self.question}): {self.reason}"
        return f"{line}; {self.suggestion}" if self.suggestion else line


class Checked(NamedTuple):
    """The rows that can be used, as questions, and the problems of those that cannot."""

    questions: tuple[Question, ...]
    problems: tuple[Problem, ...]


class _Bad(Exception):  # noqa: N818
    def __init__(self, reason: str, suggestion: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.suggestion = suggestion


def check(rows: Iterable[RawRow], corpus: Corpus) -> Checked:
    """Turn rows into questions whose evidence is spans of the corpus's documents.

    A row has at most one problem, the first found: its form, an empty question, an id used
    before, an unknown category or split, evidence on an unanswerable question, a document that is
    unknown or not clear, a span outside its document, a text that is not in its document (white
    space apart) or more than once in it.
    """
    finder = _Finder(corpus)
    first_use: dict[str, RawRow] = {}
    questions: list[Question] = []
    problems: list[Problem] = []
    for row in rows:
        earlier = first_use.setdefault(row.id, row)
        try:
            questions.append(_question(row, earlier, finder))
        except _Bad as bad:
            problems.append(Problem(row.file, row.row, row.id, bad.reason, bad.suggestion))
    return Checked(tuple(questions), tuple(problems))


def check_files(paths: Sequence[Path], corpus: Corpus) -> Checked:
    """Read and check several files as one set of questions; see `read_rows` and `check`."""
    stems = _stems(paths)
    return check((row for path in paths for row in read_rows(path, stems[path])), corpus)


def load_questions(
    paths: Sequence[Path], corpus: Corpus, skip_bad: bool = False
) -> tuple[Question, ...]:
    """The questions of some files.

    Args:
        paths: question files.
        corpus: the documents their evidence lies in.
        skip_bad: go on without the rows that have a problem.

    Raises:
        BadInput: a row has a problem and `skip_bad` is not set (the first 20 are listed), or no
            question is left.
    """
    questions, problems = check_files(paths, corpus)
    if problems and not skip_bad:
        raise BadInput(_report(len(questions), problems))
    if not questions:
        names = ", ".join(map(str, paths)) or "the files given"
        raise BadInput(f"{names}: there is no question that can be used.")
    return questions


def _report(usable: int, problems: Sequence[Problem]) -> str:
    total = usable + len(problems)
    lines = [f"{len(problems)} of {total} question rows cannot be used:"]
    lines += [str(problem) for problem in problems[:_SHOWN]]
    if len(problems) > _SHOWN:
        lines.append(f"... and {len(problems) - _SHOWN} more")
    lines.append("Mend these rows, or leave them out with --skip-bad-questions.")
    return "\n".join(lines)


def _stems(paths: Sequence[Path]) -> dict[Path, str]:
    """What generated ids begin with: the file's stem, with folders where stems coincide."""
    stems = {path: path.stem for path in paths}
    depth = 1
    longest = max((len(path.parts) for path in paths), default=0)
    while len(set(stems.values())) < len(stems) and depth < longest:
        counts = Counter(stems.values())
        stems = {
            path: "/".join((*path.parts[-depth - 1 : -1], path.stem)) if counts[stem] > 1 else stem
            for path, stem in stems.items()
        }
        depth += 1
    return stems


def _question(row: RawRow, earlier: RawRow, finder: _Finder) -> Question:
    if row.fault:
        raise _Bad(row.fault)
    if not row.text:
        raise _Bad("its question is empty")
    if earlier is not row:
        raise _Bad(f"its id is used before, in {earlier.file}, row {earlier.row}")
    _must_be_known("category", row.category, CATEGORIES)
    _must_be_known("split", row.split, SPLITS)
    if row.category == "unanswerable" and row.evidence:
        raise _Bad("it is unanswerable but has evidence", "drop the evidence or the category")
    evidence = tuple(
        tuple(finder.passage(passage) for passage in alternatives) for alternatives in row.evidence
    )
    return Question(row.id, row.text, evidence, row.answers, row.category, row.split, row.synthetic)


def _must_be_known(name: str, value: str, known: tuple[str, ...]) -> None:
    if value and value not in known:
        near = difflib.get_close_matches(value.lower(), known, n=1)
        suggestion = f"{near[0]} is meant?" if near else f"use one of {', '.join(known)}"
        raise _Bad(f"there is no {name} {value}", suggestion)


class _Finder:
    """Evidence to passages; what was looked up once (names, word positions) is kept."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._ids: dict[str, str] = {}
        self._located: dict[str, Located] = {}

    def passage(self, raw: RawPassage) -> Passage:
        document = self._document(raw.document)
        located = self._located.get(document)
        if located is None:
            located = self._located[document] = Located(self._corpus.by_id[document].text)
        if raw.start is None or raw.end is None:
            return Passage(document, *_by_text(raw.text or "", document, located))
        start, end = _by_span(raw.start, raw.end, document, located.text)
        if raw.text is not None:
            _must_agree(raw.text, start, end, located)
        return Passage(document, start, end)

    def _document(self, name: str) -> str:
        if not name:
            raise _Bad("its evidence names no document")
        if name not in self._ids:
            found = find_documents(name, self._corpus)
            if not found:
                near = nearest_documents(name, self._corpus)
                suggestion = f"nearest: {', '.join(near)}" if near else ""
                raise _Bad(f"there is no document {name}", suggestion)
            if len(found) > 1:
                some = ", ".join(found[:3]) + (", ..." if len(found) > 3 else "")
                reason = f"document {name} may mean any of {len(found)} documents"
                raise _Bad(reason, f"write one of {some}")
            self._ids[name] = found[0]
        return self._ids[name]


def _by_span(start: int, end: int, document: str, text: str) -> tuple[int, int]:
    if not 0 <= start < end <= len(text):
        raise _Bad(
            f"its evidence {start}-{end} is no span of {document}, "
            f"which has {len(text):,} characters"
        )
    if not text[start:end].strip():
        raise _Bad(f"its evidence {start}-{end} in {document} is only white space")
    return start, end


def _by_text(wanted: str, document: str, located: Located) -> tuple[int, int]:
    if not wanted.strip():
        raise _Bad("its evidence is an empty text")
    spans = located.find(wanted)
    if len(spans) == 1:
        return spans[0]
    if spans:
        places = ", ".join(f"{start}-{end}" for start, end in spans[:5])
        more = ", ..." if len(spans) > 5 else ""
        count = f"{len(spans)} times" if len(spans) < MOST_OCCURRENCES else "very often"
        raise _Bad(
            f"its evidence {_short(wanted)} occurs {count} in {document}",
            f"use a longer text, or give start and end: {places}{more}",
        )
    near = located.nearest(wanted)
    suggestion = f"the document has: {json.dumps(near, ensure_ascii=False)}" if near else ""
    raise _Bad(f"its evidence {_short(wanted)} is not in {document}", suggestion)


def _must_agree(wanted: str, start: int, end: int, located: Located) -> None:
    there = located.text[start:end]
    if there.split() == wanted.split():
        return
    spans = located.find(wanted)
    places = ", ".join(f"{found[0]}-{found[1]}" for found in spans[:5])
    raise _Bad(
        f"its evidence {_short(wanted)} is not at {start}-{end}, where {_short(there)} stands",
        f"it is at {places}" if places else "",
    )


def _short(text: str) -> str:
    """The beginning of a text on one line, in quotes."""
    line = " ".join(text.split())
    return json.dumps(line if len(line) <= 60 else line[:57] + "...", ensure_ascii=False)
