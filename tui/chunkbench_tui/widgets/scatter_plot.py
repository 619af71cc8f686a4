"""A Pareto plot whose points can be walked over and clicked on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.binding import Binding
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from chunkbench_tui.plots.scatter import Picture, draw_scatter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.binding import BindingType

    from chunkbench_tui.plots.axes import Axis
    from chunkbench_tui.plots.points import Point

LEAST_WIDTH, LEAST_HEIGHT = 30, 8


class ScatterPlot(Widget, can_focus=True):
    """Drawn anew only when a point, an axis, the selection or the size changes."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "scatter--muted",
        "scatter--strong",
        "scatter--selected",
    }
    DEFAULT_CSS = """
    ScatterPlot {
        width: 1fr;
        height: 1fr;
        & > .scatter--muted { color: $foreground-muted; }
        & > .scatter--strong { text-style: bold; color: $text-primary; }
        & > .scatter--selected { text-style: bold reverse; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "across(1)", "Dearer", show=False, tooltip="The next dearer point",
                id="scatter.right"),
        Binding("left", "across(-1)", "Cheaper", show=False, tooltip="The next cheaper point",
                id="scatter.left"),
        Binding("up,k", "up(1)", "Better", show=False, tooltip="The next better point",
                id="scatter.up"),
        Binding("down,j", "up(-1)", "Worse", show=False, tooltip="The next worse point",
                id="scatter.down"),
    ]  # fmt: skip

    @dataclass
    class Selected(Message):
        """Another point is selected."""

        config: int

    @dataclass
    class Chosen(Message):
        """The selected point was clicked once more."""

        config: int

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._points: tuple[Point, ...] = ()
        self._axes: tuple[Axis, Axis] | None = None
        self._selected: int | None = None
        self._picture = Picture((), {})

    @property
    def selected(self) -> Point | None:
        return next((point for point in self._points if point.config == self._selected), None)

    @property
    def together(self) -> int:
        """Points in the cell of the selected one, without it."""
        places = self._picture.places
        here = places.get(self._selected or 0)
        return sum(place == here for place in places.values()) - 1 if here else 0

    def show(self, points: Sequence[Point], x: Axis, y: Axis, selected: int | None) -> None:
        """Show these points; `selected` is the configuration that stands out, else the first."""
        new = tuple(points)
        known = {point.config for point in new}
        if selected not in known:
            selected = new[0].config if new else None
        if (new, (x, y), selected) != (self._points, self._axes, self._selected):
            self._points, self._axes, self._selected = new, (x, y), selected
            self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        width, height = self.size
        if self._axes is None or not self._points or width < LEAST_WIDTH or height < LEAST_HEIGHT:
            self._picture = Picture((), {})
        else:
            self._picture = draw_scatter(self._points, *self._axes, width, height, self._selected)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        if not 0 <= y < len(self._picture.lines):
            return Strip.blank(self.size.width, base)
        styles = {
            tone: self.get_component_rich_style(f"scatter--{tone}")
            for tone in ("muted", "strong", "selected")
        }
        parts = [Segment(text, styles.get(tone, base)) for text, tone in self._picture.lines[y]]
        return Strip(parts).adjust_cell_length(self.size.width, base)

    def select(self, config: int) -> None:
        if config != self._selected:
            self._selected = config
            self._draw()
            self.post_message(self.Selected(config))

    def action_across(self, by: int) -> None:
        self._step(sorted(self._points, key=lambda point: (point.x, point.y)), by)

    def action_up(self, by: int) -> None:
        self._step(sorted(self._points, key=lambda point: (point.y, -point.x)), by)

    def _step(self, ordered: Sequence[Point], by: int) -> None:
        """To the next point in this order; each can be reached."""
        configs = [point.config for point in ordered]
        if self._selected in configs:
            place = configs.index(self._selected) + by
            self.select(configs[min(max(place, 0), len(configs) - 1)])

    def on_click(self, event: events.Click) -> None:
        """The nearest point within reach of the pointer; a second click opens it."""
        near = [
            (abs(x - event.x) + 2 * abs(y - event.y), config == self._selected, config)
            for config, (x, y) in self._picture.places.items()
        ]
        if not near:
            return
        distance, _, config = min(near)
        if distance > 3:
            return
        if config == self._selected:
            self.post_message(self.Chosen(config))
        else:
            self.select(config)
