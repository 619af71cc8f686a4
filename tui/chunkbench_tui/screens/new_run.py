"""The form of a new run."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Checkbox, Input, Label, Select, Static

from chunkbench_engine.errors import BadInput
from chunkbench_engine.judges.choice import JUDGES, OLLAMA, PANEL
from chunkbench_engine.language.address import urls_from_environment
from chunkbench_engine.run.launch import create_run, forecast_run, start_engine
from chunkbench_engine.run.settings import DEFAULT_K, DEFAULT_MODEL, RETRIEVALS, Settings
from chunkbench_store.experiments import experiment_name
from chunkbench_tui.forecast_text import forecast_text
from chunkbench_tui.run_file_saving import save_run_file
from chunkbench_tui.safe_text import shown_lines
from chunkbench_tui.sample import sample_corpus_path
from chunkbench_tui.screens.folders import FoldersScreen
from chunkbench_tui.screens.strategies import StrategiesScreen
from chunkbench_tui.strategy_offers import read_offers
from chunkbench_tui.widgets.key_line import KeyLine
from chunkbench_tui.widgets.mark_box import MarkBox
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
        "Empty: the questions.jsonl files found with the documents. None yet: ctrl+g builds them.",
    ),
    (
        "strategies",
        "Strategies",
        "RC(chunk_size=400); SGC; PGC >> SBC",
        "Empty: the paper's 34. Else specs separated by ;",
    ),
    ("models", "Models", DEFAULT_MODEL, "Embedding models, separated by ;"),
)


_CHOSEN = ("corpus", "strategies")
"""Fields that can be filled in from a list."""
_JUDGES = [("by what the questions have", ""), *((name, name) for name in JUDGES)]
_MOST_PASSAGES = 100


class NewRunScreen(Screen[None]):
    """What to benchmark on what; one key starts it."""

    app: ChunkbenchApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r", "start", "Start", priority=True, tooltip="Start the run", id="new.start"),
        Binding(
            "ctrl+s",
            "save",
            "Save",
            priority=True,
            tooltip="Save this as bench.toml, which `run bench.toml` runs",
            id="new.save",
        ),
        Binding(
            "ctrl+g",
            "build_questions",
            "Gold",
            priority=True,
            tooltip="Build questions about these documents",
            id="new.gold",
        ),
        Binding(
            "ctrl+o",
            "choose_corpus",
            "Documents",
            priority=True,
            tooltip="Choose the documents from the folders",
            id="new.documents",
        ),
        Binding(
            "ctrl+t",
            "choose_strategies",
            "Strategies",
            priority=True,
            tooltip="Choose the strategies from a list",
            id="new.strategies",
        ),
        Binding(
            "v",
            "check",
            "Check",
            tooltip="Check the questions, and estimate what the run takes",
            id="new.check",
        ),
        Binding(
            "escape",
            "leave_field",
            "Out of the field",
            tooltip="Out of the field: then v, ? and the numbers are keys again",
            id="new.leave",
        ),
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
                        if name in _CHOSEN:
                            yield Button("Choose", id=f"choose-{name}", compact=True)
                    if hint:
                        yield Label(hint, classes="hint", markup=False)
            with Horizontal(classes="line"):
                yield Label("Retrieval")
                for name in RETRIEVALS:
                    yield MarkBox(name, name == RETRIEVALS[0], id=f"retrieval-{name}", compact=True)
            with Horizontal(classes="line"):
                yield Label("Judge")
                yield Select(_JUDGES, id="judge", allow_blank=False, compact=True)
                yield Input(placeholder="its models, separated by ;", id="judges", compact=True)
            with Horizontal(classes="line"):
                yield Label("Passages")
                yield Input(str(DEFAULT_K), type="integer", id="k", compact=True)
                yield Label("that are retrieved for a question (k)", id="k-hint")
            yield MarkBox(
                "Leave out question rows that fail their checks (--skip-bad-questions)",
                id="skip",
                compact=True,
            )
            yield MarkBox(
                "Without questions: only say what ails the chunks (diagnose)",
                id="diagnose",
                compact=True,
            )
            with Horizontal(id="buttons"):
                yield Button("Start", id="start", variant="primary", compact=True)
                yield Button("Check", id="check", compact=True)
                if sample_corpus_path() is not None:
                    yield Button("Use the sample corpus", id="sample", compact=True)
            yield Static(id="size", classes="hint", markup=False)
            yield Static(id="problem", markup=False)
            yield Static(id="forecast", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#models", Input).value = DEFAULT_MODEL
        self.query_one("#judges").display = False

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        self.app.say_failure(event)

    def offer(self, corpus: Path, questions: Path | None = None) -> None:
        """Fill the form in for a corpus and, where given, its questions; the focus is on Start."""
        self.query_one("#corpus", Input).value = str(corpus)
        if questions is not None:
            self.query_one("#questions", Input).value = str(questions)
            self.query_one("#diagnose", Checkbox).value = False
        self.query_one("#start", Button).focus()

    @on(Input.Changed, "#strategies, #models")
    @on(Checkbox.Changed)
    def _show_size(self) -> None:
        self._count(self._list("strategies"), self._list("models"), self._retrieval())

    @work(thread=True, exclusive=True, group="size", exit_on_error=False)
    def _count(
        self, specs: tuple[str, ...], models: tuple[str, ...], retrieval: tuple[str, ...]
    ) -> None:
        """Say how many configurations the strategies, their sweeps and the experiments make."""
        # Imported here, in a thread: the app starts, and paints, without the strategies.
        from chunkbench_engine.chunkers.spec import PAPER, parse_specs

        experiments = Settings("", models=models, retrieval=retrieval).experiments
        names = ", ".join(experiment_name(*experiment) for experiment in experiments)
        try:
            labels = {found.label for spec in specs for found in parse_specs(spec)} or set(PAPER)
        except BadInput as error:
            text = str(error)
        else:
            count = len(labels)
            what = "strategy" if count == 1 else "strategies"
            ranked = count * len(experiments)
            text = f"{count} {what} under {names or 'no model'}: {ranked} to rank"
        self.app.call_from_thread(self._say_size, text)

    def _say_size(self, text: str) -> None:
        show_text(self.query_one("#size", Static), shown_lines(text))

    @on(Select.Changed, "#judge")
    def _another_judge(self, event: Select.Changed) -> None:
        self.query_one("#judges").display = event.value in (OLLAMA, PANEL)

    @on(Button.Pressed, "#choose-corpus")
    def action_choose_corpus(self) -> None:
        begin = Path(self.query_one("#corpus", Input).value.strip() or ".").expanduser()
        while not begin.exists():
            begin = begin.parent
        self.app.push_screen(FoldersScreen(begin.absolute()), self._chose_corpus)

    def _chose_corpus(self, chosen: Path | None) -> None:
        if chosen is not None:
            self.offer(chosen)

    @on(Button.Pressed, "#choose-strategies")
    @work(group="choose", exit_on_error=False)
    async def action_choose_strategies(self) -> None:
        offers = await asyncio.to_thread(read_offers)
        field = self.query_one("#strategies", Input)
        chosen = await self.app.push_screen_wait(StrategiesScreen(offers, self._list("strategies")))
        if chosen is not None:
            field.value = "; ".join(chosen)

    @on(Button.Pressed, "#check")
    def action_check(self) -> None:
        """Check the input, and try the strategies on a sample, in a process of its own."""
        problem, settings = self._settings()
        self._say(problem)
        if settings is not None:
            self._forecast(settings)

    @work(exclusive=True, group="forecast", exit_on_error=False)
    async def _forecast(self, settings: Settings) -> None:
        told = self.query_one("#forecast", Static)
        show_text(told, "Reading the documents, trying the strategies on a sample…")
        try:
            found = await forecast_run(self.app.feed.path, settings)
        except BadInput as error:
            show_text(told, shown_lines(str(error)))
        else:
            show_text(told, shown_lines(forecast_text(found)))
        self._bring_up(told)

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

    def action_save(self) -> None:
        """Save what the form says as a run file in the folder that the app was started in."""
        problem, settings = self._settings()
        self._say(problem if settings is None else save_run_file(settings, Path.cwd()))

    async def action_build_questions(self) -> None:
        corpus = self.query_one("#corpus", Input).value.strip()
        path = str(Path(corpus).expanduser().absolute()) if corpus else ""
        await self.app.build_questions(path)

    def action_leave_field(self) -> None:
        self.query_one("#start", Button).focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        return action != "leave_field" or isinstance(self.focused, Input)

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
        retrieval = self._retrieval()
        if not retrieval:
            return "Retrieval is empty: mark one of its boxes, as dense.", None
        k = self.query_one("#k", Input).value
        if not k.isdecimal() or not 1 <= int(k) <= _MOST_PASSAGES:
            return f"Passages must be a number from 1 to {_MOST_PASSAGES}.", None
        judge = str(self.query_one("#judge", Select).value)
        return "", Settings(
            corpus=str(Path(corpus).expanduser().absolute()),
            questions=tuple(
                str(Path(file).expanduser().absolute()) for file in self._list("questions")
            ),
            strategies=self._list("strategies"),
            models=models,
            retrieval=retrieval,
            k=int(k),
            judge=judge,
            judge_models=self._list("judges") if judge in (OLLAMA, PANEL) else (),
            skip_bad_questions=self.query_one("#skip", Checkbox).value,
            ollama=urls_from_environment(),
            include=self._list("include"),
            exclude=self._list("exclude"),
            diagnose=self.query_one("#diagnose", Checkbox).value,
        )

    def _retrieval(self) -> tuple[str, ...]:
        return tuple(
            name for name in RETRIEVALS if self.query_one(f"#retrieval-{name}", Checkbox).value
        )

    def _list(self, field: str) -> tuple[str, ...]:
        parts = self.query_one(f"#{field}", Input).value.split(";")
        return tuple(part.strip() for part in parts if part.strip())

    def _say(self, text: str) -> None:
        told = self.query_one("#problem", Static)
        show_text(told, shown_lines(text))
        if text:
            self._bring_up(told)

    def _bring_up(self, told: Static) -> None:
        """Scroll to a text once it is laid out: the form is longer than a small terminal."""
        self.call_after_refresh(told.scroll_visible, animate=False)
