"""Word documents (DOCX) to Markdown, opened by python-docx."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import docx
from docx.oxml.ns import qn
from docx.oxml.parser import parse_xml

from chunkbench_engine.counted import counted
from chunkbench_engine.documents.convert.archive import refuse_bad_archive
from chunkbench_engine.documents.convert.converted import Converted, Refused
from chunkbench_engine.documents.convert.numbering import Numbering
from chunkbench_engine.documents.convert.tables import markdown_table

if TYPE_CHECKING:
    from collections.abc import Iterator

# python-docx's own lists leave out content controls and tracked insertions, so the elements are
# walked here. What Word does not print of them (deletions, fallbacks for old versions) is passed.
_PASSED = {qn("w:del"), qn("w:moveFrom"), qn("w:instrText"), qn("w:delText")}
_PASSED.add("{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback")
_TEXTS = {qn("w:t"), "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"}
_SIGNS = {
    qn("w:tab"): "\t",
    qn("w:br"): "\n",
    qn("w:cr"): "\n",
    qn("w:noBreakHyphen"): "-",
}
_PICTURE = "{http://schemas.openxmlformats.org/drawingml/2006/picture}pic"
_NOTES = ("footnotes", "endnotes")
_MOST_LEVELS = 6


def convert(data: bytes) -> Converted:
    """Headings as `#`, lists with the numbers Word shows, tables as Markdown's, then the notes."""
    refuse_bad_archive(data)
    document = docx.Document(io.BytesIO(data))
    walk = _Walk(document)
    blocks = list(walk.blocks(document.element.body))
    notes = _notes(document)
    text = "".join(f"{gap}{block}" for gap, block in blocks)
    if notes:
        text += "\n\n" + "\n\n".join(notes)
    if not text.strip():
        raise Refused("holds no text; pictures are not read")
    details = [counted(walk.tables, "table")] if walk.tables else []
    if pictures := sum(1 for _ in document.element.body.iter(_PICTURE)):
        details.append(f"{counted(pictures, 'picture')} not read")
    if notes:
        details.append(f"{counted(len(notes), 'note')} at the end")
    return Converted(text.strip("\n") + "\n", ", ".join(details))


class _Walk:
    """One pass over a document's body."""

    def __init__(self, document: Any) -> None:  # noqa: ANN401 - python-docx has no types
        self._styles = {style.style_id: style for style in document.styles}
        self._numbering = Numbering(document)
        self.tables = 0
        self._last_was_item = False

    def blocks(self, parent: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401
        """(gap before it, text) of every paragraph and table, in order."""
        for element in parent:
            if element.tag == qn("w:p"):
                yield from self._paragraph(element)
            elif element.tag == qn("w:tbl"):
                table = markdown_table(_rows(element))
                if table:
                    self.tables += 1
                    self._last_was_item = False
                    yield "\n\n", table
            elif element.tag not in _PASSED and isinstance(element.tag, str):
                yield from self.blocks(element)  # content controls, tracked insertions

    def _paragraph(self, element: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401
        text = _text(element).strip("\n")
        style = self._style(element)
        marker = self._numbering.marker(element, style)
        if not text.strip():
            return
        level = _heading_level(element, style)
        if level:
            text = " ".join(text.split())
            number = f"{marker.label} " if marker and marker.label != "-" else ""
            yield "\n\n", f"{'#' * level} {number}{text}"
        elif marker:
            indent = "    " * marker.level
            gap = "\n" if self._last_was_item else "\n\n"
            yield gap, f"{indent}{marker.label} {text}"
        else:
            yield "\n\n", text
        self._last_was_item = marker is not None and not level

    def _style(self, element: Any) -> Any:  # noqa: ANN401
        named = element.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
        return None if named is None else self._styles.get(named.get(qn("w:val")))


def _heading_level(element: Any, style: Any) -> int:  # noqa: ANN401
    """1 to 6, from the paragraph's outline level or its style; 0 if it is no heading."""
    outline = element.find(f"{qn('w:pPr')}/{qn('w:outlineLvl')}")
    seen = 0
    while outline is None and style is not None and seen < 20:  # styles may be based in a ring
        name = (style.name or "").lower()
        if name == "title":
            return 1
        if name.startswith("heading ") and name[8:].isdigit():
            return min(int(name[8:]), _MOST_LEVELS)
        outline = style.element.find(f"{qn('w:pPr')}/{qn('w:outlineLvl')}")
        style = style.base_style
        seen += 1
    level = int(outline.get(qn("w:val"), 9)) if outline is not None else 9
    return min(level + 1, _MOST_LEVELS) if level < 9 else 0  # 9 is body text


def _text(element: Any) -> str:  # noqa: ANN401
    """All that Word prints of a paragraph; text boxes in it follow on lines of their own."""
    parts: list[str] = []
    pending = [element]
    while pending:
        current = pending.pop()
        if current.tag in _TEXTS:
            parts.append(current.text or "")
        elif current.tag in _SIGNS:
            parts.append(_SIGNS[current.tag])
        elif current.tag in _PASSED or not isinstance(current.tag, str):
            continue
        elif current.tag == qn("w:footnoteReference"):
            parts.append(f"[^{current.get(qn('w:id'))}]")
        elif current.tag != qn("w:pPr"):
            if current.tag == qn("w:p") and current is not element:
                parts.append("\n")
            pending += reversed(list(current))
    return "".join(parts)


def _rows(table: Any) -> list[list[str]]:  # noqa: ANN401
    """Cells' texts; what a cell is merged with is empty."""
    rows = []
    for row in table.iter(qn("w:tr")):
        if next(row.iterancestors(qn("w:tbl"))) is not table:
            continue  # of a table in a cell: its text is part of that cell
        cells = []
        for cell in row.iter(qn("w:tc")):
            if next(cell.iterancestors(qn("w:tr"))) is not row:
                continue
            cells.append("\n".join(_text(p) for p in cell.iter(qn("w:p"))))
            span = cell.find(f"{qn('w:tcPr')}/{qn('w:gridSpan')}")
            if span is not None:
                cells += [""] * (min(int(span.get(qn("w:val"), 1)), 100) - 1)
        rows.append(cells)
    return rows


def _notes(document: Any) -> list[str]:  # noqa: ANN401
    """Footnotes and endnotes, which python-docx does not read."""
    notes = []
    for relation in document.part.rels.values():
        kind = relation.reltype.rsplit("/", 1)[-1]
        if kind not in _NOTES or relation.is_external:
            continue
        root = parse_xml(relation.target_part.blob)
        for note in root:
            text = "\n".join(_text(p) for p in note.iter(qn("w:p"))).strip()
            if text and note.get(qn("w:type")) in (None, "normal"):
                number = note.get(qn("w:id"))
                mark = f"[^{number}]" if kind == "footnotes" else f"[^end{number}]"
                notes.append(f"{mark}: {text}")
    return notes
