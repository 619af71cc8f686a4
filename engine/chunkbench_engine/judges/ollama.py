"""The paper's judge: a language model is shown a reference answer and a chunk, and grades."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import TYPE_CHECKING

from chunkbench_engine.annotate.tokens import tokenize
from chunkbench_engine.errors import Unavailable
from chunkbench_engine.judges.judge import FULL, GRADES, Grade, Unjudged
from chunkbench_engine.language.answer import Request, Unusable
from chunkbench_engine.language.asking import ask_until_usable
from chunkbench_engine.language.ollama import open_language_model
from chunkbench_engine.language.server import server_problem

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from chunkbench_engine.language.answer import Answer
    from chunkbench_engine.language.ollama import LanguageModel

PROMPT = """You are a strict information retrieval judge.

Reference Answer:
{answer}

Retrieved Chunk:
{chunk_text}

Assign a relevance score:
0 = Not relevant
1 = Partially relevant
2 = Fully relevant

Respond with JSON only:
{
  "score": 0 | 1 | 2,
  "reason": "short explanation"
}"""
"""The paper's prompt (Relevance Evaluation), verbatim."""

PROMPT_HASH = hashlib.sha256(PROMPT.encode()).hexdigest()[:8]

SCHEMA = {
    "type": "object",
    "properties": {
        "score": {"type": "integer", "enum": list(GRADES)},
        "reason": {"type": "string"},
    },
    "required": ["score", "reason"],
}

LIMIT = 300
"""Longest answer, in the model's tokens."""

LARGEST_WINDOW = 65_536
"""Of the paper's judge, in its own tokens. A longer prompt is not judged: it would be cut."""

SILENCES = 3
"""Judgements without an answer from a server that is there, in a row, before it is given up."""

_MODEL_TOKENS = 1.5  # at most so many of a model's own tokens to one of cl100k_base
_CONVERSATION = 1_000  # tokens of what is said when a question is asked again
_REASON_CHARACTERS = 300


class OllamaJudge:
    """Grades with a language model: 0 not, 1 partially, 2 fully relevant.

    The paper calls its prompt a system prompt; it is sent as the user's turn, which every model
    answers. To Mixtral both are the same: its template puts either between `[INST]` and
    `[/INST]`.
    """

    def __init__(self, model: LanguageModel, urls: Sequence[str], name: str) -> None:
        """A judge with a model that is open; `urls` and `name` say where it can be looked for."""
        self.id = f"ollama {model.id} prompt {PROMPT_HASH}"
        self.prompt_tokens = 0
        self._model = model
        self._urls = urls
        self._name = name
        self._silences = 0

    @property
    def concurrency(self) -> int:
        return self._model.concurrency

    async def grade(self, answers: Sequence[str], text: str) -> Grade:
        """As `TextJudge.grade`: each answer is asked, and the best grade counts.

        An answer that cannot be read, also when it is asked again, is no grade; unless another
        reference answer already gives the best there is.
        """
        best: Grade | None = None
        failure = ""
        for answer in answers:
            try:
                grade = await self._ask(answer, text)
            except Unjudged as reason:
                failure = str(reason)
                continue
            if best is None or grade.value > best.value:
                best = grade
        if best is None or (failure and best.value < FULL):
            raise Unjudged(failure)
        return best

    async def close(self) -> None:
        await self._model.close()

    async def _ask(self, answer: str, text: str) -> Grade:
        prompt = fill(answer, text)
        tokens = len(tokenize(prompt))
        window = int(tokens * _MODEL_TOKENS) + LIMIT + _CONVERSATION
        if window > LARGEST_WINDOW:
            raise Unjudged(
                f"a passage of {len(text):,} characters is too long for a window of "
                f"{LARGEST_WINDOW:,} tokens"
            )
        self._model.widen(window)
        self.prompt_tokens += tokens
        request = Request(prompt, SCHEMA, LIMIT, read_grade, keep_unusable=False)
        try:
            grade, _ = await ask_until_usable(self._model, request)
        except Unavailable as error:
            await self._still_there(error)
            raise Unjudged(str(error)) from error
        self._silences = 0
        if grade is None:
            raise Unjudged(f"{self._name} gave no grade that can be read")
        return grade  # type: ignore[no-any-return]

    async def _still_there(self, error: Unavailable) -> None:
        """Raise if there is no use in asking about other texts."""
        self._silences += 1
        if self._silences >= SILENCES:
            raise error
        problem = await asyncio.to_thread(server_problem, self._urls, self._name)
        if problem:
            raise Unavailable(problem) from error


def open_judge(urls: Sequence[str], name: str, answers: Path) -> OllamaJudge:
    """The judge with a model by name; raises `Unavailable` where it cannot be asked."""
    return OllamaJudge(open_language_model(urls, name, answers), urls, name)


def fill(answer: str, text: str) -> str:
    """The prompt; what is in braces in the answer or the chunk stays as it is."""
    head, rest = PROMPT.split("{answer}")
    middle, tail = rest.split("{chunk_text}")
    return "".join((head, answer, middle, text, tail))


def read_grade(answer: Answer) -> Grade:
    """The grade that an answer gives; raises `Unusable`."""
    try:
        given = json.loads(answer.text)
    except (ValueError, RecursionError) as error:
        raise Unusable("it is not valid JSON, or was not finished") from error
    score = given.get("score") if isinstance(given, dict) else None
    if type(score) is not int or score not in GRADES:
        raise Unusable('it has no "score" of 0, 1 or 2')
    reason = " ".join(str(given.get("reason", "")).split())
    return Grade(score, reason[:_REASON_CHARACTERS])
