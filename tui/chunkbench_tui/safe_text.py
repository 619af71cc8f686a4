"""Making text from documents, file names and error messages safe to show.

Such text is hostile until shown otherwise: an escape sequence in a file name must not reach the
terminal, and a bidirectional override must not turn a line around. It is never markup either:
pass the result to `Content`, `Text` or a widget made with `markup=False`.
"""

from __future__ import annotations

import re
import unicodedata

# Joiners shape words in Persian and Hindi and are harmless.
_KEPT = frozenset("\u200c\u200d")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SUSPECT = re.compile(r"[^\x20-\x7e]")


def escaped(character: str) -> str:
    """A character as it is shown on a line: itself, or its escape."""
    if character in _KEPT or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return character
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def shown(text: str) -> str:
    """The text on one line, every control character written as its escape (`\\x1b`, `\\n`)."""
    return _SUSPECT.sub(lambda match: escaped(match[0]), text)


def shown_lines(text: str) -> str:
    """As `shown`, but line ends are kept and tabs become spaces."""
    return "\n".join(shown(line.expandtabs(4)) for line in text.splitlines())
