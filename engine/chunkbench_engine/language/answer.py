"""What a language model is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias


class Message(NamedTuple):
    """A turn of a conversation; `role` is `system`, `user` or `assistant`."""

    role: str
    content: str


class AnswerToken(NamedTuple):
    """A token of an answer, and the log-probabilities of what could have stood there.

    The token itself is among the alternatives; those less likely than one in a thousand are not.
    """

    text: str
    alternatives: dict[str, float]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said.

    Attributes:
        text: the answer.
        tokens: its tokens; empty where log-probabilities were not asked for, or the server has
            none.
        seconds: what it cost when it was given, also when it now comes from the cache. Where
            several calls were under way, each is charged its share of the time.
    """

    text: str
    tokens: tuple[AnswerToken, ...]
    seconds: float


class Unusable(Exception):  # noqa: N818 - it names what happened
    """An answer that cannot be read; the message says why, in words the model is told."""


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model, and how its answer is read.

    Attributes:
        prompt: the question.
        schema: JSON schema that the server holds the answer to.
        limit: longest answer, in the model's own tokens.
        read: takes what is wanted from an answer, or raises `Unusable`.
        logprobs: whether log-probabilities are asked for.
        keep_unusable: whether the cache keeps an answer that is no use too, so that the model is
            not asked again another time either.
    """

    prompt: str
    schema: dict[str, Any]
    limit: int
    read: Callable[[Answer], Any]
    logprobs: bool = False
    keep_unusable: bool = True


class Replies(NamedTuple):
    """What was read from the answers, in order; None where none was usable, also asked again.

    `seconds` is what all answers cost, the unusable ones included.
    """

    values: list[Any]
    seconds: float


Ask: TypeAlias = Callable[[Iterable[Request]], Replies]
"""Asks a model; the requests are taken one by one, as it is ready for them."""
