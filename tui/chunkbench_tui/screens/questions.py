"""The questions screen: what was asked, where the answer stands, what a strategy found."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import DescendantFocus
from textual.screen import Screen
from textual.widgets import Static

from chunkbench_store.database import StoreError
from chunkbench_tui import questions_text
from chunkbench_tui.copying import Copied
from chunkbench_tui.questions_view import read_questions
from chunkbench_tui.safe_text import shown, shown_lines
from chunkbench_tui.screen_exports import questions_exports
from chunkbench_tui.selection import no_run_text
from chunkbench_tui.widgets.key_line import KeyLine
from chunkbench_tui.widgets.line_table import LineTable
from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.worker import Worker

    from chunkbench_store.questions import RankedHit
    from chunkbench_tui.app import ChunkbenchApp
    from chunkbench_tui.exporting import Export
    from chunkbench_tui.questions_view import QuestionsView
    from chunkbench_tui.selection import Selection


class QuestionsScreen(Screen[None]):
    """The questions of a run, and the hits of the selected strategy for one of them."""

    app: ChunkbenchApp

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "left_square_bracket",
            "strategy(-1)",
            "Previous",
            key_display="[",
            tooltip="The strategy before, by score",
            id="questions.back",
        ),
        Binding(
            "right_square_bracket",
            "strategy(1)",
            "Next",
            key_display="]",
            tooltip="The next strategy, by score",
            id="questions.next",
        ),
        Binding(
            "F",
            "failures",
            "Failures",
            tooltip="Only questions without a hit, or all",
            id="questions.failures",
        ),
        Binding(
            "enter", "hits", "Hits", tooltip="To the hits of the question", id="questions.hits"
        ),
        Binding(
            "enter",
            "boundaries",
            "In its document",
            tooltip="The hit in its document",
            id="questions.boundaries",
        ),
        Binding(
            "escape", "back", "Back", tooltip="To the questions, then back", id="questions.out"
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._view: QuestionsView | None = None
        self._failures = False
        self._keys: tuple[bool | None, ...] = ()

    def compose(self) -> ComposeResult:
        yield Static("Questions", id="status", classes="status", markup=False)
        yield Static(id="message", classes="message", markup=False)
        with Horizontal(id="body", classes="body"):
            yield LineTable(id="questions", enter=False, search=("key", "text", "category"))
            with Vertical(id="answer"):
                with VerticalScroll(id="question-scroll"):
                    yield Static(id="question", markup=False)
                yield LineTable(id="hits", enter=False)
                with VerticalScroll(id="passage-scroll"):
                    yield Static(id="passage", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        self.questions.focus()

    def on_screen_resume(self) -> None:
        self._watch()

    def on_screen_suspend(self) -> None:
        self.workers.cancel_group(self, "watch")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        self.app.say_failure(event)

    @property
    def questions(self) -> LineTable:
        return self.query_one("#questions", LineTable)

    @property
    def hits(self) -> LineTable:
        return self.query_one("#hits", LineTable)

    @property
    def hit(self) -> RankedHit | None:
        """The hit under the cursor."""
        detail = self._view.detail if self._view else None
        key = self.hits.cursor_key
        return next((hit for hit in (detail.hits if detail else ()) if hit.rank == key), None)

    @work(exclusive=True, group="watch", exit_on_error=False)
    async def _watch(self) -> None:
        """Follow the store until the screen is left."""
        try:
            async for _ in self.app.feed.changes(lambda: False):
                await self._read()
        except StoreError as error:
            self._say(str(error))

    @work(exclusive=True, group="read", exit_on_error=False)
    async def _read_again(self) -> None:
        await self._read()

    async def _read(self) -> None:
        selection, failures = self.app.selection, self._failures
        view = await self.app.feed.read(
            partial(read_questions, selection=selection, failures=failures)
        )
        if (selection, failures) == (self.app.selection, self._failures):
            self._show(view, selection)

    def _say(self, text: str) -> None:
        self._view = None
        self.add_class("-empty")
        show_text(self.query_one("#status", Static), "Questions")
        show_text(self.query_one("#message", Static), shown_lines(text))
        self._update_keys()

    def _show(self, view: QuestionsView | None, selection: Selection) -> None:
        if view is None:
            self._say(no_run_text(selection))
            return
        before, self._view = self._view, view
        self.remove_class("-empty")
        choice, entries = view.choice, view.questions.entries
        self.app.selection = replace(
            selection.in_run(choice.summary.id),
            config=choice.strategy.config,
            question=view.detail.id if view.detail else selection.question,
        )
        self.questions.show(
            questions_text.question_headings(entries, choice.summary.k),
            [questions_text.question_line(entry) for entry in entries],
        )
        if view.detail is not None:
            self.questions.move_to(view.detail.id)
        if before is None or _about(before) != _about(view):
            self.hits.follow = True
            for name in ("#question-scroll", "#passage-scroll"):
                self.query_one(name).scroll_to(y=0, animate=False)
        self._show_status(view)
        self._show_answer(view)
        self._update_keys()

    def _show_status(self, view: QuestionsView) -> None:
        choice, listed = view.choice, view.questions
        parts: list[str | tuple[str, str]] = [
            (shown(choice.name), "bold"),
            f" · {choice.place + 1} of {len(choice.strategies)}",
            f" · run {choice.summary.id} {shown(choice.summary.corpus)}",
            f" · {_counted(listed.total, 'failure' if self._failures else 'question')}",
        ]
        if listed.total > len(listed.entries):
            parts.append(f", the first {len(listed.entries):,} shown")
        show_text(self.query_one("#status", Static), Content.assemble(*parts))

    def _show_answer(self, view: QuestionsView) -> None:
        question = self.query_one("#question", Static)
        detail, entry = view.detail, view.choice.strategy
        if detail is None:
            text = questions_text.empty_text(self._failures, entry)
            show_text(question, text)
        else:
            show_text(question, questions_text.question_text(detail))
        hits = detail.hits if detail else ()
        self.hits.show(questions_text.HIT_HEADINGS, [questions_text.hit_line(hit) for hit in hits])
        self._show_passage()

    def _show_passage(self) -> None:
        view, hit = self._view, self.hit
        text: Content | str = ""
        if hit is not None:
            text = questions_text.passage_text(hit)
        elif view is not None and view.detail is not None:
            text = questions_text.no_hits_text(view.choice.strategy, view.detail)
        show_text(self.query_one("#passage", Static), text)

    @on(LineTable.Highlighted, "#questions")
    def _another_question(self, event: LineTable.Highlighted) -> None:
        if event.key is not None and event.key != self.app.selection.question:
            self.app.selection = replace(self.app.selection, question=event.key)
            self._read_again()

    @on(LineTable.Highlighted, "#hits")
    def _another_hit(self) -> None:
        self.query_one("#passage-scroll").scroll_to(y=0, animate=False)
        self._show_passage()

    @on(LineTable.Chosen, "#questions")
    def action_hits(self) -> None:
        self.hits.focus()

    @on(DescendantFocus)
    def _focus_moved(self) -> None:
        self._update_keys()

    def _update_keys(self) -> None:
        """The footer is made anew only where other keys do something."""
        keys = tuple(
            self.check_action(action, ())
            for action in ("strategy", "failures", "hits", "boundaries")
        )
        if keys != self._keys:
            self._keys = keys
            self.refresh_bindings()

    @on(LineTable.Chosen, "#hits")
    async def _chosen_hit(self) -> None:
        await self.action_boundaries()

    def action_strategy(self, by: int) -> None:
        if self._view is not None:
            entry = self._view.choice.neighbour(by)
            self.app.selection = replace(self.app.selection, config=entry.config)
            self._read_again()

    def action_failures(self) -> None:
        self._failures = not self._failures
        self._read_again()

    async def action_boundaries(self) -> None:
        if (hit := self.hit) is not None:
            passage = hit.passage
            await self.app.open(
                "boundaries",
                replace(
                    self.app.selection,
                    document=passage.document,
                    span=(passage.start, passage.end),
                ),
            )

    async def action_back(self) -> None:
        if self.hits.has_focus:
            self.questions.focus()
        else:
            await self.app.back()

    def copied(self) -> Copied | None:
        """The hit where the hits have the focus, else the question."""
        view, hit = self._view, self.hit
        if view is None or view.detail is None:
            return None
        if self.hits.has_focus and hit is not None:
            return Copied(f"hit {hit.rank}", hit.passage.text)
        return Copied("the question", view.detail.text)

    def exports(self) -> list[Export]:
        view = self._view
        if view is None:
            return []
        hits_of = [(view.choice.strategy, view.detail)] if view.detail is not None else []
        return questions_exports(
            view.choice.summary.id, view.questions.entries, view.detail, hits_of
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action == "back":
            return True
        if action == "strategy":
            return self._view is not None and len(self._view.choice.strategies) > 1
        if action in ("hits", "boundaries"):
            return self.hit is not None and self.hits.has_focus == (action == "boundaries")
        return self._view is not None


def _about(view: QuestionsView) -> tuple[object, ...]:
    return view.detail and view.detail.id, view.choice.strategy.config


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
