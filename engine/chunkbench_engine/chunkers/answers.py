"""What a language model said about sentences: read, and refused where it cannot be meant."""

from __future__ import annotations

import json
import re
from itertools import accumulate
from math import exp
from typing import TYPE_CHECKING, Any

from chunkbench_engine.language.answer import Unusable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chunkbench_engine.language.answer import Answer

HIGHEST = 9
"""Likelihoods are given as one digit, which every common tokenizer makes one token."""

_PAIR = re.compile(r'"(\d+-\d+)"\s*:\s*(\d)')


def read_object(answer: Answer) -> dict[str, Any]:
    """The JSON object that the answer is; raises `Unusable`."""
    try:
        value = json.loads(answer.text, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise Unusable("it is not valid JSON, or was not finished") from error
    if not isinstance(value, dict):
        raise Unusable("it is not a JSON object")
    return value


def unanswered(counts: Mapping[str, int], kind: str, so: str) -> list[str]:
    """A sentence on the questions of a kind that got no usable answer, if there are any."""
    missing = counts.get(f"{kind}_unanswered", 0)
    what = kind.split()[-1]
    return [f"{missing} of {counts[kind]} {what} got no usable answer: {so}"] if missing else []


def pair_name(number: int) -> str:
    """Name of the pair of sentences `number` and its successor."""
    return f"{number}-{number + 1}"


def read_likelihoods(answer: Answer, sentences: int) -> list[float]:
    """For each pair of neighbours out of so many sentences, the probability of a boundary.

    The answer has a digit from 0 to 9 for each pair. Where log-probabilities are known, it is the
    mean of the digits that the model might have said, weighted by their probabilities, over 9;
    else the digit that it said, over 9. Raises `Unusable` unless each pair, and nothing else, has
    its digit.
    """
    given = read_object(answer)
    pairs = [pair_name(number) for number in range(1, sentences)]
    if strange := [name for name in given if name not in pairs]:
        raise Unusable(f"it names pairs that there are not: {', '.join(strange[:5])}")
    if missing := [name for name in pairs if name not in given]:
        raise Unusable(f"it leaves out pairs: {', '.join(missing[:5])}")
    for name, value in given.items():
        if type(value) is not int or not 0 <= value <= HIGHEST:
            raise Unusable(f"the number of {name} is not a digit from 0 to {HIGHEST}")
    means = _mean_digits(answer)
    return [means.get(name, given[name]) / HIGHEST for name in pairs]


def read_beginnings(answer: Answer, sentences: int) -> list[int]:
    """Numbers, from 2 on, of the sentences that begin a segment; raises `Unusable`."""
    given = read_object(answer).get("begins")
    if not isinstance(given, list) or not all(type(number) is int for number in given):
        raise Unusable('it is not of the form {"begins": [numbers of sentences]}')
    if strange := [number for number in given if not 1 <= number <= sentences]:
        raise Unusable(f"it names sentences that there are not: {_listed(strange)}")
    return sorted({*given} - {1})


def read_line(answer: Answer, longest: int) -> str:
    """The `context` of the answer, as one line of at most so many characters, or `Unusable`."""
    line = read_object(answer).get("context")
    if not isinstance(line, str) or not line.strip():
        raise Unusable('it is not of the form {"context": "one sentence"}')
    line = " ".join(line.split())
    if len(line) > longest:
        raise Unusable("it is too long: one short sentence is wanted")
    return line


def _mean_digits(answer: Answer) -> dict[str, float]:
    """For each pair whose digit is a token of its own, the mean of the digits it might be."""
    if "".join(token.text for token in answer.tokens) != answer.text:
        return {}  # none were given, or not of this text
    starts = [0, *accumulate(len(token.text) for token in answer.tokens)]
    tokens = {
        place: token
        for start, token in zip(starts, answer.tokens, strict=False)
        for place in range(start, start + len(token.text))
    }
    means = {}
    for match in _PAIR.finditer(answer.text):
        token = tokens[match.start(2)]
        if token.text.strip() != match[2]:
            continue
        weights = [
            (int(said.strip()), exp(logprob))
            for said, logprob in token.alternatives.items()
            if re.fullmatch(r"\s*[0-9]\s*", said)
        ]
        total = sum(weight for _, weight in weights)
        if total > 0:
            means[match[1]] = sum(digit * weight for digit, weight in weights) / total
    return means


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unusable("it has a name twice")
    return found


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, list(numbers)[:5]))
