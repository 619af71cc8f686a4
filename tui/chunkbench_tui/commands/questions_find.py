"""`questions find`: passages for questions that have none, from the raw text; a person chooses."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chunkbench_engine.errors import BadInput
from chunkbench_tui.commands.options import AsJson
from chunkbench_tui.commands.questions_check import Documents, File, documents_of
from chunkbench_tui.console import console, say, write
from chunkbench_tui.safe_text import shown_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_engine.documents.document import Document
    from chunkbench_engine.questions.question import Question
    from chunkbench_engine.questions.search import Candidate

_CHOICE = re.compile(r"(\d+)(p?)")
_HELP = "a number takes the sentence, with p its paragraph; enter none of them; q leaves"


def find(
    file: File,
    corpus: Documents = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="NEW",
            help="JSONL file to write, with what was chosen; may be FILE itself.",
        ),
    ] = None,
    count: Annotated[
        int, typer.Option(metavar="N", min=1, max=100, help="Passages offered each.")
    ] = 8,
    as_json: AsJson = False,
) -> None:
    """Offer passages for questions without evidence.

    They are found by the question's distinctive words, and you choose.
    No embedding and no chunking takes part: the retriever under test must not pick the passages
    that it is scored on.
    """
    from chunkbench_engine.questions.check import check
    from chunkbench_engine.questions.reader import read_fields, read_rows
    from chunkbench_engine.questions.search import SentenceSearch

    read = documents_of(file, corpus)
    fields, raw = read_fields(file), read_rows(file)
    questions, problems = check(raw, read)
    bad = {problem.row for problem in problems}
    good = iter(questions)
    checked = [None if row.row in bad else next(good) for row in raw]
    lacking = [
        (place, question)
        for place, question in enumerate(checked)
        if question is not None and question.answerable and not question.evidence
    ]
    if not lacking and not as_json:
        say("Every question that can be used has its evidence.")
        return
    search = SentenceSearch(read.documents)
    if as_json:
        offered = [_offer(question, search.search(question.text, count), read.by_id)
                   for _, question in lacking]  # fmt: skip
        write(json.dumps(offered, ensure_ascii=False, indent=2) + "\n")
        return
    target = _target(file, output)
    if bad:
        say(f"{len(bad)} rows cannot be used and stay as they are: see questions check {file}.")
    say(f"{len(lacking)} questions without evidence: {_HELP}.")
    found = 0
    for number, (place, question) in enumerate(lacking, start=1):
        candidates = search.search(question.text, count)
        say("")
        say(f"--- {number} of {len(lacking)}: {question.text}")
        _show(candidates, read.by_id)
        chosen = _ask(candidates) if candidates else ""
        if chosen is None:
            break
        if not isinstance(chosen, str):
            text = read.by_id[chosen[0]].text
            fields[place] = {**fields[place], "evidence": [_evidence(text, *chosen)]}
            _put(target, fields)
            found += 1
    say(f"Evidence chosen for {found} of {len(lacking)} questions.")
    if found:
        say(f"All {len(fields)} rows are in {target}.")


def _target(file: Path, output: Path | None) -> Path:
    if output is None:
        raise BadInput(
            f"name a file for the result with --output NEW; --output {file} writes over it"
        )
    if output.suffix.lower() != ".jsonl":
        raise BadInput(f"{output} cannot be written: name a .jsonl file with --output")
    if output.exists() and not output.samefile(file):
        raise BadInput(f"{output} is there already: name another file with --output")
    return output


def _put(target: Path, fields: Sequence[dict[str, Any]]) -> None:
    """Write all rows, after each choice: leaving at any time loses nothing."""
    from chunkbench_engine.questions.question_file import read_lines, write_lines

    lines = tuple(json.dumps(row, ensure_ascii=False) for row in fields)
    write_lines(target, lines, before=read_lines(target))


def _evidence(text: str, document: str, start: int, end: int) -> dict[str, object]:
    from chunkbench_engine.questions.verbatim import evidence_fields

    return evidence_fields(document, text, start, end)


def _offer(
    question: Question, candidates: Sequence[Candidate], documents: dict[str, Document]
) -> dict[str, object]:
    rows = [
        {**asdict(found), "text": documents[found.document].text[found.start : found.end]}
        for found in candidates
    ]
    return {"id": question.id, "question": question.text, "candidates": rows}


def _show(candidates: Sequence[Candidate], documents: dict[str, Document]) -> None:
    if not candidates:
        say("No passage shares a distinctive word with it.")
    for number, found in enumerate(candidates, start=1):
        say(
            f"{number:>2}. {found.document}:{found.line} ({found.start}-{found.end}), "
            f"shares {', '.join(found.words)}"
        )
        text = documents[found.document].text[found.start : found.end]
        console.print(shown_lines(" ".join(text.split())), markup=False, soft_wrap=True)


def _ask(candidates: Sequence[Candidate]) -> tuple[str, int, int] | str | None:
    """The span that is chosen, "" for none of them; None to leave."""
    while True:
        try:
            typed = input(f"1-{len(candidates)}, p, enter or q: ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            say("")
            return None
        if typed in ("q", "quit"):
            return None
        if not typed:
            return ""
        match = _CHOICE.fullmatch(typed)
        if match is not None and 1 <= int(match[1]) <= len(candidates):
            found = candidates[int(match[1]) - 1]
            span = found.paragraph if match[2] else (found.start, found.end)
            return found.document, *span
