"""The questions screen: what was asked, where the answer stands, what a strategy found."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import DescendantFocus
from textual.widgets import Static

from chunkbench_engine.run.spot_check import grade_by_hand
from chunkbench_store.judgements import PassageRow
from chunkbench_tui import questions_text
from chunkbench_tui.copying import Copied
from chunkbench_tui.questions_view import Narrowing, read_questions
from chunkbench_tui.safe_text import shown, shown_lines
from chunkbench_tui.screen_exports import questions_exports
from chunkbench_tui.screens.grade import GradeScreen
from chunkbench_tui.screens.questions_keys import KEYS
from chunkbench_tui.screens.watching import WatchingScreen
from chunkbench_tui.selection import no_run_text
from chunkbench_tui.widgets.key_line import KeyLine
from chunkbench_tui.widgets.line_table import LineTable
from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from chunkbench_store.questions import RankedHit
    from chunkbench_tui.exporting import Export
    from chunkbench_tui.questions_view import Answer, QuestionsView
    from chunkbench_tui.selection import Selection


_COLUMNS = "abc"
_WIDE, _WIDER = 120, 170
"""Widths from which on the hits of two, and of three, strategies stand side by side."""


class QuestionsScreen(WatchingScreen):
    """The questions of a run, and the hits of the selected strategy for one of them."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = KEYS

    def __init__(self) -> None:
        super().__init__()
        self._view: QuestionsView | None = None
        self._narrowing = Narrowing()
        self._others: tuple[int, ...] = ()
        self._keys: tuple[bool | None, ...] = ()

    def compose(self) -> ComposeResult:
        yield Static("Questions", id="status", classes="status", markup=False)
        yield Static(id="message", classes="message", markup=False)
        with Horizontal(id="body", classes="body"):
            yield LineTable(id="questions", enter=False, search=("key", "text", "category"))
            with Vertical(id="answer"):
                with VerticalScroll(id="question-scroll"):
                    yield Static(id="question", markup=False)
                with Horizontal(id="columns"):
                    for column in _COLUMNS:
                        with Vertical(id=f"column-{column}", classes="column"):
                            yield Static(id=f"title-{column}", classes="title", markup=False)
                            yield LineTable(id=f"hits-{column}", classes="hits", enter=False)
                with VerticalScroll(id="passage-scroll"):
                    yield Static(id="passage", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        self.questions.focus()

    @property
    def questions(self) -> LineTable:
        return self.query_one("#questions", LineTable)

    @property
    def columns(self) -> list[LineTable]:
        """The lists of hits that are on the screen."""
        tables = [self.query_one(f"#hits-{column}", LineTable) for column in _COLUMNS]
        return tables[: self._width]

    @property
    def _width(self) -> int:
        """Strategies whose hits fit side by side."""
        width = self.app.size.width
        return 1 if width < _WIDE else 2 if width < _WIDER else 3

    @property
    def _place(self) -> int:
        """The column that the keys act on."""
        focused = [table.has_focus for table in self.columns]
        return focused.index(True) if True in focused else 0

    @property
    def hits(self) -> LineTable:
        """The list of hits that the keys act on."""
        return self.columns[self._place]

    @property
    def answer(self) -> Answer | None:
        """What the keys act on: a strategy with its hits."""
        if self._view is None:  # also asked before there is a table
            return None
        answers = self._view.answers
        return answers[self._place] if self._place < len(answers) else None

    @property
    def hit(self) -> RankedHit | None:
        """The hit under the cursor."""
        detail = self.answer.detail if self.answer else None
        key = self.hits.cursor_key if detail else None
        return next((hit for hit in (detail.hits if detail else ()) if hit.rank == key), None)

    @work(exclusive=True, group="read", exit_on_error=False)
    async def _read_again(self) -> None:
        await self._read()

    async def _read(self) -> None:
        asked = selection, narrowing, others = self.app.selection, self._narrowing, self._others
        read = partial(
            read_questions,
            selection=selection,
            narrowing=narrowing,
            others=others,
            columns=self._width,
        )
        view = await self.app.feed.read(read)
        if asked == (self.app.selection, self._narrowing, self._others):
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
        compared = view.second is not None and (self._narrowing.differ or len(view.answers) > 1)
        self.questions.show(
            questions_text.question_headings(entries, choice.summary.cutoff, compared=compared),
            [questions_text.question_line(entry, compared=compared) for entry in entries],
        )
        if view.detail is not None:
            self.questions.move_to(view.detail.id)
        if before is None or _about(before) != _about(view):
            for table in self.columns:
                table.follow = True
            for name in ("#question-scroll", "#passage-scroll"):
                self.query_one(name).scroll_to(y=0, animate=False)
        self._show_status(view)
        self._show_answers(view)
        self._update_keys()

    def _show_status(self, view: QuestionsView) -> None:
        choice = view.choice
        parts: list[str | tuple[str, str]] = [
            (shown(choice.name), "bold"),
            f" · {choice.place + 1} of {len(choice.strategies)}",
        ]
        if self._narrowing.differ and view.second is not None:
            parts = [("A ", ""), parts[0], f" · B {shown(view.second.label)}"]
        parts.append(f" · {questions_text.listed_text(view.questions, self._narrowing)}")
        parts.append(f" · run {choice.summary.id} {shown(choice.summary.corpus)}")
        show_text(self.query_one("#status", Static), Content.assemble(*parts))

    def _show_answers(self, view: QuestionsView) -> None:
        if view.detail is None:
            text = questions_text.empty_text(self._narrowing, view.choice.strategy)
            show_text(self.query_one("#question", Static), text)
        else:
            question = questions_text.question_text(view.detail)
            show_text(self.query_one("#question", Static), question)
        for place, column in enumerate(_COLUMNS):
            table = self.query_one(f"#hits-{column}", LineTable)
            title = self.query_one(f"#title-{column}", Static)
            answer = view.answers[place] if place < len(view.answers) else None
            self.query_one(f"#column-{column}").display = answer is not None
            title.display = len(view.answers) > 1
            if answer is not None:
                hits = answer.detail.hits if answer.detail else ()
                own = any(hit.yours is not None for hit in hits)
                lines = [questions_text.hit_line(hit, own=own) for hit in hits]
                table.show(questions_text.hit_headings(hits), lines)
                score = "" if answer.entry.ndcg is None else f" · {answer.entry.ndcg:.3f}"
                show_text(title, f"{column.upper()} {shown(answer.entry.label)}{score}")
        self._show_passage()

    def _show_passage(self) -> None:
        hit, answer = self.hit, self.answer
        text: Content | str = ""
        if hit is not None:
            text = questions_text.passage_text(hit)
        elif answer is not None and answer.detail is not None:
            text = questions_text.no_hits_text(answer.entry, answer.detail)
        show_text(self.query_one("#passage", Static), text)

    def on_resize(self) -> None:
        if self._view is not None and self._width != len(self._view.answers):
            self._read_again()

    @on(LineTable.Highlighted, "#questions")
    def _another_question(self, event: LineTable.Highlighted) -> None:
        if event.key is not None and event.key != self.app.selection.question:
            self.app.selection = replace(self.app.selection, question=event.key)
            self._read_again()

    @on(LineTable.Highlighted, ".hits")
    def _another_hit(self) -> None:
        self.query_one("#passage-scroll").scroll_to(y=0, animate=False)
        self._show_passage()

    @on(LineTable.Chosen, "#questions")
    def action_hits(self) -> None:
        self.hits.focus()

    @on(DescendantFocus)
    def _focus_moved(self) -> None:
        self._show_passage()
        self._update_keys()

    def _update_keys(self) -> None:
        """The footer is made anew only where other keys do something."""
        keys = tuple(
            self.check_action(action, ())
            for action in ("strategy", "failures", "differ", "hits", "boundaries", "grade")
        )
        if keys != self._keys:
            self._keys = keys
            self.refresh_bindings()

    @on(LineTable.Chosen, ".hits")
    async def _chosen_hit(self) -> None:
        await self.action_boundaries()

    def action_strategy(self, by: int) -> None:
        """Another strategy into the column with the focus."""
        view, place = self._view, self._place
        if view is None:
            return
        if place == 0:
            config = view.choice.neighbour(by).config
            self.app.selection = replace(self.app.selection, config=config)
        else:
            entries = view.choice.strategies
            taken = {answer.entry.config for answer in view.answers}
            here = entries.index(view.answers[place].entry)
            ways = (entries[(here + by * step) % len(entries)] for step in range(1, len(entries)))
            entry = next((e for e in ways if e.config not in taken), entries[here])
            others = [answer.entry.config for answer in view.answers[1:]]
            others[place - 1] = entry.config
            self._others = tuple(others)
        self._read_again()

    def action_swap(self) -> None:
        """A and B change places."""
        if (view := self._view) is not None and view.second is not None:
            self._others = (view.choice.strategy.config, *self._others[1:])
            self.app.selection = replace(self.app.selection, config=view.second.config)
            self._read_again()

    def action_failures(self) -> None:
        self._narrowing = self._narrowing._replace(failures=not self._narrowing.failures)
        self._read_again()

    def action_differ(self) -> None:
        self._narrowing = self._narrowing._replace(differ=not self._narrowing.differ)
        self._read_again()

    @work(group="grade", exit_on_error=False)
    async def action_grade(self) -> None:
        answer, hit = self.answer, self.hit
        if answer is None or answer.detail is None or hit is None:
            return
        question, passage = answer.detail, hit.passage
        ask = GradeScreen(
            questions_text.question_text(question), Content(shown_lines(passage.text))
        )
        grade = await self.app.push_screen_wait(ask)
        if grade is not None:
            place = PassageRow(question.id, passage.document, passage.start, passage.end)
            await self.app.feed.write(partial(grade_by_hand, place=place, grade=grade))

    async def action_boundaries(self) -> None:
        answer, hit = self.answer, self.hit
        if answer is not None and hit is not None:
            passage = hit.passage
            await self.app.open(
                "boundaries",
                replace(
                    self.app.selection,
                    config=answer.entry.config,
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
        hits_of = [(entry, detail) for entry, detail in view.answers if detail is not None]
        return questions_exports(
            view.choice.summary.id, view.questions.entries, view.detail, hits_of
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action == "back":
            return True
        if action in ("strategy", "swap", "differ"):
            return self._view is not None and len(self._view.choice.strategies) > 1
        if action in ("hits", "boundaries"):
            return self.hit is not None and self.hits.has_focus == (action == "boundaries")
        if action == "grade":
            return self.hit is not None
        return self._view is not None


def _about(view: QuestionsView) -> tuple[object, ...]:
    return view.detail and view.detail.id, view.choice.strategy.config
