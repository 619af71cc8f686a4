"""Questions that a language model proposes, each with a passage that holds its answer.

The model is shown excerpts that are taken from the raw text by position alone: no chunking, no
embedding and no retriever has a say in what is asked about.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunkbench_engine.chunkers.answers import read_object
from chunkbench_engine.language.answer import Request, Unusable
from chunkbench_engine.language.asking import ask_until_usable
from chunkbench_engine.questions.gold import Suggestion
from chunkbench_engine.questions.locate import Located
from chunkbench_engine.questions.verbatim import evidence_fields
from chunkbench_engine.questions.words import folded_words

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Sequence

    from chunkbench_engine.documents.document import Document
    from chunkbench_engine.language.answer import Answer
    from chunkbench_engine.language.ollama import LanguageModel
    from chunkbench_engine.questions.gold import Place

PROMPT = """Here is an excerpt from a longer document, between two lines of dashes.

-----
{excerpt}
-----

Think of a person who has never seen this document and has a need that the excerpt meets.
Write down, in the language of the excerpt:
- "question": what that person would ask. It names its subject, so that it can be understood \
without the excerpt; it never speaks of a text, passage, excerpt or document.
- "evidence": the shortest stretch of the excerpt that holds the whole answer, copied letter for \
letter, with its punctuation; at least a clause, at most three sentences.
- "answer": the answer in a few words.
If the excerpt says nothing that anyone would ask about, leave all three empty.

Answer as JSON: {"question": "...", "evidence": "...", "answer": "..."}"""
"""Our own words. The model is asked at temperature 0 and top_p 0.1."""

SCHEMA = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("question", "evidence", "answer")},
    "required": ["question", "evidence", "answer"],
}

LIMIT = 500
"""Longest answer, in the model's tokens."""
EXCERPT = 1_500
"""Characters of an excerpt, about."""
SAME = 0.7
"""Questions that share so much of their words (Jaccard index of the sets) are one question."""

_TRIES = 4
"""Excerpts that are shown for each question wanted, at most."""
_LEAST_EVIDENCE = 12


@dataclass(frozen=True, slots=True)
class Rejected:
    """Why an excerpt gave no question: a phrase."""

    reason: str


NOT_VERBATIM = "the evidence is not in the excerpt, word for word"
OFTEN = "the evidence occurs more than once in its document"
NOTHING = "nothing to ask about"
DUPLICATE = "much like another question"


