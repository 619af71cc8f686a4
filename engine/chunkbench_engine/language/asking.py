"""Asking many questions, each again if its answer cannot be used, from a program that waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from chunkbench_engine.language.answer import Message, Replies, Request, Unusable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chunkbench_engine.language.ollama import LanguageModel

AGAIN = 2
"""Times that a question is asked again. The model is shown its answer and why it is no use: at
temperature 0 the bare question would only bring the same answer."""

_QUOTED = 500


async def ask_until_usable(model: LanguageModel, request: Request) -> tuple[Any, float]:
    """What was read from the answer, None if it is no use to the last; and what it cost."""
    messages = [Message("user", request.prompt)]
    seconds = 0.0
    for _ in range(1 + AGAIN):
        answer = await model.ask(
            messages, request.schema, limit=request.limit, logprobs=request.logprobs
        )
        seconds += answer.seconds
        try:
            return request.read(answer), seconds
        except Unusable as reason:
            if not request.keep_unusable:
                model.forget(
                    messages, request.schema, limit=request.limit, logprobs=request.logprobs
                )
            messages += [
                Message("assistant", answer.text[:_QUOTED]),
                Message("user", f"That answer cannot be used: {reason}. Answer again, as asked."),
            ]
    return None, seconds


class Asker:
    """An `Ask`: as many questions at a time as the model takes, in an event loop of its own."""

    def __init__(self, model: LanguageModel, answered: Callable[[], None]) -> None:
        """`answered` is called after every question that is done with."""
        self._model = model
        self._answered = answered
        self._runner = asyncio.Runner()

    def __call__(self, requests: Iterable[Request]) -> Replies:
        return self._runner.run(self._ask(requests))

    def close(self) -> None:
        self._runner.run(self._model.close())
        self._runner.close()

    async def _ask(self, requests: Iterable[Request]) -> Replies:
        values: dict[int, Any] = {}
        seconds = 0.0
        numbered = enumerate(requests)

        async def take() -> None:
            nonlocal seconds
            for number, request in numbered:
                values[number], cost = await ask_until_usable(self._model, request)
                seconds += cost
                self._answered()

        tasks = [asyncio.create_task(take()) for _ in range(self._model.concurrency)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
        return Replies([values[number] for number in sorted(values)], seconds)
