"""The strategy screen: all that is known of one configuration."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from chunkbench_tui import strategy_panels
from chunkbench_tui.findings import diagnosis_panel, finding_headings, finding_lines
from chunkbench_tui.panels import memory_panel
from chunkbench_tui.questions_text import WIDEST_ID
from chunkbench_tui.safe_text import shown, shown_lines
from chunkbench_tui.screen_exports import strategy_exports
from chunkbench_tui.screens.watching import WatchingScreen
from chunkbench_tui.selection import no_run_text
from chunkbench_tui.strategy_view import read_strategy
from chunkbench_tui.widgets.column_layout import Heading
from chunkbench_tui.widgets.key_line import KeyLine
from chunkbench_tui.widgets.line import Line
from chunkbench_tui.widgets.line_table import LineTable
from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from chunkbench_tui.exporting import Export
    from chunkbench_tui.selection import Selection
    from chunkbench_tui.strategy_view import StrategyView


class StrategyScreen(WatchingScreen):
    """The selected strategy: measures, costs, chunk sizes, cuts, its worst questions."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "left_square_bracket",
            "strategy(-1)",
            "Previous",
            key_display="[",
            tooltip="The strategy before, by score",
            id="strategy.back",
        ),
        Binding(
            "right_square_bracket",
            "strategy(1)",
            "Next",
            key_display="]",
            tooltip="The next strategy, by score",
            id="strategy.next",
        ),
        Binding(
            "enter", "question", "Question", tooltip="Open the question", id="strategy.question"
        ),
        Binding(
            "enter",
            "finding",
            "In its document",
            tooltip="The finding in its document",
            id="strategy.finding",
        ),
        Binding(
            "d",
            "findings",
            "Findings",
            tooltip="What ails its chunks, or its worst questions",
            id="strategy.findings",
        ),
        Binding("v", "boundaries", "Boundaries", tooltip="Its chunks", id="strategy.boundaries"),
        Binding(
            "escape", "back", "Back", tooltip="Back to where you came from", id="strategy.back_out"
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._view: StrategyView | None = None
        self._keys: tuple[bool | None, ...] = ()
        self._wants_findings = False

    def compose(self) -> ComposeResult:
        yield Static("Strategy", id="status", classes="status", markup=False)
        yield Static(id="message", classes="message", markup=False)
        with Horizontal(id="body", classes="body"):
            with VerticalScroll(id="detail"):
                yield Static(id="remarks", markup=False)
                with Horizontal(id="columns"):
                    yield Static(id="measures", markup=False)
                    with Vertical(id="costs"):
                        yield Static(id="cuts", markup=False)
                        yield Static(id="diagnosis", markup=False)
                        yield Static(id="times", markup=False)
                yield Static(id="sizes", markup=False)
                yield Static(id="memory", markup=False)
            with Vertical(id="questions"):
                yield Static(id="worst-title", markup=False)
                yield LineTable(id="worst", enter=False, search=("key", "text"))
        yield KeyLine()

    def on_mount(self) -> None:
        self.table.focus()

    @property
    def table(self) -> LineTable:
        return self.query_one("#worst", LineTable)

    @work(exclusive=True, group="read", exit_on_error=False)
    async def _read_again(self) -> None:
        await self._read()

    async def _read(self) -> None:
        selection = self.app.selection
        read = partial(read_strategy, selection=selection, last=self._view)
        view = await self.app.feed.read(read)
        if selection == self.app.selection:  # else another is being read already
            self._show(view, selection)

    def _say(self, text: str) -> None:
        self._view = None
        self.add_class("-empty")
        show_text(self.query_one("#status", Static), "Strategy")
        show_text(self.query_one("#message", Static), shown_lines(text))
        self._update_keys()

    def _update_keys(self) -> None:
        """The footer is made anew only where other keys do something."""
        keys = tuple(
            self.check_action(action, ())
            for action in ("strategy", "question", "finding", "findings", "boundaries")
        )
        if keys != self._keys:
            self._keys = keys
            self.refresh_bindings()

    def _show(self, view: StrategyView | None, selection: Selection) -> None:
        if view is None:
            self._say(no_run_text(selection))
            return
        before, self._view = self._view, view
        self.remove_class("-empty")
        choice = view.choice
        self.app.selection = replace(
            selection.in_run(choice.summary.id), config=choice.strategy.config
        )
        show_text(
            self.query_one("#status", Static),
            Content.assemble(
                (shown(choice.name), "bold"),
                f" · {choice.place + 1} of {len(choice.strategies)}",
                f" · run {choice.summary.id} {shown(choice.summary.corpus)}",
                f" · {view.detail.documents} of {view.detail.documents_total} documents chunked",
            ),
        )
        if before is None or before.choice.strategy.config != choice.strategy.config:
            self.table.follow = True
            self.query_one("#detail").scroll_to(y=0, animate=False)
        if before is None:
            self.call_after_refresh(self._show_panels)  # its width is not known before
        self._show_panels()
        self._show_list(view)
        self._update_keys()

    def _show_panels(self) -> None:
        if (view := self._view) is None:
            return
        width = self.query_one("#detail").scrollable_content_region.width
        row, detail = view.row, view.detail
        texts = {
            "remarks": strategy_panels.remarks_text(row),
            "measures": strategy_panels.measures_panel(row),
            "cuts": strategy_panels.cuts_panel(row, detail),
            "diagnosis": diagnosis_panel(row.diagnosis),
            "times": strategy_panels.times_panel(row, detail, width // 2),
            "sizes": strategy_panels.histogram_panel(detail.histogram, row, width),
            "memory": memory_panel(row, view.curve, width),
        }
        if not view.choice.summary.questions:
            # There are no measures: what ails the chunks stands in their place.
            texts["measures"] = texts.pop("diagnosis")
        self.query_one("#diagnosis").display = bool(texts.get("diagnosis"))
        for name, text in texts.items():
            show_text(self.query_one(f"#{name}", Static), text)

    @property
    def _lists_findings(self) -> bool:
        """Whether the list is of findings: where it is wanted, and where there are no questions."""
        view = self._view
        if view is None or not view.findings:
            return False
        return self._wants_findings or not view.choice.summary.questions

    def _show_list(self, view: StrategyView) -> None:
        if self._lists_findings:
            self._show_findings(view)
        else:
            self._show_worst(view)

    def _show_findings(self, view: StrategyView) -> None:
        title = Content.styled("Findings, those that matter most first", "bold")
        show_text(self.query_one("#worst-title", Static), title)
        self.table.show(finding_headings(), finding_lines(view.findings))

    def _show_worst(self, view: StrategyView) -> None:
        cutoff = view.choice.summary.cutoff
        if not view.choice.summary.questions:
            title = "A run without questions: d shows its findings, 8 builds questions"
        elif view.detail.worst:
            title = f"Worst questions, by nDCG@{cutoff}"
        else:
            title = "No question scored yet"
        longest = max((len(q.key) for q in view.detail.worst), default=0)
        show_text(self.query_one("#worst-title", Static), Content.styled(title, "bold"))
        headings = [
            Heading("score", f"nDCG@{cutoff}", max(7, 5 + len(cutoff)), right=True),
            Heading("key", "id", 8, wanted=min(longest, WIDEST_ID)),
            Heading("text", "question", 20, wanted=500),
        ]
        lines = [
            Line(q.id, (f"{q.score:.3f}", shown(q.key), shown(q.text))) for q in view.detail.worst
        ]
        self.table.show(headings, lines)

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_panels)

    def action_strategy(self, by: int) -> None:
        if self._view is not None:
            entry = self._view.choice.neighbour(by)
            self.app.selection = replace(self.app.selection, config=entry.config)
            self._read_again()

    @on(LineTable.Chosen)
    async def _chosen(self) -> None:
        if self._lists_findings:
            await self.action_finding()
        else:
            await self.action_question()

    def action_findings(self) -> None:
        """The list of findings instead of the worst questions, and back."""
        if self._view is not None:
            self._wants_findings = not self._wants_findings
            self.table.follow = True
            self._show_list(self._view)
            self._update_keys()

    async def action_finding(self) -> None:
        """Open the finding under the cursor in its document."""
        key = self.table.cursor_key
        if self._view is not None and key is not None:
            found = self._view.findings[key]
            selection = replace(
                self.app.selection, document=found.document, span=(found.start, found.end)
            )
            await self.app.open("boundaries", selection)

    async def action_question(self) -> None:
        if (key := self.table.cursor_key) is not None:
            await self.app.open("questions", replace(self.app.selection, question=key))

    async def action_boundaries(self) -> None:
        await self.app.open("boundaries", replace(self.app.selection, span=(0, 0)))

    async def action_back(self) -> None:
        await self.app.back()

    def exports(self) -> list[Export]:
        view = self._view
        return [] if view is None else strategy_exports(view.choice.summary.id, view.row)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action == "strategy":
            return self._view is not None and len(self._view.choice.strategies) > 1
        if action == "question":
            return (
                self._view is not None
                and bool(self._view.detail.worst)
                and not self._lists_findings
            )
        if action == "finding":
            return self._lists_findings
        if action == "findings":
            view = self._view
            return view is not None and bool(view.findings) and view.choice.summary.questions > 0
        return action != "boundaries" or self._view is not None
