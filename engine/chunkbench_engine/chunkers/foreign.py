"""Anyone's chunker as a strategy among the others."""

from __future__ import annotations

import re
import sys
from collections import Counter
from contextlib import redirect_stdout
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar

from chunkbench_engine.chunkers.chunk import Chunk
from chunkbench_engine.chunkers.imported import explained, load_chunker
from chunkbench_engine.chunkers.parts import parts
from chunkbench_engine.chunkers.returned import left_out, read_returned
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Strategy
    from chunkbench_engine.chunkers.entry import Value

_WORD = re.compile(r"[A-Za-z_][\w-]*")


@dataclass(frozen=True)
class Foreign:
    """A callable from text to chunks.

    Its chunks are taken as they come: not trimmed, and also where one lies within another. Only
    those of white space alone, and those that are not in the text, are left out. Nothing is asked
    of it for a blank document. Finding its chunks in the text counts as its own work.

    Attributes:
        label: how it is written, parameters included.
        target: `module:callable`, or an adapter's name and what it adapts.
        parameters: the arguments it is given by name.
    """

    annotations: ClassVar[tuple[str, ...]] = ()

    label: str
    target: str
    parameters: tuple[tuple[str, Value], ...] = ()

    def load(self) -> None:
        """Import and make it; `BadInput` or `Unavailable` where that cannot be done."""
        load_chunker(self.target, self.parameters)

    def chunk(self, document: AnnotatedDocument) -> list[Chunk]:
        text = document.text
        if not text.strip():
            return []
        call = load_chunker(self.target, self.parameters)
        try:
            # what it prints is no output of ours; a generator runs while it is read
            with redirect_stdout(sys.stderr):
                returned = read_returned(text, call(text))
        except BadInput as error:
            raise BadInput(f"given {document.id}, it {error}") from error
        except (Exception, SystemExit) as error:
            raise BadInput(f"given {document.id}, it raised {explained(error)}") from error
        document.remarks.update(
            {
                self._name("chunks"): returned.chunks,
                self._name("chunk characters"): returned.characters,
                self._name("chunks not found"): returned.lost,
                self._name("chunk characters not found"): returned.lost_characters,
                self._name("text characters"): left_out(text, []),
                self._name("text characters left out"): left_out(text, returned.spans),
            }
        )
        return [Chunk(document.id, *span) for span in returned.spans]

    def remarks(self, counts: Mapping[str, int]) -> list[str]:
        """What of its chunks is not in the text, and what of the text is in no chunk."""
        said = []
        count = Counter(counts)
        lost, chunks = count[self._name("chunks not found")], count[self._name("chunks")]
        if lost:
            share = _share(
                count[self._name("chunk characters not found")],
                count[self._name("chunk characters")],
            )
            said.append(
                f"{lost:,} of {chunks:,} chunks ({share} of the characters) are not in the "
                "document's text and were left out"
            )
        missing = count[self._name("text characters left out")]
        if missing:
            share = _share(missing, count[self._name("text characters")])
            said.append(f"its chunks leave out {share} of the text")
        return said

    def _name(self, what: str) -> str:
        return f"{self.label}: {what}"


def foreign(name: str, target: str, given: Mapping[str, Value]) -> Foreign:
    """The chunker with these parameters, which the label names in alphabetical order.

    Nothing is imported yet: a spec is read in many places, and code runs only where it chunks.
    """
    parameters = tuple(sorted(given.items()))
    inside = ", ".join(f"{parameter}={written(value)}" for parameter, value in parameters)
    return Foreign(f"{name}({inside})" if inside else name, target, parameters)


def load_foreign(strategies: Iterable[Strategy]) -> None:
    """Import all of anyone's chunkers among the strategies, so that what is missing shows now."""
    for strategy in strategies:
        for part in parts(strategy):
            if isinstance(part, Foreign):
                part.load()


def written(value: Value) -> str:
    """A value so that it is read back as the same type: nothing else knows the types here."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{Decimal(str(value)):f}" if value % 1 else f"{value:.1f}"
    if isinstance(value, str) and (not _WORD.fullmatch(value) or value in ("true", "false")):
        return f"'{value}'" if '"' in value else f'"{value}"'
    return str(value)


def _share(part: int, whole: int) -> str:
    percent = 100 * part / whole
    return f"{percent:.1f} %" if percent >= 0.1 else "less than 0.1 %"
