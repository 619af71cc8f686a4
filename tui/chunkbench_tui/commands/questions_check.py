"""`questions check`: a question file held against its documents, as a gate."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkbench_engine.errors import BadInput
from chunkbench_tui.commands.options import AsJson
from chunkbench_tui.console import say, write

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chunkbench_engine.documents.corpus import Corpus
    from chunkbench_engine.questions.check import Checked
    from chunkbench_engine.questions.question import Question

ADVISED = 30
"""Questions below which the leaderboard warns."""

File = Annotated[Path, typer.Argument(metavar="FILE", help="Question file: .jsonl, .json or .csv.")]
Documents = Annotated[
    Path | None,
    typer.Argument(metavar="CORPUS", help="Documents; the file's own folder if not named."),
]


def check(
    file: File,
    corpus: Documents = None,
    as_json: AsJson = False,
) -> None:
    """Check every row of a question file.

    Exit status: 0 every row can be used, 1 a row cannot or nothing could be graded, 2 the file or
    the documents cannot be read.
    """
    from chunkbench_engine.questions.check import check_files

    checked = check_files([file], documents_of(file, corpus))
    fault = _fault(file, checked)
    if as_json:
        write(json.dumps(_as_json(file, checked, fault), ensure_ascii=False, indent=2) + "\n")
    else:
        for problem in checked.problems:
            say(str(problem))
        if fault:
            say(fault)
        for line in _summary(checked):
            say(line)
    if checked.problems or fault:
        raise typer.Exit(1)


def documents_of(file: Path, corpus: Path | None) -> Corpus:
    """The documents that are named, or those that lie where the question file does."""
    from chunkbench_engine.documents.corpus import load_corpus

    if not file.is_file():
        raise BadInput(f"{file} does not exist; give a question file.")
    return load_corpus(corpus or file.parent, apart=[file])


def _fault(file: Path, checked: Checked) -> str:
    """Why nothing could be measured with the questions that can be used; "" if something can."""
    from chunkbench_engine.judges.choice import choose_judge

    if not checked.questions:
        return "" if checked.problems else f"{file}: there is no question in it."
    try:
        choose_judge("", checked.questions)
    except BadInput as error:
        return f"{file}: {error}"
    return ""


def _summary(checked: Checked) -> list[str]:
    """What is in the set, in short lines."""
    questions, problems = checked
    total = len(questions) + len(problems)
    if problems:
        first = f"{len(problems)} of {total} question rows cannot be used."
    else:
        first = f"All {total} question rows can be used." if total != 1 else "The row can be used."
    without = _without_evidence(questions)
    lines = [first]
    if questions:
        lines.append(f"Categories: {_counts(question.category for question in questions)}.")
        lines.append(f"Splits: {_counts(question.split for question in questions)}.")
    if without:
        lines.append(
            f"{without} without evidence: find it with chunkbench-tui questions find, or press 8 "
            "in the app."
        )
    if synthetic := sum(question.synthetic for question in questions):
        lines.append(f"{synthetic} proposed by a language model.")
    answerable = sum(question.answerable for question in questions)
    if answerable < ADVISED:
        lines.append(f"{answerable} answerable of the {ADVISED} advised.")
    return lines


def _without_evidence(questions: Sequence[Question]) -> int:
    return sum(1 for question in questions if question.answerable and not question.evidence)


def _counts(values: Iterable[str]) -> str:
    counts = Counter(value or "none" for value in values)
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())


def _as_json(file: Path, checked: Checked, fault: str) -> dict[str, object]:
    questions, problems = checked
    return {
        "file": str(file),
        "ok": not problems and not fault,
        "rows": len(questions) + len(problems),
        "usable": len(questions),
        "without_evidence": _without_evidence(questions),
        "synthetic": sum(question.synthetic for question in questions),
        "categories": Counter(question.category for question in questions),
        "splits": Counter(question.split for question in questions),
        "fault": fault,
        "problems": [asdict(problem) for problem in problems],
    }
