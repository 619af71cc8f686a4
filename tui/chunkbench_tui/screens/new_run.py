"""The form of a new run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Checkbox, Input, Label, Static

from chunkbench_engine.errors import BadInput
from chunkbench_engine.language.address import urls_from_environment
from chunkbench_engine.run.launch import create_run, start_engine
from chunkbench_engine.run.settings import DEFAULT_MODEL, Settings
from chunkbench_tui.safe_text import shown_lines
from chunkbench_tui.sample import sample_corpus_path
from chunkbench_tui.widgets.key_line import KeyLine
from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.worker import Worker

    from chunkbench_tui.app import ChunkbenchApp

_FIELDS = (
    ("corpus", "Documents", "a folder, a file, or a published set", ""),
    ("include", "Only files", "all; else patterns, as *.pdf; guide/", ""),
    ("exclude", "Not files", "none but what .gitignore has; else patterns, as drafts/; *.log", ""),
    (
        "questions",
        "Questions",
        "files, separated by ;",
        "Empty: the questions.jsonl files found with the documents.",
    ),
    (
        "strategies",
        "Strategies",
        "RC(chunk_size=400); SGC; PGC >> SBC",
        "Empty: the paper's 34. Else specs separated by ;",
    ),
    ("models", "Models", DEFAULT_MODEL, "Embedding models, separated by ;"),
)


class NewRunScreen(Screen[None]):
    """What to benchmark on what; one key starts it."""

    app: ChunkbenchApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r", "start", "Start", priority=True, tooltip="Start the run", id="new.start"),
        Binding("escape", "leave_field", "Leave the field", id="new.leave"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._starting = False

    def compose(self) -> ComposeResult:
        yield Static("New run", classes="status", markup=False)
        with VerticalScroll(id="form", can_focus=False):
            for name, label, placeholder, hint in _FIELDS:
                with Vertical(classes="field"):
                    with Horizontal(classes="line"):
                        yield Label(label)
                        yield Input(placeholder=placeholder, id=name, compact=True)
                    if hint:
                        yield Label(hint, classes="hint", markup=False)
            yield Checkbox(
                "Leave out question rows that fail their checks (--skip-bad-questions)",
                id="skip",
                compact=True,
            )
            with Horizontal(id="buttons"):
                yield Button("Start", id="start", variant="primary", compact=True)
                if sample_corpus_path() is not None:
                    yield Button("Use the sample corpus", id="sample", compact=True)
            yield Static(id="size", classes="hint", markup=False)
            yield Static(id="problem", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#models", Input).value = DEFAULT_MODEL

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        self.app.say_failure(event)

    def offer(self, corpus: Path) -> None:
        """Fill the form in for a corpus; the focus is on Start."""
        self.query_one("#corpus", Input).value = str(corpus)
        self.query_one("#start", Button).focus()

    @on(Input.Changed, "#strategies, #models")
    def _show_size(self) -> None:
        self._count(self._list("strategies"), len(self._list("models")))

    @work(thread=True, exclusive=True, group="size", exit_on_error=False)
    def _count(self, specs: tuple[str, ...], models: int) -> None:
        """Say how many configurations the strategies, their sweeps and the models make."""
        # Imported here, in a thread: the app starts, and paints, without the strategies.
        from chunkbench_engine.chunkers.spec import PAPER, parse_specs

        try:
            labels = {found.label for spec in specs for found in parse_specs(spec)} or set(PAPER)
        except BadInput as error:
            text = str(error)
        else:
            text = f"{len(labels)} strategies × {models} models: {len(labels) * models} to rank"
        self.app.call_from_thread(self._say_size, text)

    def _say_size(self, text: str) -> None:
        show_text(self.query_one("#size", Static), shown_lines(text))

    @on(Button.Pressed, "#sample")
    def _use_sample(self) -> None:
        if (folder := sample_corpus_path()) is not None:
            self.offer(folder)

    @on(Button.Pressed, "#start")
    @on(Input.Submitted)
    def action_start(self) -> None:
        """Plan the run in a process of its own, start the engine, go to the live screen."""
        if self._starting:
            return
        problem, settings = self._settings()
        if settings is None:
            self._say(problem)
        else:
            self._start(settings)

    def action_leave_field(self) -> None:
        self.query_one("#start", Button).focus()

    @work(exclusive=True, group="start", exit_on_error=False)
    async def _start(self, settings: Settings) -> None:
        self._starting = True
        self._say("Reading and checking the documents and questions…")
        try:
            run = await create_run(self.app.feed.path, settings)
        except BadInput as error:
            self._say(str(error))
            return
        finally:
            self._starting = False
        start_engine(self.app.feed.path, run)
        self._say("")
        await self.app.show_run(run)

    def _settings(self) -> tuple[str, Settings | None]:
        """What the form says, or what is missing in it."""
        corpus = self.query_one("#corpus", Input).value.strip()
        if not corpus:
            return "Documents is empty: give a folder with documents.", None
        models = self._list("models")
        if not models:
            return f"Models is empty: give one, such as {DEFAULT_MODEL}.", None
        return "", Settings(
            corpus=str(Path(corpus).expanduser().absolute()),
            questions=tuple(
                str(Path(file).expanduser().absolute()) for file in self._list("questions")
            ),
            strategies=self._list("strategies"),
            models=models,
            skip_bad_questions=self.query_one("#skip", Checkbox).value,
            ollama=urls_from_environment(),
            include=self._list("include"),
            exclude=self._list("exclude"),
        )

    def _list(self, field: str) -> tuple[str, ...]:
        parts = self.query_one(f"#{field}", Input).value.split(";")
        return tuple(part.strip() for part in parts if part.strip())

    def _say(self, text: str) -> None:
        show_text(self.query_one("#problem", Static), shown_lines(text))
