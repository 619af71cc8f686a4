"""The numbers that Word shows before list items; they are nowhere in the text of the file."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

from docx.oxml.ns import qn

_PLACE = "%"
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_LEVELS = 9


class Marker(NamedTuple):
    """What stands before a list item: its level from 0, and `-` for bullets, else its number."""

    level: int
    label: str


class _Level(NamedTuple):
    format: str
    text: str
    start: int


class Numbering:
    """Counts the list items of one document, which must be asked for in their order."""

    def __init__(self, document: Any) -> None:  # noqa: ANN401 - python-docx has no types
        self._lists: dict[str, str] = {}
        self._levels: dict[str, dict[int, _Level]] = {}
        self._counts: dict[str, list[int]] = defaultdict(lambda: [0] * _LEVELS)
        part = next(
            (
                r.target_part
                for r in document.part.rels.values()
                if r.reltype.endswith("/numbering")
            ),
            None,
        )
        if part is None:
            return
        for found in part.element.iter(qn("w:abstractNum")):
            levels = {_number(level, "w:ilvl"): _level(level) for level in found.iter(qn("w:lvl"))}
            self._levels[found.get(qn("w:abstractNumId"))] = levels
        for found in part.element.iter(qn("w:num")):
            self._lists[found.get(qn("w:numId"))] = _value(found.find(qn("w:abstractNumId")))

    def marker(self, paragraph: Any, style: Any) -> Marker | None:  # noqa: ANN401
        """The marker of a paragraph, counted; None if it is no list item."""
        properties = paragraph.find(f"{qn('w:pPr')}/{qn('w:numPr')}")
        seen = 0
        while properties is None and style is not None and seen < 20:
            properties = style.element.find(f"{qn('w:pPr')}/{qn('w:numPr')}")
            style = style.base_style
            seen += 1
        if properties is None:
            return None
        number = _value(properties.find(qn("w:numId")))
        level = min(max(int(_value(properties.find(qn("w:ilvl"))) or 0), 0), _LEVELS - 1)
        abstract = self._lists.get(number)
        if abstract is None:  # 0 takes a style's number away
            return None
        return Marker(level, self._label(abstract, level))

    def _label(self, abstract: str, level: int) -> str:
        levels = self._levels.get(abstract, {})
        own = levels.get(level, _Level("decimal", f"%{level + 1}.", 1))
        counts = self._counts[abstract]
        counts[level] = counts[level] + 1 if counts[level] else own.start
        counts[level + 1 :] = [0] * (_LEVELS - level - 1)
        if own.format in ("bullet", "none"):
            return "-"
        label = own.text
        for place in range(level + 1):
            at = levels.get(place, own)
            label = label.replace(
                f"{_PLACE}{place + 1}", _written(counts[place] or at.start, at.format)
            )
        return label.strip() or "-"


def _level(element: Any) -> _Level:  # noqa: ANN401
    start = _value(element.find(qn("w:start")))
    return _Level(
        _value(element.find(qn("w:numFmt"))) or "decimal",
        _value(element.find(qn("w:lvlText"))),
        int(start) if start.isdigit() else 1,
    )


def _written(number: int, form: str) -> str:
    if form in ("lowerLetter", "upperLetter"):
        # After z comes aa, after that bb.
        letter = chr(ord("a") + (number - 1) % 26) * min((number - 1) // 26 + 1, 10)
        return letter if form == "lowerLetter" else letter.upper()
    if form in ("lowerRoman", "upperRoman"):
        left, written = min(number, 3999), ""
        for value, sign in _ROMAN:
            written += sign * (left // value)
            left %= value
        return written if form == "lowerRoman" else written.upper()
    return f"{number:02d}" if form == "decimalZero" else str(number)


def _value(element: Any) -> str:  # noqa: ANN401
    return "" if element is None else str(element.get(qn("w:val"), ""))


def _number(element: Any, name: str) -> int:  # noqa: ANN401
    return int(element.get(qn(name), 0))
