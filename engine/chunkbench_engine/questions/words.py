"""Words as they are compared: in any script, whatever their case and endings."""

from __future__ import annotations

import re
import unicodedata

WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"  # a word of its own each
    r"|[^\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+"
)

_STEM = 6
"""Characters of a word that are compared."""


def fold(word: str) -> str:
    """What is compared of a word: its beginning, so that its endings do not matter."""
    return unicodedata.normalize("NFKC", word).casefold()[:_STEM]


def folded_words(text: str) -> list[str]:
    """The words of a text in order, folded."""
    return [fold(match.group()) for match in WORD.finditer(text)]
