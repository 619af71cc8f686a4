"""Writing a plot into files: as SVG, and as PNG where the library for it is installed."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from chunkbench_engine.errors import Unavailable
from chunkbench_tui.plots.svg import FONT

if TYPE_CHECKING:
    from pathlib import Path

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


def write_plot(svg: str, folder: Path, name: str) -> list[Path]:
    """Write `name.svg`, and `name.png` where that can be done; the files written.

    A file that is there already is kept: the new one has a number behind its name.

    Raises:
        OSError: the folder cannot be written to.
    """
    stem, number = name, 1
    while any((folder / f"{stem}.{kind}").exists() for kind in ("svg", "png")):
        number += 1
        stem = f"{name}-{number}"
    written = [folder / f"{stem}.svg"]
    written[0].write_text(svg, encoding="utf-8")
    if can_write_png():
        written.append(folder / f"{stem}.png")
        written[1].write_bytes(png_of(svg))
    return written
