"""PowerPoint presentations (PPTX) to Markdown, by python-pptx."""

from __future__ import annotations

import io
from collections import Counter
from typing import TYPE_CHECKING, Any

import pptx
from pptx.enum.shapes import MSO_SHAPE_TYPE

from chunkbench_engine.counted import counted
from chunkbench_engine.documents.convert.archive import refuse_bad_archive
from chunkbench_engine.documents.convert.converted import Converted, Refused
from chunkbench_engine.documents.convert.tables import markdown_table

if TYPE_CHECKING:
    from collections.abc import Iterator


def convert(data: bytes) -> Converted:
    """Each slide's title as a heading, its text, tables and notes."""
    refuse_bad_archive(data)
    slides = list(pptx.Presentation(io.BytesIO(data)).slides)
    parts = [_slide(number, slide) for number, slide in enumerate(slides, start=1)]
    unread = Counter(filter(None, (_unread(s) for slide in slides for s in _shapes(slide.shapes))))
    if not any(body for _, body in parts):
        raise Refused("holds no text; pictures are not read")
    text = "\n\n".join(f"## {title}" + (f"\n\n{body}" if body else "") for title, body in parts)
    details = [counted(len(slides), "slide")]
    details += [f"{counted(count, kind)} not read" for kind, count in sorted(unread.items())]
    return Converted(text + "\n", ", ".join(details))


def _slide(number: int, slide: Any) -> tuple[str, str]:  # noqa: ANN401 - python-pptx has no types
    """Title, `Slide 3` where it has none, and the rest."""
    title = slide.shapes.title
    named = " ".join(title.text_frame.text.split()) if title is not None else ""
    parts = [
        text
        for shape in _shapes(slide.shapes)
        if title is None or shape.shape_id != title.shape_id
        if (text := _shape(shape))
    ]
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        notes = slide.notes_slide.notes_text_frame.text.strip()
        if notes:
            parts.append(f"Notes: {notes}")
    return named or f"Slide {number}", "\n\n".join(parts)


def _shapes(shapes: Any) -> Iterator[Any]:  # noqa: ANN401
    """All shapes, with those in groups."""
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        else:
            yield shape


def _unread(shape: Any) -> str:  # noqa: ANN401
    """What of a shape has no text that could be read, "" if nothing."""
    if shape.shape_type == MSO_SHAPE_TYPE.PICTURE:
        return "picture"
    if getattr(shape, "has_chart", False):
        return "chart"
    # What is drawn by other programs: diagrams (SmartArt), embedded files.
    drawn = not shape.has_text_frame and not getattr(shape, "has_table", False)
    return "drawing" if drawn and hasattr(shape, "has_chart") else ""


def _shape(shape: Any) -> str:  # noqa: ANN401
    if getattr(shape, "has_table", False):
        return markdown_table([[cell.text for cell in row.cells] for row in shape.table.rows])
    if not shape.has_text_frame:
        return ""
    lines = [
        (paragraph.level, " ".join(paragraph.text.split()))
        for paragraph in shape.text_frame.paragraphs
    ]
    lines = [(level, text) for level, text in lines if text]
    if len(lines) == 1:
        return lines[0][1]
    return "\n".join(f"{'  ' * level}- {text}" for level, text in lines)
