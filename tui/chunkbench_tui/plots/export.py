"""Writing a plot into files: as SVG, and as PNG where the library for it is installed."""

from __future__ import annotations

import importlib.util

from chunkbench_engine.errors import Unavailable
from chunkbench_tui.exporting import Export
from chunkbench_tui.plots.svg import FONT

PNG_REMEDY = "for a PNG as well: pip install 'chunkbench-tui[report]'"
_LIBRARIES = ("resvg_py", "font_roboto")
_ZOOM = 2
"""Pixels of the PNG for one of the SVG."""


def can_write_png() -> bool:
    return all(importlib.util.find_spec(name) is not None for name in _LIBRARIES)


def png_of(svg: str) -> bytes:
    """The picture in pixels, twice as large.

    Raises:
        Unavailable: the library for it is not installed.
    """
    if not can_write_png():
        raise Unavailable(f"A PNG cannot be written; {PNG_REMEDY}")
    import font_roboto
    import resvg_py

    # A font comes with it: where the system has none of these names, no text would be drawn.
    files = [font_roboto.font_files["Roboto"], font_roboto.font_files["RobotoBold"]]
    return bytes(
        resvg_py.svg_to_bytes(svg_string=svg, zoom=_ZOOM, font_files=files, font_family=FONT)
    )


def plot_exports(svg: str, name: str) -> list[Export]:
    """`name.svg`, and `name.png` where that can be made."""
    exports = [Export(f"{name}.svg", lambda: svg)]
    if can_write_png():
        exports.append(Export(f"{name}.png", lambda: png_of(svg)))
    return exports
