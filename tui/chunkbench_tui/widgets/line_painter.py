"""The lines of a document as strips, each painted once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.strip import Strip

from chunkbench_tui.document.painting import gutter_of, runs_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkbench_tui.document.lines import LineIndex
    from chunkbench_tui.document.painting import Layers, Tone

_KEPT = 2_000
_HEAVY = str.maketrans("│┌║╓", "┃┏║╓")


class LinePainter:
    """Strips of a document's lines; `forget` them when the text, overlay or theme is another.

    Args:
        style_of: the style of a part by its name, "" for the whole; "sought" and "found" are laid
            over others.
    """

    def __init__(self, style_of: Callable[[str], Style]) -> None:
        self._style_of = style_of
        self._strips: LRUCache[tuple[int, int, bool, int], Strip] = LRUCache(_KEPT)
        self._named: dict[str, Style] = {}
        self._styles: dict[Tone, Style] = {}

    def forget(self) -> None:
        """Paint every line anew, in styles that are asked for anew."""
        self._strips.clear()
        self._named.clear()
        self._styles.clear()

    def strip(
        self, text: str, index: LineIndex, line: int, layers: Layers, digits: int, current: int
    ) -> Strip:
        """A line with its gutter, in the full width of the index.

        Args:
            digits: of the number in the gutter.
            current: the current chunk.
        """
        span = index.span(line)
        on_current = _is_over(layers, current, *span)
        key = (line, index.width, on_current, digits)
        strip = self._strips.get(key)
        if strip is None:
            gutter = self._gutter(span, layers, digits, on_current)
            runs = runs_of(text, span, index.width, layers)
            segments = [gutter, *(Segment(run.display, self._toned(run.tone)) for run in runs)]
            strip = Strip(segments, len(gutter.text) + sum(run.cells for run in runs))
            self._strips[key] = strip
        return strip

    def style(self, name: str) -> Style:
        """The style of a part, of the whole for ""."""
        style = self._named.get(name)
        if style is None:
            style = self._named[name] = self._style_of(name)
        return style

    def _gutter(self, span: tuple[int, int], layers: Layers, digits: int, current: bool) -> Segment:
        gutter = gutter_of(span, layers)
        bar = gutter.bar.translate(_HEAVY) if current else gutter.bar
        text = f"{gutter.number:>{digits + 1}}{bar}{gutter.evidence} "
        return Segment(text, self.style("current" if current else "gutter"))

    def _toned(self, tone: Tone) -> Style:
        style = self._styles.get(tone)
        if style is None:
            style = self.style("" if tone.cover == "none" else tone.cover)
            if tone.found:
                style += self.style("found")
            if tone.sought:
                style += self.style("sought")
            if tone.evidence or tone.begins:
                style += Style(underline=tone.evidence or None, bold=tone.begins or None)
            self._styles[tone] = style
        return style


def _is_over(layers: Layers, chunk: int, start: int, end: int) -> bool:
    """Whether a chunk is over a span of the text."""
    if layers.chunking is None:
        return False
    spans = layers.chunking.spans
    return chunk < len(spans) and spans.starts[chunk] < end and spans.ends[chunk] > start
