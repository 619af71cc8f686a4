"""Lexical search: an index of words, ranked by BM25 through bm25s.

(Qdrant's own BM25 over a text index adds float32 scores up in an order that changes from process
to process; a run that is repeated would not repeat exactly.)
"""

from __future__ import annotations

import os
import shutil
import unicodedata
from typing import TYPE_CHECKING

import numpy as np
import regex

from chunkbench_engine.embedders.text import embeddable
from chunkbench_engine.index.ties import DECIMALS, Hit

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bm25s import BM25

K1 = 1.2
B = 0.75
DESCRIPTION = f"BM25 (k1 = {K1}, b = {B}), case-folded words, no stemming, no stop words"

_WORD = regex.compile(r"\w+")  # unlike re's, it takes combining marks as parts of a word


def words(text: str) -> list[str]:
    """The words of a text, in order.

    A word is a run of letters, digits, combining marks and underscores of the text in Unicode's
    form NFKC, case-folded. Words are neither stemmed nor left out. Scripts that put no space
    between words give a word for each run of characters.
    """
    found: list[str] = _WORD.findall(unicodedata.normalize("NFKC", embeddable(text)).casefold())
    return found


class LexicalIndex:
    """The words of a configuration's chunks.

    A chunk scores, for a question, the sum over the question's distinct words of
    `idf * tf / (tf + K1 * (1 - B + B * length / mean_length))`, with
    `idf = ln(1 + (N - n + 0.5) / (n + 0.5))`: tf is how often the chunk has the word, length its
    number of words, n the number of chunks with the word, N that of all chunks (Robertson &
    Zaragoza 2009, as Lucene computes it).
    """

    def __init__(self, bm25: BM25) -> None:
        self._bm25 = bm25

    def search(self, question: str, k: int) -> list[Hit]:
        """The k best as (ordinal, BM25 to six decimals): by score, equal ones by ordinal.

        Only chunks that have a word of the question: there may be fewer than k, or none.
        """
        vocabulary = self._bm25.vocab_dict
        found = (vocabulary.get(word) for word in dict.fromkeys(words(question)))
        ids = [word for word in found if word is not None]
        if not ids:
            return []
        scores = self._bm25.get_scores_from_ids(ids)
        ordinals = np.flatnonzero(scores)
        rounded = np.round(scores[ordinals].astype(np.float64), DECIMALS)
        if len(ordinals) > k:
            kth = np.partition(rounded, -k)[-k]
            ordinals, rounded = ordinals[rounded >= kth], rounded[rounded >= kth]
        order = np.argsort(-rounded, kind="stable")[:k]
        return [(int(ordinals[place]), float(rounded[place])) for place in order]

    def count(self) -> int:
        """Number of chunks."""
        return int(self._bm25.scores["num_docs"])

    def size_bytes(self) -> int:
        """Bytes of the postings (chunk and score, four each) and of the words in UTF-8."""
        letters = sum(len(word.encode()) for word in self._bm25.vocab_dict)
        return 8 * len(self._bm25.scores["data"]) + letters


class LexicalBuilder:
    """Takes the chunks' texts in order, and becomes an index in a folder."""

    def __init__(self) -> None:
        self._vocabulary: dict[str, int] = {}
        self._chunks: list[list[int]] = []

    def add(self, texts: Iterable[str]) -> None:
        number = self._vocabulary.setdefault
        self._chunks += [[number(w, len(self._vocabulary)) for w in words(t)] for t in texts]

    def write(self, folder: Path) -> LexicalIndex:
        """Index what was added; the folder is there whole or not at all.

        It can be opened again with `open_lexical`.
        """
        from bm25s import BM25

        bm25 = BM25(k1=K1, b=B, method="lucene", csc_backend="scipy")
        # A collection without a word has no mean length: "" stands for one that nobody asks for.
        chunks = self._chunks if self._vocabulary else [[0] for _ in self._chunks]
        bm25.index((chunks, self._vocabulary or {"": 0}), show_progress=False)
        part = folder.with_name(f"{folder.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        bm25.save(part, show_progress=False)
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(part, folder)
        return LexicalIndex(bm25)


def open_lexical(folder: Path) -> LexicalIndex | None:
    """The index in a folder; None if there is none."""
    if not folder.is_dir():
        return None
    from bm25s import BM25

    return LexicalIndex(BM25.load(folder, show_progress=False))


def drop_lexical(folder: Path) -> None:
    """Delete the index in a folder; nothing happens if there is none."""
    shutil.rmtree(folder, ignore_errors=True)
