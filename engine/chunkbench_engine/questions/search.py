"""Passages that may answer a question, found by its distinctive words in the raw text.

No embedding and no chunking takes part: the retriever under test must not pick the passages that
it is scored on. What is offered is a sentence; a person decides.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from chunkbench_engine.annotate.paragraphs import split_paragraphs
from chunkbench_engine.annotate.sentences import split_sentences
from chunkbench_engine.questions.verbatim import line_number
from chunkbench_engine.questions.words import WORD, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_engine.chunkers.chunk import Span
    from chunkbench_engine.documents.document import Document

OFFERED = 8
"""Passages that are offered for a question unless another number is asked for."""

_NEAR = 0.3
"""What a word of the question counts in the sentence's paragraph, but not in the sentence."""
_COMMON = 0.1
"""Share of the sentences from which on a word tells nothing of a passage."""
_FEW = 3
"""A word of so few sentences tells something in any case."""
_LEAST_WORDS = 3
"""A sentence of fewer words answers nothing."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that shares words with a question.

    Attributes:
        document: id of the document.
        start: offset of its first character.
        end: offset after its last.
        line: line of the document, from 1.
        paragraph: span of the paragraph that it stands in.
        score: share of the question's words, weighted by rarity, that it has; from 0 to 1.
        words: the question's words that stand in it, as the question has them, rarest first.
    """

    document: str
    start: int
    end: int
    line: int
    paragraph: Span
    score: float
    words: tuple[str, ...]


class SentenceSearch:
    """The sentences of some documents, with the words that stand in each.

    The time and the memory to make it are linear in the text; a search takes only the sentences
    that share a word with the question.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._of_document = array("l")
        self._of_paragraph = array("l")
        self._starts, self._ends = array("l"), array("l")
        self._paragraphs: list[Span] = []
        postings: dict[str, array[int]] = defaultdict(lambda: array("l"))
        for number, document in enumerate(documents):
            self._add(number, document.text, postings)
        self._postings = dict(postings)

    def search(self, question: str, limit: int = OFFERED) -> list[Candidate]:
        """The sentences that share most with a question, best first.

        A sentence scores the inverse document frequencies, over sentences, of the question's
        distinctive words that it has, plus three tenths of those that only its paragraph has, as
        a share of those of all of them. Words of more than a tenth of the sentences, and of
        more than three, do not count, unless there are no others.
        idf(w) = ln(1 + (N - n(w) + 1/2) / (n(w) + 1/2)) for n(w) of N sentences (Robertson and
        Sparck Jones 1976, as BM25 has it). Equal scores stand in order of length, then of the
        documents.
        """
        asked = {fold(match.group()): match.group() for match in WORD.finditer(question)}
        known = [word for word in asked if word in self._postings]
        most = max(_COMMON * len(self._starts), _FEW)
        rare = [word for word in known if len(self._postings[word]) <= most]
        weights = {word: self._weight(word) for word in rare or known}
        total = sum(weights.values())
        if not total:
            return []
        found: dict[int, list[str]] = defaultdict(list)
        for word in sorted(weights, key=lambda word: -weights[word]):
            for sentence in self._postings[word]:
                found[sentence].append(word)
        around: dict[int, set[str]] = defaultdict(set)
        for sentence, words in found.items():
            around[self._of_paragraph[sentence]].update(words)

        def score(sentence: int) -> float:
            own = found[sentence]
            near = around[self._of_paragraph[sentence]].difference(own)
            return sum(weights[w] for w in own) + _NEAR * sum(sorted(weights[w] for w in near))

        ranked = sorted(
            ((-score(sentence), self._length(sentence), sentence) for sentence in found),
        )
        return [
            self._candidate(sentence, -negative / total, [asked[word] for word in found[sentence]])
            for negative, _, sentence in ranked[:limit]
        ]

    def _add(self, number: int, text: str, postings: dict[str, array[int]]) -> None:
        for paragraph in split_paragraphs(text):
            if text.startswith("#", paragraph[0]) and "\n" not in text[slice(*paragraph)]:
                continue  # a heading names what is answered elsewhere
            self._paragraphs.append(paragraph)
            for start, end in split_sentences(text, [paragraph]):
                words = [fold(match.group()) for match in WORD.finditer(text, start, end)]
                if len(words) < _LEAST_WORDS:
                    continue
                sentence = len(self._starts)
                self._of_document.append(number)
                self._of_paragraph.append(len(self._paragraphs) - 1)
                self._starts.append(start)
                self._ends.append(end)
                for word in dict.fromkeys(words):
                    postings[word].append(sentence)

    def _weight(self, word: str) -> float:
        known, count = len(self._postings[word]), len(self._starts)
        return log(1 + (count - known + 0.5) / (known + 0.5))

    def _length(self, sentence: int) -> int:
        return self._ends[sentence] - self._starts[sentence]

    def _candidate(self, sentence: int, score: float, words: list[str]) -> Candidate:
        document = self._documents[self._of_document[sentence]]
        start, end = self._starts[sentence], self._ends[sentence]
        paragraph = self._paragraphs[self._of_paragraph[sentence]]
        line = line_number(document.text, start)
        return Candidate(document.id, start, end, line, paragraph, score, tuple(words))
