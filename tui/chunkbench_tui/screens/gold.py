"""The gold builder: read a document, select the passage, type the question that it answers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Footer, Input, Static

from chunkbench_engine.errors import BadInput
from chunkbench_engine.questions.gold_client import GoldClient
from chunkbench_engine.questions.question_file import read_lines, write_lines
from chunkbench_engine.questions.verbatim import extended
from chunkbench_tui import gold_text
from chunkbench_tui.gold_edits import Draft, draft_of, kept, removed, undone
from chunkbench_tui.gold_places import GoldPlace, keep_place, last_corpus, place_in
from chunkbench_tui.safe_text import shown, shown_lines
from chunkbench_tui.screens.gold_documents import GoldDocumentsScreen
from chunkbench_tui.screens.gold_keys import KEYS
from chunkbench_tui.screens.gold_open import GoldOpenScreen
from chunkbench_tui.screens.question_form import QuestionForm
from chunkbench_tui.widgets.line_table import LineTable
from chunkbench_tui.widgets.passage_selector import PassageSelector
from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.worker import Worker

    from chunkbench_engine.questions.gold import GoldCorpus, GoldRow
    from chunkbench_engine.questions.search import Candidate
    from chunkbench_tui.app import ChunkbenchApp
    from chunkbench_tui.gold_edits import Edit

_EMPTY = (
    "No documents are open.\n\nPress o to choose a folder: read, select the passage that answers, "
    "type the question."
)

_OURS = {binding.action.split("(")[0] for binding in KEYS if isinstance(binding, Binding)}


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
        self._client = GoldClient()
        self._asked = ""
        self._corpus: GoldCorpus | None = None
        self._document = ""
        self._rows: tuple[GoldRow, ...] = ()
        self._draft = Draft()
        """What is being written: its passages so far, and the category and split chosen last."""
        self._edits: list[Edit] = []
        self._review: Review | None = None
        self._sought = ""

    def compose(self) -> ComposeResult:
        yield Static("Gold", id="status", classes="status", markup=False)
        yield Static(_EMPTY, id="message", classes="message", markup=False)
        with Vertical(id="body", classes="body"):
            yield PassageSelector(id="passage")
            yield Static(id="selection", markup=False)
            yield LineTable(id="rows", enter=False)
        yield Input(placeholder="text to search for in this document", id="search", compact=True)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one("#search").display = False
        self.add_class("-empty")
        self.rows.follow = False

    async def on_unmount(self) -> None:
        self._keep_place()
        await self._client.close()

    def on_screen_resume(self) -> None:
        wanted = self.app.gold_corpus or (self._asked or last_corpus(self.app.feed.path))
        if wanted and wanted != self._asked:
            self._open(wanted)
        elif not wanted:
            self.action_choose()

    def on_screen_suspend(self) -> None:
        self._keep_place()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        self.app.say_failure(event)

    @property
    def passage(self) -> PassageSelector:
        return self.query_one("#passage", PassageSelector)

    @property
    def rows(self) -> LineTable:
        return self.query_one("#rows", LineTable)

    @property
    def file(self) -> Path:
        """The question file; there is one only where documents are open."""
        assert self._corpus is not None
        return Path(self._corpus.file)

    # Opening

    @work(exclusive=True, group="open", exit_on_error=False)
    async def _open(self, corpus: str, file: str = "") -> None:
        self._keep_place()
        self._asked = self.app.gold_corpus = corpus
        self._say(f"Reading {corpus}…")
        try:
            opened = await self._client.open(corpus, file)
            place = await asyncio.to_thread(place_in, self.app.feed.path, opened.root)
            if place is not None and not file:
                opened = replace(opened, file=place.file)
            rows = await self._client.rows(opened.file)
            await asyncio.to_thread(read_lines, Path(opened.file))
        except BadInput as error:
            self._corpus = None
            self._say(f"{error}\n\nPress o to choose other documents or another file.")
            return
        self._corpus, self._rows = opened, rows
        self._edits, self._review, self._draft = [], None, Draft()
        known = [document.id for document in opened.documents]
        if place is not None and place.document in known:
            document, offset = place.document, place.offset
        else:
            document, offset = _last_place(rows) or (known[0], 0)
        self.remove_class("-empty")
        await self._open_document(document, offset)
        self._show_rows()
        self.rows.action_last()
        self.passage.focus()

    async def _open_document(self, document: str, caret: int = 0) -> None:
        text = await self._client.text(document)
        self._document = document
        self.passage.open(text, caret)
        self._mark()

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
        if self._corpus is None or not self._document:
            return
        place = GoldPlace(self._corpus.file, self._document, self.passage.caret)
        try:
            keep_place(self.app.feed.path, self._corpus.root, self._asked, place)
        except OSError as error:
            text = f"Where you stopped cannot be kept: {error.strerror}"
            self.notify(shown(text), severity="warning", markup=False)

    # Showing

    def _say(self, text: str) -> None:
        self.add_class("-empty")
        show_text(self.query_one("#status", Static), "Gold")
        show_text(self.query_one("#message", Static), shown_lines(text))
        self.refresh_bindings()

    def _show_rows(self) -> None:
        assert self._corpus is not None
        self.rows.show(gold_text.HEADINGS, gold_text.row_lines(self._rows))
        status = gold_text.status_text(self._corpus, self.file, self._rows)
        show_text(self.query_one("#status", Static), status)
        self._mark()
        self.refresh_bindings()

    def _mark(self) -> None:
        places = {
            (start, end)
            for row in self._rows
            for slot in row.evidence
            for document, start, end in slot
            if document == self._document
        }
        self.passage.mark(sorted(places))

    @on(PassageSelector.Changed)
    def _show_selection(self) -> None:
        review = self._review
        if review is not None:
            candidate = review.candidates[review.place]
            text = gold_text.candidate_text(
                review.place, len(review.candidates), review.row.question, candidate
            )
        else:
            passage = self.passage
            text = gold_text.selection_text(
                self._document, passage.text, passage.caret, passage.span
            )
            if self._draft.evidence and self._draft.row is None:
                text = f"passage {len(self._draft.evidence) + 1} · {text}"
        show_text(self.query_one("#selection", Static), text)

    @property
    def _row(self) -> GoldRow | None:
        """The row under the cursor of the list."""
        key = self.rows.cursor_key
        return next((row for row in self._rows if row.line == key), None)

    # Writing

    @work(exclusive=True, group="write", exit_on_error=False)
    async def _write(self, edit: Edit, *, undo: bool = False) -> None:
        await self._put(edit, undo=undo)

    async def _put(self, edit: Edit, *, undo: bool = False) -> bool:
        """Write a change and read the rows again; whether it was written."""
        try:
            await asyncio.to_thread(write_lines, self.file, edit.after, before=edit.before)
        except BadInput as error:
            self.notify(shown(str(error)), severity="error", markup=False)
            self._rows = await self._client.rows(str(self.file))
            self._show_rows()
            return False
        if undo:
            self._edits.pop()
        else:
            self._edits.append(edit)
        self._rows = await self._client.rows(str(self.file))
        self._show_rows()
        self._keep_place()
        return True

    @work(exclusive=True, group="form", exit_on_error=False)
    async def _fill(self, draft: Draft) -> None:
        """Have a draft filled in, and put it into the file."""
        passages = [await self._text_of(slot[0]) for slot in draft.evidence]
        filled = await self.app.push_screen_wait(QuestionForm(draft, passages))
        if filled is None:
            self._draft = Draft(category=draft.category, split=draft.split)
            self._show_selection()
        elif filled.more:
            self._draft = filled.draft
            self.passage.drop()
            self.passage.focus()
            self.notify("Select the next passage, then press enter.", markup=False)
        else:
            await self._save(filled.draft)

    async def _save(self, draft: Draft) -> bool:
        evidence = await self._client.evidence(draft.evidence)
        lines = await asyncio.to_thread(read_lines, self.file)
        edit = kept(lines, draft, evidence, (row.id for row in self._rows))
        if not await self._put(edit):
            return False
        self._draft = Draft(category=draft.category, split=draft.split)
        self.passage.drop()
        if draft.row is None:
            self.rows.action_last()
        return True

    async def _text_of(self, place: tuple[str, int, int]) -> str:
        document, start, end = place
        text = self.passage.text
        if document != self._document:
            text = await self._client.text(document)
        return text[start:end]

    # Keys

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

    @work(exclusive=True, group="find", exit_on_error=False)
    async def action_find(self) -> None:
        row = self._row
        if row is None or not row.lacks_evidence:
            row = next((row for row in self._rows if row.lacks_evidence), None)
        if row is None:
            return
        show_text(self.query_one("#selection", Static), "Searching the documents…")
        candidates = await self._client.find(row.question)
        if not candidates:
            self.notify("No passage shares a distinctive word with it.", markup=False)
            self._show_selection()
            return
        self.rows.move_to(row.line)
        self._review = Review(row, candidates)
        self._show_candidate()

    def _show_candidate(self) -> None:
        if self._review is not None:
            candidate = self._review.candidates[self._review.place]
            self._go_to(candidate.document, candidate.start, candidate.end)
            self.passage.focus()
            self.refresh_bindings()

    def action_step(self, by: int) -> None:
        review = self._review
        if review is not None:
            place = (review.place + by) % len(review.candidates)
            self._review = replace(review, place=place)
            self._show_candidate()
        elif self._sought:
            self._seek(by)

    @work(exclusive=True, group="form", exit_on_error=False)
    async def action_accept(self) -> None:
        """Make what is selected now the evidence of the question."""
        review = self._review
        start, end = self.passage.span
        if review is None or start == end:
            return
        self._review = None
        draft = replace(draft_of(review.row), evidence=(((self._document, start, end),),))
        if await self._save(draft):
            self.notify("Accepted; f finds the next.", markup=False)
        self._show_selection()

    def action_edit(self) -> None:
        row = self._row
        if row is None:
            return
        if row.problem:
            self._show_row()
        else:
            self._fill(draft_of(row))

    def action_delete(self) -> None:
        if (row := self._row) is not None:
            try:
                edit = removed(read_lines(self.file), row)
            except BadInput as error:
                self.notify(shown(str(error)), severity="error", markup=False)
            else:
                self._write(edit)

    def action_undo(self) -> None:
        edit = undone(self._edits[-1])
        self._write(edit, undo=True)
        self.notify(edit.what.capitalize(), markup=False)

    @work(exclusive=True, group="choose", exit_on_error=False)
    async def action_documents(self) -> None:
        assert self._corpus is not None
        chooser = GoldDocumentsScreen(self._corpus.documents, self._rows, self._document)
        chosen = await self.app.push_screen_wait(chooser)
        if chosen is not None and chosen != self._document:
            self._go_to(chosen, 0)

    def action_document(self, by: int) -> None:
        assert self._corpus is not None
        ids = [document.id for document in self._corpus.documents]
        self._go_to(ids[(ids.index(self._document) + by) % len(ids)], 0)

    @work(exclusive=True, group="choose", exit_on_error=False)
    async def action_choose(self) -> None:
        file = self._corpus.file if self._corpus is not None else ""
        chosen = await self.app.push_screen_wait(GoldOpenScreen(self._asked, file))
        if chosen is not None:
            self._open(*chosen)

    def action_written(self) -> None:
        done = f"{len(self._rows)} rows are in {self.file}; every change is written at once."
        self.notify(shown(done), markup=False)

    def action_search(self) -> None:
        field = self.query_one("#search", Input)
        field.value = self._sought
        field.display = True
        field.focus()

    @on(Input.Submitted, "#search")
    def _search(self, event: Input.Submitted) -> None:
        self._sought = event.value
        self._close_search()
        if self._sought:
            self._seek(1)

    def _close_search(self) -> None:
        self.query_one("#search").display = False
        self.passage.focus()
        self.refresh_bindings()

    def _seek(self, by: int) -> None:
        """Go to the next hit of what is sought, or the one before, round the end."""
        text, wanted, caret = self.passage.text.lower(), self._sought.lower(), self.passage.caret
        if by > 0:
            at = text.find(wanted, caret + 1)
            at = text.find(wanted) if at < 0 else at
        else:
            at = text.rfind(wanted, 0, caret)
            at = text.rfind(wanted) if at < 0 else at
        if at < 0:
            self.notify(shown(f"“{self._sought}” is not in this document."), markup=False)
        else:
            self.passage.go_to(at)

    async def action_back(self) -> None:
        if self.query_one("#search").display:
            self._close_search()
        elif self._review is not None:
            self._review = None
            self.passage.drop()
            self.refresh_bindings()
        elif self.passage.span != (0, 0) or self._draft.evidence:
            self._draft = replace(self._draft, evidence=(), row=None)
            self.passage.drop()
        elif self.rows.has_focus:
            self.passage.focus()
        else:
            await self.app.back()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action in ("back", "choose"):
            return True
        if action not in _OURS:
            return True
        if self._corpus is None:
            return False
        match action:
            case "undo":
                return bool(self._edits)
            case "accept":
                return self._review is not None
            case "step":
                return self._review is not None or bool(self._sought)
            case "find":
                return any(row.lacks_evidence for row in self._rows)
            case "edit" | "delete":
                return bool(self._rows)
            case "document" | "documents":
                return len(self._corpus.documents) > 1
        return True


def _last_place(rows: tuple[GoldRow, ...]) -> tuple[str, int] | None:
    """Where the evidence of the last question is."""
    places = [row.evidence[-1][0] for row in rows if row.evidence]
    return places[-1][:2] if places else None