def excerpts(documents: Sequence[Document], seed: int) -> Iterator[Place]:
    """Spans to ask about, without end: in each round, one from each of equal shares of the text.

    A place is drawn evenly from its share, so that a document is met as often as it is long, and
    all parts of it alike. The excerpt goes from the line that holds the place to the end of the
    line at which it is long enough.
    """
    total = sum(len(document.text) for document in documents)
    shares = max(1, min(30, total // EXCERPT))
    round_number = 0
    while True:
        draw = random.Random(f"{seed}/{round_number}")  # noqa: S311 - a sample, no secret
        places = [int((share + draw.random()) * total / shares) for share in range(shares)]
        draw.shuffle(places)
        for place in places:
            yield _excerpt(documents, place)
        round_number += 1


async def suggest(
    model: LanguageModel,
    documents: Sequence[Document],
    seed: int,
    asked: Iterable[str] = (),
) -> AsyncIterator[Suggestion | Rejected]:
    """Suggestions, and what came of the excerpts that gave none; without end.

    An answer whose evidence is not in its excerpt (white space apart), or occurs more than once
    in the document, is asked for again, twice, and then rejected. So is a question that shares
    70 % of its words with one of `asked` or with an earlier suggestion, or whose evidence
    overlaps that of an earlier one.

    Raises:
        Unavailable: the model cannot be asked.
    """
    located = {document.id: Located(document.text) for document in documents}
    known = [frozenset(folded_words(question)) for question in asked]
    taken: list[Place] = []
    places = excerpts(documents, seed)
    while True:
        batch = [next(places) for _ in range(model.concurrency)]
        answers = await asyncio.gather(*(_ask(model, located[place[0]], place) for place in batch))
        for found in answers:
            if isinstance(found, Suggestion):
                words = frozenset(folded_words(found.question))
                span = (found.document, found.start, found.end)
                if any(_alike(words, other) for other in known) or any(
                    _overlap(span, other) for other in taken
                ):
                    yield Rejected(DUPLICATE)
                    continue
                known.append(words)
                taken.append(span)
            yield found


async def suggestions(
    model: LanguageModel,
    documents: Sequence[Document],
    count: int,
    seed: int,
    asked: Iterable[str] = (),
) -> tuple[list[Suggestion], Counter[str]]:
    """Up to so many suggestions, and how many excerpts gave none for which reason.

    No more than four excerpts are shown for each question that is wanted.
    """
    made: list[Suggestion] = []
    rejected: Counter[str] = Counter()
    if count <= 0:
        return made, rejected
    async for found in suggest(model, documents, seed, asked):
        if isinstance(found, Suggestion):
            made.append(found)
        else:
            rejected[found.reason] += 1
        if len(made) == count or len(made) + rejected.total() >= _TRIES * count:
            break
    return made, rejected


def suggestion_fields(suggestion: Suggestion, text: str, row_id: str) -> dict[str, Any]:
    """A row of a question file, marked as synthetic; `text` is the document's."""
    return {
        "id": row_id,
        "question": suggestion.question,
        "answer": suggestion.answer,
        "evidence": [evidence_fields(suggestion.document, text, suggestion.start, suggestion.end)],
        "synthetic": True,
        "model": suggestion.model,
    }


async def _ask(model: LanguageModel, located: Located, place: Place) -> Suggestion | Rejected:
    document, start, end = place
    reason = "no answer that can be read"

    def read(answer: Answer) -> Suggestion | Rejected:
        nonlocal reason
        given = read_object(answer)
        question = " ".join(str(given.get("question") or "").split())
        said = " ".join(str(given.get("answer") or "").split())
        evidence = str(given.get("evidence") or "").strip()
        if not question and not evidence:
            return Rejected(NOTHING)
        if not question:
            reason = "no question"
            raise Unusable("it has evidence but no question")
        spans = located.find(evidence)
        if len(evidence) < _LEAST_EVIDENCE or not any(
            start <= first and last <= end for first, last in spans
        ):
            reason = NOT_VERBATIM
            raise Unusable("its evidence is not copied letter for letter from the excerpt")
        if len(spans) > 1:
            reason = OFTEN
            raise Unusable("its evidence occurs more than once in the document: copy more of it")
        return Suggestion(question, said, document, *spans[0], model.id)

    prompt = PROMPT.replace("{excerpt}", located.text[start:end])
    found, _ = await ask_until_usable(model, Request(prompt, SCHEMA, LIMIT, read))
    return Rejected(reason) if found is None else found


def _excerpt(documents: Sequence[Document], place: int) -> Place:
    for document in documents:
        if place < len(document.text):
            break
        place -= len(document.text)
    text = document.text
    start = max(text.rfind("\n", 0, place) + 1, place - EXCERPT // 2)
    newline = text.find("\n", start + EXCERPT)
    end = newline if 0 <= newline < start + 2 * EXCERPT else start + EXCERPT
    end = min(end, len(text))
    if end - start < EXCERPT // 2:  # near the end of the document
        start = max(end - EXCERPT, 0)
        start = max(text.find("\n", start, end) + 1, start)
    return document.id, start, end


def _alike(words: frozenset[str], others: frozenset[str]) -> bool:
    return len(words & others) >= SAME * len(words | others)


def _overlap(one: Place, other: Place) -> bool:
    return one[0] == other[0] and one[1] < other[2] and other[1] < one[2]
