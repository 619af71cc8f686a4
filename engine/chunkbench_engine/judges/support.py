"""The support judge: a proxy where there are answers, but neither evidence nor a language model."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from chunkbench_engine.annotate.sentences import split_sentences
from chunkbench_engine.embedders.registry import DEFAULT_MODEL, load_embedder
from chunkbench_engine.judges.judge import FULL, PARTIAL, Grade, Unjudged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_engine.embedders.embedder import Embedder

FULL_FROM = 0.6
PARTIAL_FROM = 0.5

_WORD = re.compile(r"\w+")
# What an English sentence is held together with; in other languages every word counts.
_FUNCTION_WORDS = frozenset(
    """a about after again all am an and any are as at be been before being between both but by can
    could did do does down during each few for from had has have he her here him his how i if in
    into is it its may me might more most must my no nor not of off on only or other our out over
    own same shall she should so some such than that the their them then there these they this
    those through to too under up us very was we were what when where which who whom whose why will
    with would you your""".split()  # noqa: SIM905 - read as a text
)


class SupportJudge:
    """Grades by how far a text shares the words and the meaning of a reference answer.

    Support is the mean of two numbers between 0 and 1:

    * coverage: the share of the answer's content words (all but English function words, without
      regard to case or a plural s) that the text has;
    * similarity: the cosine between the answer and the text, or that of its sentences which comes
      nearest, whichever is higher; 0 if negative.

    The grade is 2 from 0.6 on, 1 from 0.5 on, else 0. The thresholds are those that agree best with
    the evidence judge on the top 5 of six strategies over the sample corpus: kappa 0.70 there, on
    the data they were chosen on. Negation, and numbers that stand for one another, escape it: it
    is a proxy, and its numbers are marked so.
    """

    concurrency = 1
    prompt_tokens = 0

    def __init__(self, embedder: Embedder) -> None:
        self.id = f"support {embedder.id} {FULL_FROM} {PARTIAL_FROM}"
        self._embedder = embedder

    async def grade(self, answers: Sequence[str], text: str) -> Grade:
        """As `TextJudge.grade`."""
        return await asyncio.to_thread(self._grade, answers, text)

    async def close(self) -> None:
        """There is nothing to close."""

    def _grade(self, answers: Sequence[str], text: str) -> Grade:
        asked = [answer for answer in answers if _WORD.search(answer)]
        if not asked:
            raise Unjudged("the answer has no words")
        sentences = [text[start:end] for start, end in split_sentences(text, [(0, len(text))])]
        vectors = self._embedder.embed([*asked, text, *sentences])
        cosines = vectors[: len(asked)] @ vectors[len(asked) :].T
        words = set(map(_stem, _words(text)))
        scores = []
        for answer, similar in zip(asked, cosines.max(axis=1), strict=True):
            content = content_words(answer)
            coverage = len(content & words) / len(content)
            similarity = min(max(float(similar), 0.0), 1.0)
            scores.append(((coverage + similarity) / 2, coverage, similarity))
        support, coverage, similarity = max(scores)
        grade = FULL if support >= FULL_FROM else PARTIAL if support >= PARTIAL_FROM else 0
        return Grade(
            grade, f"{coverage * 100:.0f} % of the answer's words, similarity {similarity:.2f}"
        )


def open_support() -> SupportJudge:
    """The judge with the static model that comes with the package."""
    return SupportJudge(load_embedder(DEFAULT_MODEL))


def content_words(answer: str) -> set[str]:
    """Words of an answer that say something; all of them where none does, as in "not all"."""
    words = _words(answer)
    content = {_stem(word) for word in words if word not in _FUNCTION_WORDS}
    return content or set(map(_stem, words))


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _stem(word: str) -> str:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word
