"""The process behind the gold builder: it reads, checks and searches, so that the app need not.

It answers one request a line on standard input, as JSON, with one line on standard output, and
ends with its input. A request is `{"number", "do", ...}`, an answer `{"number", "value"}` or
`{"number", "error"}` with a sentence for a person.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkbench_engine.documents.corpus import load_corpus
from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.questions.check import check
from chunkbench_engine.questions.gold import GoldCorpus, GoldDocument, GoldRow, Suggestion
from chunkbench_engine.questions.reader import read_rows
from chunkbench_engine.questions.search import SentenceSearch
from chunkbench_engine.questions.suggest import suggest
from chunkbench_engine.questions.verbatim import evidence_fields

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from typing import BinaryIO

    from chunkbench_engine.documents.corpus import Corpus
    from chunkbench_engine.questions.question import Question
    from chunkbench_engine.questions.suggest import Rejected

_PATIENCE = 12
"""Excerpts in a row without a question, after which a person is told."""
QUESTION_FILE = "questions.jsonl"
"""Where questions go unless another file is named: into the corpus's folder, where `run` looks."""


class GoldDesk:
    """What a person works on: a corpus, read once, with its sentences once they are asked for."""

    def __init__(self) -> None:
        self._corpus: Corpus | None = None
        self._search: SentenceSearch | None = None
        self._suggesting: AsyncIterator[Suggestion | Rejected] | None = None
        self._runner = asyncio.Runner()

    def open(self, corpus: str, file: str = "") -> dict[str, Any]:
        """Read a corpus; a `GoldCorpus`."""
        read = self._corpus = load_corpus(Path(corpus), apart=[Path(file)] if file else [])
        self._search = None
        documents = tuple(GoldDocument(d.id, len(d.text)) for d in read.documents)
        target = file or str(read.root / QUESTION_FILE)
        return asdict(GoldCorpus(str(read.root), read.name, target, documents, len(read.skipped)))

    def text(self, document: str) -> str:
        return self._read.by_id[document].text

    def rows(self, file: str) -> list[dict[str, Any]]:
        """The rows of a question file, checked as `run` checks them: `GoldRow`s."""
        path = Path(file)
        if not path.exists():
            return []
        raw = read_rows(path)
        questions, problems = check(raw, self._read)
        bad = {problem.row: problem for problem in problems}
        good = iter(questions)
        rows = []
        for row in raw:
            problem = bad.get(row.row)
            if problem is None:
                rows.append(_gold_row(row.row - 1, next(good)))
            else:
                said = f"{problem.reason}; {problem.suggestion}".rstrip("; ")
                rows.append(GoldRow(row.row - 1, row.id, row.text, problem=said))
        return [asdict(row) for row in rows]

    def evidence(self, slots: list[list[tuple[str, int, int]]]) -> list[Any]:
        """Passages as a question file has them; a slot with one passage is that passage."""
        made = [
            [
                evidence_fields(document, self._read.by_id[document].text, start, end)
                for document, start, end in alternatives
            ]
            for alternatives in slots
        ]
        return [slot[0] if len(slot) == 1 else slot for slot in made]

    def find(self, question: str, limit: int) -> list[dict[str, Any]]:
        """Sentences that may answer a question: `Candidate`s."""
        if self._search is None:
            self._search = SentenceSearch(self._read.documents)
        return [asdict(candidate) for candidate in self._search.search(question, limit)]

    def suggest(self, model: str, urls: list[str], store: str, seed: int, asked: list[str]) -> None:
        """Have a language model propose questions from now on; its answers are kept by a store."""
        # Imported here: reading and searching need no client of a language model.
        from chunkbench_engine.language.ollama import open_language_model
        from chunkbench_engine.run.context import answers_path

        opened = open_language_model(urls, model, answers_path(Path(store)))
        self._suggesting = suggest(opened, self._read.documents, seed, asked)

    def next_suggestion(self) -> dict[str, Any]:
        """The next `Suggestion`."""
        if self._suggesting is None:
            raise BadInput("no language model was chosen: choose one first")
        return asdict(self._runner.run(_next_usable(self._suggesting)))

    @property
    def _read(self) -> Corpus:
        if self._corpus is None:
            raise BadInput("no documents are open: open a folder first")
        return self._corpus


async def _next_usable(suggesting: AsyncIterator[Suggestion | Rejected]) -> Suggestion:
    reason = ""
    for _ in range(_PATIENCE):
        found = await anext(suggesting)
        if isinstance(found, Suggestion):
            return found
        reason = found.reason
    raise BadInput(
        f"{_PATIENCE} excerpts in a row gave no question that can be used (the last: {reason}): "
        "go on, or try another model"
    )


def serve(source: BinaryIO, sink: BinaryIO, requests: dict[str, Callable[..., Any]]) -> None:
    """Answer requests until there are no more."""
    for line in source:
        request = json.loads(line)
        number = request.pop("number")
        try:
            answer = {"number": number, "value": requests[request.pop("do")](**request)}
        except (BadInput, Unavailable) as error:
            answer = {"number": number, "error": str(error)}
        except Exception as error:
            answer = {"number": number, "error": f"that failed: {error!r}"}
        sink.write(json.dumps(answer).encode() + b"\n")
        sink.flush()


def _gold_row(line: int, question: Question) -> GoldRow:
    places = tuple(
        tuple((passage.document, passage.start, passage.end) for passage in slot)
        for slot in question.evidence
    )
    return GoldRow(
        line,
        question.id,
        question.text,
        places,
        question.answers,
        question.category,
        question.split,
        question.synthetic,
    )


def main() -> None:
    desk = GoldDesk()
    requests: dict[str, Callable[..., Any]] = {
        "open": desk.open,
        "text": desk.text,
        "rows": desk.rows,
        "evidence": desk.evidence,
        "find": desk.find,
        "suggest": desk.suggest,
        "next_suggestion": desk.next_suggestion,
    }
    serve(sys.stdin.buffer, sys.stdout.buffer, requests)


if __name__ == "__main__":
    main()
