"""The plots as SVG: pictures of their own, safe whatever a label holds."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from chunkbench_store.analysis import CorrelationRow
from chunkbench_tui.plots.axes import Axis
from chunkbench_tui.plots.correlations import correlation_grid, r_text
from chunkbench_tui.plots.distributions import Distribution
from chunkbench_tui.plots.grid import Cell, Grid, GridRow
from chunkbench_tui.plots.points import Point
from chunkbench_tui.plots.svg import distribution_svg, grid_svg, pareto_svg

HOSTILE = "</text><script>alert(1)</script>\"'&\x1b[31m\u202e\x00"
COST, QUALITY = Axis("index_bytes", "index size", "MB", 1e-6), Axis("nDCG@5", "nDCG@5")
POINTS = (
    Point(1, "RC", 1.0, 0.6, 0.5, 0.7, True),
    Point(2, HOSTILE, 2.0, 0.7, None, None, True),
    Point(3, "FC", 2.5, 0.3, None, None, False),
)
GRID = Grid(
    HOSTILE,
    ("a", HOSTILE),
    (GridRow(HOSTILE, (Cell(".87", 0.87, HOSTILE), Cell("-.40", -0.4))),),
    HOSTILE,
)
SPREAD = (Distribution(1, HOSTILE, (3, 0, 0, 0, 0, 0, 0, 0, 0, 1), 0.4, None, 0.0, 0.25),)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    "svg",
    [
        pareto_svg(POINTS, COST, QUALITY, title=HOSTILE),
        pareto_svg((), COST, QUALITY, title=HOSTILE),
        grid_svg(GRID, title=HOSTILE),
        distribution_svg(SPREAD, title=HOSTILE),
    ],
    ids=["pareto", "empty", "grid", "distribution"],
)
def test_hostile_text_is_only_ever_text(svg: str) -> None:
    root = ElementTree.fromstring(svg)
    allowed = {"svg", "style", "rect", "text", "line", "circle", "path", "title"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= allowed
    assert not any(name.startswith("on") for e in root.iter() for name in e.attrib)
    assert "\x1b" not in svg
    assert "\u202e" not in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    assert "alert(1)" in "".join(root.itertext())


def test_the_frontier_is_full_points_on_a_line_and_each_says_its_values() -> None:
    root = ElementTree.fromstring(pareto_svg(POINTS, COST, QUALITY, title="t"))
    full = [e for e in root.iter(f"{SVG}circle") if e.get("class") == "cb-point"]
    rings = [e for e in root.iter(f"{SVG}circle") if e.get("class") == "cb-ring"]
    assert (len(full), len(rings)) == (2, 1)
    said = full[0].findtext(f"{SVG}title")
    assert said == "RC: nDCG@5 0.600, index size 1.00 MB, on the frontier"
    (steps,) = root.iter(f"{SVG}path")
    assert steps.get("d", "").startswith(f"M{full[0].get('cx')} {full[0].get('cy')}H")
    assert f"V{full[1].get('cy')}" in steps.get("d", "")


def test_it_is_readable_in_light_and_dark() -> None:
    svg = grid_svg(GRID, title="t")
    assert 'class="cb-paper"' in svg
    assert "prefers-color-scheme: dark" in svg


def test_correlations_are_symmetric_and_what_has_no_spread_is_left_out() -> None:
    rows = (
        CorrelationRow("Hit@5", "nDCG@5", 0.8765, 9),
        CorrelationRow("Hit@5", "chunks", -1.0, 9),
        CorrelationRow("chunks", "nDCG@5", None, 2),
        CorrelationRow("OverWindow", "chunks", None, 9),
        CorrelationRow("Hit@5", "OverWindow", None, 9),
        CorrelationRow("OverWindow", "nDCG@5", None, 9),
    )
    grid = correlation_grid(rows)
    assert grid is not None
    assert [row.label.split()[1] for row in grid.rows] == ["nDCG@5", "Hit@5", "chunks"]
    texts = [[cell.text for cell in row.cells] for row in grid.rows]
    assert texts == [["1", ".88", ""], [".88", "1", "-1.0"], ["", "-1.0", "1"]]
    assert grid.note.endswith("left out: 1 without spread")
    assert correlation_grid(rows[2:]) is None


@pytest.mark.parametrize(
    ("r", "text"), [(0.004, ".00"), (-0.42, "-.42"), (0.999, "1.0"), (-1.0, "-1.0")]
)
def test_a_correlation_in_four_cells(r: float, text: str) -> None:
    assert r_text(r) == text


def test_a_png_has_the_picture_in_twice_its_size() -> None:
    pytest.importorskip("resvg_py", reason="needs the extra `report`")
    pytest.importorskip("font_roboto", reason="needs the extra `report`")
    from chunkbench_tui.plots.export import png_of

    png = png_of(pareto_svg(POINTS, COST, QUALITY, title="t", width=400, height=300))
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(png[16:20]) == 800
    assert int.from_bytes(png[20:24]) == 600
