"""Choosing the strategies of a new run, by family, with their parameters and sweeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from chunkbench_tui.safe_text import shown
from chunkbench_tui.strategy_offers import spec_of
from chunkbench_tui.widgets.column_layout import Heading
from chunkbench_tui.widgets.key_line import KeyLine
from chunkbench_tui.widgets.line import Line
from chunkbench_tui.widgets.line_table import LineTable
from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from chunkbench_tui.strategy_offers import Offer

_HEADINGS = [
    Heading("chosen", "", 3),
    Heading("family", "family", 10, wanted=14),
    Heading("spec", "strategy", 14, wanted=44),
    Heading("name", "name", 20, wanted=60),
]


class StrategiesScreen(ModalScreen[tuple[str, ...] | None]):
    """Gives the specs, None if nothing is to be changed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "mark", "Choose", id="strategies.mark"),
        Binding("f", "family", "Family", tooltip="All of its family, or none", id="strategies.all"),
        Binding(
            "p",
            "parameters",
            "Parameters",
            tooltip="Other parameters, or a sweep over some",
            id="strategies.parameters",
        ),
        Binding("enter", "accept", "Take these", id="strategies.accept"),
        Binding("escape", "leave", "Leave", id="strategies.leave"),
        Binding("slash", "app.find", "Find", id="strategies.find"),
        Binding("n", "app.find_next(1)", show=False, id="strategies.find_next"),
    ]

    def __init__(self, offers: Sequence[Offer], chosen: Sequence[str]) -> None:
        """A choice among the offers.

        Args:
            chosen: specs that are chosen already; those that are none of the offers stay.
        """
        super().__init__()
        self._offers = tuple(offers)
        self._specs: dict[str, str] = {}
        abbreviations = {offer.abbr for offer in offers}
        self._others = []
        for spec in chosen:
            abbr = spec.partition("(")[0].strip()
            if abbr in abbreviations and abbr not in self._specs:
                self._specs[abbr] = spec
            else:
                self._others.append(spec)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(id="strategies-said", markup=False)
            yield LineTable(id="strategies", enter=False, search=("family", "spec", "name"))
            yield Static(id="strategies-summary", markup=False)
            yield Input(id="parameters", compact=True)
            yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#parameters").display = False
        self._show()
        self.table.focus()

    @property
    def table(self) -> LineTable:
        return self.query_one("#strategies", LineTable)

    @property
    def selected(self) -> Offer | None:
        """The strategy under the cursor."""
        key = self.table.cursor_key
        return None if key is None else self._offers[key]

    def _show(self) -> None:
        self.table.show(
            _HEADINGS,
            [
                Line(
                    place,
                    (
                        "[x]" if offer.abbr in self._specs else "[ ]",
                        offer.family,
                        shown(self._specs.get(offer.abbr, offer.abbr)),
                        offer.name,
                    ),
                )
                for place, offer in enumerate(self._offers)
            ],
        )
        count = len(self._specs) + len(self._others)
        told = f"{count} chosen" if count else "None chosen: the run has the paper's 34"
        if self._others:
            told += f", with {shown('; '.join(self._others))}"
        show_text(self.query_one("#strategies-said", Static), told)
        self._show_summary()

    @on(LineTable.Highlighted)
    def _show_summary(self) -> None:
        offer = self.selected
        if offer is not None:
            parts = [f"{offer.summary}."]
            parts.append(f"Parameters: {offer.parameters or 'none'}.")
            parts += [f"Needs {offer.needs}."] if offer.needs else []
            show_text(self.query_one("#strategies-summary", Static), " ".join(parts))

    @on(LineTable.Chosen)
    def action_mark(self) -> None:
        if (offer := self.selected) is not None:
            if self._specs.pop(offer.abbr, None) is None:
                self._specs[offer.abbr] = offer.abbr
            self._show()

    def action_family(self) -> None:
        if (selected := self.selected) is None:
            return
        family = [offer.abbr for offer in self._offers if offer.family == selected.family]
        if all(abbr in self._specs for abbr in family):
            for abbr in family:
                del self._specs[abbr]
        else:
            self._specs |= {abbr: self._specs.get(abbr, abbr) for abbr in family}
        self._show()

    def action_parameters(self) -> None:
        if (offer := self.selected) is not None:
            line = self.query_one("#parameters", Input)
            spec = self._specs.get(offer.abbr, "")
            line.value = spec if "(" in spec else spec_of(offer)
            line.display = True
            line.focus()
            text = "A sweep: a range as chunk_size=200..800:200, a list as overlap=0|50; enter"
            show_text(self.query_one("#strategies-summary", Static), text)

    @on(Input.Submitted, "#parameters")
    def _take_parameters(self, event: Input.Submitted) -> None:
        event.stop()
        if (offer := self.selected) is not None and event.value.strip():
            self._specs[offer.abbr] = event.value.strip()
        self._close_parameters()

    def _close_parameters(self) -> None:
        self.query_one("#parameters").display = False
        self.table.focus()
        self._show()

    def action_accept(self) -> None:
        self.dismiss((*self._specs.values(), *self._others))

    def action_leave(self) -> None:
        if self.query_one("#parameters").display:
            self._close_parameters()
        else:
            self.dismiss(None)
