"""A ranked list that ends with a budget of context tokens instead of after k passages.

Passages are handed on in rank order until the budget is spent. The one that would exceed it is
cut: the reader gets its beginning, as many tokens as are left, and is judged by that. So every
strategy hands on the same number of tokens, unless its index has no more, and none loses by the
rounding that leaving a long passage out would mean. Text that comes twice is paid for twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.annotate.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chunkbench_engine.annotate.tokens import Tokens


def spend(lengths: Iterable[int], budget: int) -> list[int]:
    """Tokens handed on of each passage, in rank order, until the budget is spent.

    All of each but the last, which may be cut; their sum is the budget, or that of all lengths
    where these are less.

    Args:
        lengths: tokens of the ranked passages, each at least 1.
        budget: at least 1.
    """
    spent: list[int] = []
    left = budget
    for length in lengths:
        if not left:
            break
        spent.append(min(length, left))
        left -= spent[-1]
    return spent


class Cutter:
    """Cuts passages of documents, each of which is tokenized once."""

    def __init__(self, text: Callable[[int], str]) -> None:
        """`text` gives a document by its id in the store."""
        self._text = text
        self._tokens: dict[int, Tokens] = {}

    def end(self, document: int, start: int, tokens: int) -> int:
        """Where a passage from `start` ends, that is to have so many tokens of its document.

        At least one character on, also where that has more tokens.
        """
        if document not in self._tokens:
            self._tokens[document] = tokenize(self._text(document))
        known = self._tokens[document]
        return max(known.edge(known.first(start) + tokens), start + 1)
