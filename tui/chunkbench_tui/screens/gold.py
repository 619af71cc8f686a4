"""The gold builder: read a document, select the passage, type the question that it answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Static

from chunkbench_engine.errors import BadInput
from chunkbench_engine.questions.gold import Suggestion
from chunkbench_engine.questions.verbatim import extended
from chunkbench_store.corpora import corpus_of
from chunkbench_store.database import StoreError
from chunkbench_tui import gold_text
from chunkbench_tui.copying import Copied
from chunkbench_tui.gold_edits import Draft, draft_of
from chunkbench_tui.gold_places import last_corpus
from chunkbench_tui.gold_session import open_session
from chunkbench_tui.safe_text import shown, shown_lines
from chunkbench_tui.screens.gold_documents import GoldDocumentsScreen
from chunkbench_tui.screens.gold_keys import KEYS, is_possible
from chunkbench_tui.screens.gold_open import GoldOpenScreen
from chunkbench_tui.screens.language_model import ModelScreen
from chunkbench_tui.screens.question_form import QuestionForm
from chunkbench_tui.widgets.find_bar import active_bar
from chunkbench_tui.widgets.key_line import KeyLine
from chunkbench_tui.widgets.line_table import LineTable
from chunkbench_tui.widgets.passage_selector import PassageSelector
from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.worker import Worker

    from chunkbench_engine.questions.gold import GoldRow
    from chunkbench_engine.questions.search import Candidate
    from chunkbench_tui.app import ChunkbenchApp
    from chunkbench_tui.gold_session import GoldSession

_EMPTY = (
    "No documents are open.\n\nPress o to choose a folder: read, select the passage that answers, "
    "type the question."
)


@dataclass(frozen=True, slots=True)
class Review:
    """Candidates for a question that has no evidence, and the one that is shown."""

    row: GoldRow
    candidates: tuple[Candidate, ...]
    place: int = 0


class GoldScreen(Screen[None]):
    """Builds a question file; whatever is accepted is in the file at once."""

    app: ChunkbenchApp

    ALLOW_SELECT = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = KEYS

    def __init__(self) -> None:
        super().__init__()
        self.session: GoldSession | None = None
        self.offer: Review | Suggestion | None = None
        """What is to be accepted: evidence for a question, or a question with evidence."""
        self._asked = ""
        self._document, self._caret = "", 0
        self._draft = Draft()
        """What is being written: its passages so far, and the split chosen last."""

    def compose(self) -> ComposeResult:
        yield Static("Gold", id="status", classes="status", markup=False)
        yield Static(_EMPTY, id="message", classes="message", markup=False)
        with Vertical(id="body", classes="body"):
            yield PassageSelector(id="passage")
            yield Static(id="selection", markup=False)
            yield LineTable(id="rows", enter=False)
        yield KeyLine()

    def on_mount(self) -> None:
        self.add_class("-empty")
        self.rows.follow = False

    async def on_unmount(self) -> None:
        self._keep_place()
        if self.session is not None:
            await self.session.close()

    async def on_screen_resume(self) -> None:
        wanted = self.app.gold_corpus or self._asked or await self._usual_corpus()
        if wanted and wanted != self._asked:
            self._open(wanted)

    async def _usual_corpus(self) -> str:
        """The documents of the run that the screens are about, else those of last time."""
        run = self.app.selection.run
        try:
            folder = "" if run is None else await self.app.feed.read(partial(corpus_of, run=run))
        except StoreError:
            folder = ""  # the screens of the run say it
        return folder or last_corpus(self.app.feed.path)

    def on_screen_suspend(self) -> None:
        self._keep_place()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if isinstance(event.worker.error, BadInput):
            self._say_problem(event.worker.error)
        else:
            self.app.say_failure(event)

    @property
    def passage(self) -> PassageSelector:
        return self.query_one("#passage", PassageSelector)

    @property
    def rows(self) -> LineTable:
        return self.query_one("#rows", LineTable)

    @property
    def _open_session(self) -> GoldSession:
        """The session; keys that need one are dead without it."""
        assert self.session is not None
        return self.session

    @property
    def _row(self) -> GoldRow | None:
        """The row under the cursor of the list."""
        key = self.rows.cursor_key
        return next((row for row in self._open_session.rows if row.line == key), None)

    # Opening

    @work(exclusive=True, group="open", exit_on_error=False)
    async def _open(self, corpus: str, file: str = "") -> None:
        self._keep_place()
        before, self.session = self.session, None
        if before is not None:
            await before.close()
        self._asked = self.app.gold_corpus = corpus
        self._say(f"Reading {corpus}…")
        try:
            session, (document, offset, _) = await open_session(self.app.feed.path, corpus, file)
        except BadInput as error:
            self._say(f"{error}\n\nPress o to choose other documents or another file.")
            return
        self.session, self.offer, self._draft = session, None, Draft()
        self.remove_class("-empty")
        await self._open_document(document, offset)
        self._show_rows()
        self.rows.action_last()
        self.passage.focus()

    async def _open_document(self, document: str, caret: int = 0) -> None:
        text = await self._open_session.text(document)
        self._document = document
        self.passage.open(text, caret)
        self.passage.mark(self._open_session.evidence_in(document))

    @work(exclusive=True, group="document", exit_on_error=False)
    async def _go_to(self, document: str, start: int, end: int = 0) -> None:
        """Show a place; with an end, as the selection."""
        if document != self._document:
            await self._open_document(document, start)
        if end:
            self.passage.select(start, end)
        else:
            self.passage.go_to(start)

    def _keep_place(self) -> None:
        if self.session is not None and self._document:
            try:
                self.session.keep_place(self._document, self._caret)
            except OSError as error:
                text = f"Where you stopped cannot be kept: {error.strerror}"
                self.notify(shown(text), severity="warning", markup=False)

    # Showing

    def _say(self, text: str) -> None:
        self.add_class("-empty")
        show_text(self.query_one("#status", Static), "Gold")
        show_text(self.query_one("#message", Static), shown_lines(text))
        self.refresh_bindings()

    def _say_problem(self, error: BadInput) -> None:
        self.notify(shown(str(error)), severity="error", markup=False)
        if self.session is not None:
            self._show_rows()
            self._show_selection()

    def _show_rows(self) -> None:
        session = self._open_session
        self.rows.show(gold_text.HEADINGS, gold_text.row_lines(session.rows))
        status = gold_text.status_text(session.corpus, session.file, session.rows)
        show_text(self.query_one("#status", Static), status)
        self.passage.mark(session.evidence_in(self._document))
        self.refresh_bindings()

    @on(PassageSelector.Changed)
    def _show_selection(self) -> None:
        passage = self.passage
        self._caret = passage.caret
        match self.offer:
            case Review(_, candidates, place):
                text = gold_text.candidate_text(place, len(candidates), candidates[place])
            case Suggestion() as suggestion:
                text = gold_text.suggestion_text(suggestion)
            case None:
                text = gold_text.selection_text(
                    self._document, passage.text, passage.caret, passage.span
                )
                if self._draft.evidence:
                    text = f"passage {len(self._draft.evidence) + 1} · {text}"
        show_text(self.query_one("#selection", Static), text)

    # Writing

    @work(exclusive=True, group="form", exit_on_error=False)
    async def _fill(self, draft: Draft) -> None:
        """Have a draft filled in, and put it into the file."""
        passages = [await self._open_session.passage(slot[0]) for slot in draft.evidence]
        filled = await self.app.push_screen_wait(QuestionForm(draft, passages))
        if filled is None:
            self._draft = Draft(split=draft.split)
            self._show_selection()
        elif filled.more:
            self._draft = filled.draft
            self.passage.drop()
            self.passage.focus()
            self.notify("Select the next passage, then press enter.", markup=False)
        else:
            await self._save(filled.draft)

    async def _save(self, draft: Draft) -> None:
        await self._open_session.save(draft)
        self._draft = Draft(split=draft.split)
        self.passage.drop()
        self._show_rows()
        if draft.row is None:
            self.rows.action_last()
        self._keep_place()

    def action_ask(self) -> None:
        if self.rows.has_focus:
            self._show_row()
            return
        start, end = self.passage.span
        if start == end:
            self.notify("Select a passage first: s takes the sentence, v begins.", markup=False)
            return
        evidence = (*self._draft.evidence, ((self._document, start, end),))
        category = self._draft.category
        if len(evidence) > 1 and category in ("", "direct"):
            category = "multi-part"
        self._fill(replace(self._draft, evidence=evidence, category=category))

    def action_ask_without(self) -> None:
        self._fill(Draft(split=self._draft.split))

    def action_edit(self) -> None:
        if isinstance(self.offer, Suggestion):
            draft, self.offer = self._proposed(self.offer), None
            self._fill(draft)
        elif (row := self._row) is not None and not row.problem:
            self._fill(draft_of(row))
        else:
            self._show_row()

    @work(exclusive=True, group="write", exit_on_error=False)
    async def action_delete(self) -> None:
        if (row := self._row) is not None:
            await self._open_session.remove(row)
            self._show_rows()
            self.notify("Deleted; u brings it back.", markup=False)

    @work(exclusive=True, group="write", exit_on_error=False)
    async def action_undo(self) -> None:
        if self._open_session.edits:
            what = await self._open_session.undo()
            self._show_rows()
            self.notify(what.capitalize(), markup=False)

    def action_written(self) -> None:
        session = self._open_session
        done = f"{len(session.rows)} rows are in {session.file}; every change is written at once."
        self.notify(shown(done), markup=False)

    async def action_run(self) -> None:
        session = self._open_session
        await self.app.offer(Path(session.asked), questions=session.file)

    # Offers

    @work(exclusive=True, group="find", exit_on_error=False)
    async def action_find(self) -> None:
        """Offer evidence for the question in the list, or the first that has none."""
        session, row = self._open_session, self._row
        if row is None or not row.lacks_evidence:
            row = next((row for row in session.rows if row.lacks_evidence), None)
        if row is None:
            return
        self.rows.move_to(row.line)
        show_text(self.query_one("#selection", Static), "Searching the documents…")
        candidates = await session.find(row)
        if candidates:
            self._show_candidate(Review(row, candidates))
        else:
            self.notify("No passage shares a distinctive word with it.", markup=False)
            self._show_selection()

    def _show_candidate(self, review: Review) -> None:
        self.offer = review
        candidate = review.candidates[review.place]
        self._go_to(candidate.document, candidate.start, candidate.end)
        self.passage.focus()
        self.refresh_bindings()

    @work(exclusive=True, group="choose", exit_on_error=False)
    async def action_suggest(self) -> None:
        """Ask which model, and have it propose the first question."""
        name = await self.app.push_screen_wait(ModelScreen())
        if name is not None:
            await self._open_session.ask_model(name)
            self._propose()

    @work(exclusive=True, group="suggest", exit_on_error=False)
    async def _propose(self) -> None:
        """Show the model's next question, with its evidence selected."""
        self.offer = None
        show_text(self.query_one("#selection", Static), "The language model is asked…")
        found = await self._open_session.next_suggestion()
        self.offer = found
        self._go_to(found.document, found.start, found.end)
        self.passage.focus()
        self.refresh_bindings()

    def _proposed(self, found: Suggestion) -> Draft:
        evidence = (((found.document, found.start, found.end),),)
        split = self._draft.split
        return Draft(found.question, found.answer, "", split, evidence, model=found.model)

    @work(exclusive=True, group="form", exit_on_error=False)
    async def action_accept(self) -> None:
        """Make what is selected now the evidence of the question that is offered."""
        offer = self.offer
        start, end = self.passage.span
        if offer is None or start == end:
            self.notify("Select its evidence first.", markup=False)
            return
        draft = draft_of(offer.row) if isinstance(offer, Review) else self._proposed(offer)
        self.offer = None
        await self._save(replace(draft, evidence=(((self._document, start, end),),)))
        if isinstance(offer, Suggestion):
            self._propose()

    def action_reject(self) -> None:
        self.passage.drop()
        self._propose()

    def action_step(self, by: int) -> None:
        if isinstance(self.offer, Review):
            place = (self.offer.place + by) % len(self.offer.candidates)
            self._show_candidate(replace(self.offer, place=place))

    # Moving about

    def action_extend(self) -> None:
        found = extended(self.passage.text, *self.passage.span)
        if found is None:
            self.notify("It cannot be told apart: enter keeps its offsets.", markup=False)
        else:
            self.passage.select(*found)

    @on(LineTable.Chosen)
    def _show_row(self) -> None:
        row = self._row
        if row is None:
            return
        if row.problem:
            self.notify(shown(row.problem), title="It cannot be used", markup=False)
        elif row.evidence:
            self._go_to(*row.evidence[0][0])
        elif row.lacks_evidence:
            self.action_find()

    @work(exclusive=True, group="choose", exit_on_error=False)
    async def action_documents(self) -> None:
        session = self._open_session
        chooser = GoldDocumentsScreen(session.corpus.documents, session.rows, self._document)
        chosen = await self.app.push_screen_wait(chooser)
        if chosen is not None and chosen != self._document:
            self._go_to(chosen, 0)

    def action_document(self, by: int) -> None:
        ids = self._open_session.documents
        self._go_to(ids[(ids.index(self._document) + by) % len(ids)], 0)

    @work(exclusive=True, group="choose", exit_on_error=False)
    async def action_choose(self) -> None:
        file = str(self.session.file) if self.session is not None else ""
        chosen = await self.app.push_screen_wait(GoldOpenScreen(self._asked, file))
        if chosen is not None:
            self._open(*chosen)

    def copied(self) -> Copied | None:
        """The passage that is selected; the question under the cursor where the list is used."""
        if self.session is None:
            return None
        start, end = self.passage.span
        if not self.rows.has_focus and start < end:
            return Copied("the passage", self.passage.text[start:end])
        row = self._row
        return None if row is None else Copied("the question", row.question)

    async def action_back(self) -> None:
        if self.offer is not None or self._draft.evidence or self.passage.span != (0, 0):
            self.offer = None
            self._draft = Draft(split=self._draft.split)
            self.passage.drop()
            self.refresh_bindings()
        elif self.rows.has_focus:
            self.passage.focus()
        else:
            await self.app.back()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action == "step" and active_bar(self) is not None:
            return False  # n and N go through what was found
        offered = type(self.offer).__name__ if self.offer is not None else ""
        return is_possible(action, self.session, offered)
