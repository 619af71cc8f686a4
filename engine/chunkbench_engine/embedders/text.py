"""The text an embedding model is given."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def embeddable(text: str) -> str:
    """The text with lone surrogates replaced by U+FFFD, so that offsets stay as they are.

    A lone surrogate can come from a damaged file; no tokenizer takes one.
    """
    return _SURROGATE.sub("\ufffd", text)


def is_blank(text: str) -> bool:
    """Whether there is nothing to embed: such a text has the zero vector."""
    return not text or text.isspace()
