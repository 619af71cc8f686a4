"""The keys of the plots screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

if TYPE_CHECKING:
    from textual.binding import BindingType

KEYS: list[BindingType] = [
    # Before those of a table, which has columns under them.
    # The line of names shows them.
    Binding("l", "plot(1)", "Next plot", show=False, priority=True, tooltip="The next plot",
            id="plots.next"),
    Binding("h", "plot(-1)", "Plot before", show=False, priority=True,
            tooltip="The plot before", id="plots.before"),
    Binding("x", "cost", "Cost", tooltip="Another cost across", id="plots.cost"),
    Binding("m", "quality", "Measure", tooltip="Another measure of quality",
            id="plots.quality"),
    Binding("M", "experiment", "Model", tooltip="Another model or retrieval",
            id="plots.experiment"),
    Binding("T", "table", "Table", tooltip="As a table, or as a plot", id="plots.table"),
    Binding("enter", "strategy", "Strategy", tooltip="Open the strategy", id="plots.strategy"),
    Binding("r", "analyse", "Compute", tooltip="Compute what the plots need",
            id="plots.analyse"),
    Binding("escape", "back", "Back", tooltip="Back to where you came from", id="plots.out"),
]  # fmt: skip
