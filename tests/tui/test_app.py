"""The app as a person uses it, over a store filled through its own writes."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

from textual.widgets import Input, Static

from chunkbench_engine.errors import BadInput
from chunkbench_store.live import runs
from chunkbench_store.runs import asked
from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.screens.live import LiveScreen
from chunkbench_tui.screens.new_run import NewRunScreen
from chunkbench_tui.widgets.line_table import LineTable

from .watching import screen_text, shows, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest
    from conftest import Bench
    from textual.pilot import Pilot

    from chunkbench_engine.run.settings import Settings


def text_of(app: ChunkbenchApp, selector: str) -> str:
    return str(app.screen.query_one(selector, Static).content)


def board(app: ChunkbenchApp) -> LineTable:
    assert isinstance(app.screen, LiveScreen)
    return app.screen.board


async def live(pilot: Pilot[None]) -> None:
    await pilot.press("3")
    await until(
        pilot,
        lambda: isinstance(pilot.app.screen, LiveScreen) and pilot.app.screen.board.keys,
        "the leaderboard",
    )


def updates_of(app: ChunkbenchApp, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What the app sends to the terminal from now on."""
    sent: list[object] = []

    def noted(_: object, update: object) -> None:
        if update is not None:
            sent.append(update)

    monkeypatch.setattr(app, "_display", noted)
    return sent


def readings_of(app: ChunkbenchApp, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The questions put to the store from now on."""
    questions: list[object] = []
    read = app.feed.read

    async def noted(question: Callable[..., object]) -> object:
        questions.append(question)
        return await read(question)

    monkeypatch.setattr(app.feed, "read", noted)
    return questions


async def test_a_first_start_says_what_to_do(bench: Bench) -> None:
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, shows(app, "No runs yet"), "the empty list")
        assert "Press Enter to benchmark" in screen_text(app)
        await pilot.press("3")
        await until(pilot, shows(app, "No run to show yet"), "the empty live screen")


async def test_one_key_starts_the_sample_and_shows_it_live(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[Settings] = []
    started: list[int] = []

    async def plan(_: Path, settings: Settings) -> int:
        planned.append(settings)
        return bench.new_run(["RC"])

    monkeypatch.setattr("chunkbench_tui.screens.new_run.create_run", plan)
    monkeypatch.setattr(
        "chunkbench_tui.screens.new_run.start_engine", lambda _, run: started.append(run)
    )
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, shows(app, "No runs yet"), "the empty list")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LiveScreen), "the live screen")
        await until(pilot, lambda: board(app).keys, "the leaderboard")
    assert planned[0].corpus.endswith("sample_corpus")
    assert planned[0].strategies == ()
    assert started == [1]


async def test_a_corpus_on_the_command_line_is_one_key_from_starting(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[Settings] = []

    async def plan(_: Path, settings: Settings) -> int:
        planned.append(settings)
        raise BadInput("no questions [/bold] \x1b[31m here")

    monkeypatch.setattr("chunkbench_tui.screens.new_run.create_run", plan)
    app = ChunkbenchApp(bench.path, tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, NewRunScreen), "the form")
        await pilot.pause()
        app.screen.query_one("#strategies", Input).value = "RC(chunk_size=400); PGC >> SBC"
        await pilot.press("enter")
        await until(pilot, shows(app, "no questions"), "the reason")
        assert "no questions [/bold] \\x1b[31m here" in screen_text(app)
    assert planned[0].corpus == str(tmp_path)
    assert planned[0].strategies == ("RC(chunk_size=400)", "PGC >> SBC")


async def test_an_empty_form_says_what_is_missing(bench: Bench) -> None:
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("2")
        await pilot.press("ctrl+r")
        await until(pilot, shows(app, "Documents is empty"), "the sentence")


async def test_a_living_run_is_opened_at_once_with_a_row_for_every_strategy(
    bench: Bench, fixed_clock: None
) -> None:
    bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LiveScreen), "the live screen")
        await until(pilot, lambda: len(board(app).keys) == 15, "all rows")
        text = screen_text(app)
        assert "8 of 15 done" in text
        assert "provisional" in text
        assert "same chunks" in text
        assert "failed: b.md took longer than 600 s" in text
        assert "embedding 50%" in text
        assert "15 s left" in text


async def test_panels_come_by_key_in_a_narrow_terminal(bench: Bench, fixed_clock: None) -> None:
    bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await live(pilot)
        for text in ("chunk    ", "peak 0–100 MB", "TBC failed on b.md"):
            await pilot.press("p")
            await until(pilot, shows(app, text), text)
        await pilot.press("p")
        await until(pilot, lambda: "Events" not in screen_text(app), "the board alone")


async def test_enter_opens_the_strategy_and_escape_comes_back_to_its_row(
    bench: Bench, fixed_clock: None
) -> None:
    bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(120, 40)) as pilot:
        await live(pilot)
        await pilot.press("j", "j")
        await pilot.pause()
        selected = board(app).cursor_key
        await pilot.press("enter")
        await until(pilot, shows(app, "its annotations"), "the strategy")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LiveScreen), "the board")
        assert board(app).cursor_key == selected


async def test_the_cursor_follows_its_row_when_the_order_changes(bench: Bench) -> None:
    bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await live(pilot)
        await pilot.press("j", "j")
        selected = board(app).cursor_key
        place = board(app).keys.index(selected)
        bench.measured("FC", 0.99)
        await until(
            pilot, lambda: board(app).keys[0] == bench.configs["FC", "wordllama-256"], "new leader"
        )
        assert board(app).cursor_key == selected
        assert board(app).keys.index(selected) == place + 1
        await pilot.press("S")
        assert board(app).cursor_key == selected


async def test_the_cursor_is_on_the_leader_until_it_is_moved_or_pinned(bench: Bench) -> None:
    bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await live(pilot)
        bench.measured("FC", 0.9)
        leader = bench.configs["FC", "wordllama-256"]
        await until(pilot, lambda: board(app).cursor_key == leader, "the cursor on the leader")
        await pilot.press("f")
        bench.measured("RC", 0.99)
        await until(pilot, lambda: board(app).keys[1] == leader, "another leader")
        assert board(app).cursor_key == leader
        await pilot.press("f")
        await pilot.pause(0.2)
        assert board(app).cursor_key == board(app).keys[0]
        assert [line[0] for line in screen_text(app).splitlines()[2:4]] == ["▸", " "]


async def test_the_next_measure_and_the_next_column_sort_the_board(bench: Bench) -> None:
    bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await live(pilot)
        await pilot.press("m")
        await pilot.pause()
        assert "Hit@5 % (95 %)▼" in screen_text(app)
        leader = bench.configs["SGC", "wordllama-256"]
        assert board(app).keys[0] == leader
        await pilot.press("s")
        await pilot.pause()
        assert "nDCG@5▼" in screen_text(app)


async def test_b_shows_differences_to_a_strategy_and_takes_them_away(bench: Bench) -> None:
    bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(120, 24)) as pilot:
        await live(pilot)
        await pilot.press("j", "b")
        await until(pilot, shows(app, "baseline"), "the baseline")
        assert "differences to" in screen_text(app)
        await pilot.press("s")
        await until(pilot, shows(app, "to base▼"), "the order by it")
        await pilot.press("b")
        await until(pilot, lambda: "baseline" not in screen_text(app), "the board alone")


async def test_a_score_that_can_fall_is_marked_in_the_list_of_runs(bench: Bench) -> None:
    bench.end(bench.demo(), "stopped")
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(120, 24)) as pilot:
        await until(pilot, shows(app, "~0.7"), "the marked score")
        assert "~ provisional" in screen_text(app)


async def test_a_locked_store_is_said_and_the_app_stays(
    bench: Bench, fixed_clock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(120, 24), notifications=True) as pilot:
        await live(pilot)

        def locked(*_: object) -> None:
            raise sqlite3.OperationalError("database is locked")

        monkeypatch.setattr("chunkbench_tui.screens.live.ask", locked)
        await pilot.press("P")
        await until(pilot, shows(app, "That failed"), "the sentence")
        assert "locked" in screen_text(app)
        assert board(app).keys


async def test_a_store_in_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    app = ChunkbenchApp(tmp_path / "file" / "bench.db")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, shows(app, "cannot be opened"), "the sentence")


async def test_only_changed_lines_are_painted_and_a_heartbeat_paints_nothing(
    bench: Bench, fixed_clock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(120, 40)) as pilot:
        await live(pilot)
        await pilot.pause(0.3)
        painted: set[int] = set()
        sent = updates_of(app, monkeypatch)
        reads = readings_of(app, monkeypatch)
        render_line = LineTable.render_line

        def noted(table: LineTable, y: int) -> object:
            painted.add(y)
            return render_line(table, y)

        monkeypatch.setattr(LineTable, "render_line", noted)
        bench.begin(run)
        await until(pilot, lambda: reads, "another reading")
        await pilot.pause(0.3)
        assert (painted, sent) == (set(), [])
        place = board(app).keys.index(bench.configs["DFC", "wordllama-256"])
        bench.embedding("DFC", 48, 64)
        await until(pilot, lambda: painted, "a line")
        await pilot.pause(0.3)
        assert painted == {place + 1}
        assert sent


async def test_a_finished_run_is_not_read_again_and_sends_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.end(bench.demo())
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(120, 40)) as pilot:
        await live(pilot)
        await pilot.pause(0.3)
        sent = updates_of(app, monkeypatch)
        reads = readings_of(app, monkeypatch)
        await pilot.pause(1.2)
        assert (sent, reads) == ([], [])


async def test_a_hidden_screen_does_not_read(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await live(pilot)
        await pilot.press("2")
        await pilot.pause(0.3)
        reads = readings_of(app, monkeypatch)
        bench.measured("FC", 0.99)
        await pilot.pause(0.5)
        assert reads == []
        await pilot.press("escape", "3")
        await until(pilot, lambda: reads, "a reading")


async def test_a_held_view_stands_still_while_the_run_goes_on(bench: Bench) -> None:
    bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(120, 40)) as pilot:
        await live(pilot)
        order = board(app).keys
        await pilot.press("space")
        bench.measured("FC", 0.99)
        await pilot.pause(0.5)
        assert board(app).keys == order
        assert "view held" in screen_text(app)
        await pilot.press("space")
        await until(pilot, lambda: board(app).keys != order, "the new order")


async def test_keys_ask_the_engine_through_the_store(bench: Bench) -> None:
    run = bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(120, 40)) as pilot:
        await live(pilot)
        board(app).move_to(bench.configs["CSC", "wordllama-256"])
        await pilot.pause()
        await pilot.press("x")
        board(app).move_to(bench.configs["TBC", "wordllama-256"])
        await pilot.pause()
        await pilot.press("r", "P", "X")
        await until(pilot, lambda: len(asked(bench.engine, run)) == 4, "four wishes")
        wishes = [(command, chunk_set) for _, command, chunk_set in asked(bench.engine, run)]
    assert wishes == [
        ("cancel", bench.chunk_sets["CSC"]),
        ("retry", bench.chunk_sets["TBC"]),
        ("pause", None),
        ("stop", None),
    ]


async def test_a_run_whose_engine_is_gone_says_so_and_p_starts_it_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []
    monkeypatch.setattr(
        "chunkbench_tui.screens.live.start_engine", lambda _, run: started.append(run)
    )
    run = bench.demo()
    monkeypatch.setattr("chunkbench_store.live.seconds_since", lambda _: 90.0)
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await live(pilot)
        assert "engine gone" in screen_text(app)
        await pilot.press("P")
        await until(pilot, lambda: started == [run], "another engine")


async def test_leaving_asks_nothing_of_the_engine(bench: Bench) -> None:
    run = bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await live(pilot)
        await pilot.press("q")
    assert asked(bench.engine, run) == []


async def test_the_list_of_runs_shows_each_state_and_resumes_a_stopped_one(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []
    monkeypatch.setattr(
        "chunkbench_tui.screens.runs.start_engine", lambda _, run: started.append(run)
    )
    bench.end(bench.demo(), "finished")
    stopped = bench.new_run(["RC"], name="half \x1b[2J [/b]")
    bench.end(stopped, "stopped")
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, shows(app, "stopped"), "the list")
        text = screen_text(app)
        assert "half \\x1b[2J [/b]" in text
        assert "finished" in text
        assert "0.705" in text
        await pilot.press("r")
        assert started == [stopped]
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(app.screen, LiveScreen), "the live screen")
        await until(pilot, lambda: len(board(app).keys) == 15, "that run")


async def test_deleting_asks_first(bench: Bench) -> None:
    bench.end(bench.demo())
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, shows(app, "finished"), "the list")
        await pilot.press("d")
        await until(pilot, shows(app, "Delete run 1"), "the question")
        await pilot.press("n")
        await pilot.pause(0.3)
        assert len(runs(bench.engine)) == 1
        await pilot.press("d")
        await until(pilot, shows(app, "Delete run 1"), "the question")
        await pilot.press("y")
        await until(pilot, shows(app, "No runs yet"), "the empty list")
    assert runs(bench.engine) == []


async def test_a_run_deleted_while_it_is_shown_is_said_to_be_gone(bench: Bench) -> None:
    run = bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await live(pilot)
        with bench.engine.write():
            bench.engine.execute("DELETE FROM run WHERE id = ?", (run,))
        await until(pilot, shows(app, "This run was deleted"), "the sentence")


async def test_a_store_of_a_newer_version_is_a_sentence_not_a_traceback(bench: Bench) -> None:
    with bench.engine.write():
        bench.engine.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('chunkbench', 'm999_later', '2030-01-01')"
        )
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, shows(app, "newer version"), "the sentence")
        await pilot.press("3")
        await until(pilot, shows(app, "newer version"), "the sentence")


async def test_a_file_that_is_no_database_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("not a database, but long enough to be read as one" * 40)
    app = ChunkbenchApp(tmp_path / "notes.db")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, shows(app, "cannot be opened as a database"), "the sentence")


async def test_hostile_labels_errors_and_events_are_shown_as_they_are_written(
    bench: Bench,
) -> None:
    evil = "[red]x[/] \x1b[2J\x07"
    run = bench.new_run([evil, "RC"])
    bench.begin(run)
    bench.failed(evil, "failed", "no [/nothing] \x1b]0;title\x07")
    bench.say(run, "event [bold \x1b[31m", "error")
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(120, 40)) as pilot:
        await live(pilot)
        await until(pilot, shows(app, "event [bold"), "the event")
        board(app).move_to(bench.configs[evil, "wordllama-256"])
        await pilot.pause(0.3)
        text = screen_text(app)
        assert "[red]x[/] \\x1b[2J\\x07" in text
        assert "no [/nothing] \\x1b]0;title\\x07" in text
        assert "\x1b" not in text
        assert "\x07" not in text


async def test_resizing_while_results_come_in_keeps_every_row(bench: Bench) -> None:
    bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(120, 40)) as pilot:
        await live(pilot)
        for step, size in enumerate([(80, 24), (40, 10), (200, 50), (20, 5), (119, 30), (80, 24)]):
            bench.measured("FC", 0.3 + step / 10)
            await pilot.resize_terminal(*size)
            await pilot.press("j", "l")
            await pilot.pause(0.05)
        await until(pilot, lambda: len(board(app).keys) == 15, "all rows")
        assert board(app).size.width == 80


async def test_a_hundred_strategies_scroll_and_the_cursor_stays_on_the_screen(
    bench: Bench,
) -> None:
    run = bench.new_run([f"RC(chunk_size={n})" for n in range(100, 200)])
    bench.begin(run)
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await live(pilot)
        await pilot.press("G")
        await pilot.pause(0.2)
        assert "RC(chunk_size=199)" in screen_text(app)
        await pilot.press("g", "ctrl+d")
        await pilot.pause(0.2)
        assert board(app).keys.index(board(app).cursor_key) == 10


async def test_every_screen_has_help_and_the_palette_names_its_commands(bench: Bench) -> None:
    bench.demo()
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(120, 40)) as pilot:
        await live(pilot)
        for mode in ("runs", "new", "live", "strategy", "boundaries", "questions"):
            await app.switch_mode(mode)
            await pilot.pause(0.3)
            if mode == "new":
                await pilot.press("escape")
            commands = [command.title for command in app.get_system_commands(app.screen)]
            screens = {"Runs", "New", "Live", "Strategy", "Boundaries", "Questions"}
            assert screens | {"Leave"} <= set(commands)
            await pilot.press("question_mark")
            await until(pilot, shows(app, "Leave; the engine keeps running"), "the help")
            await pilot.press("escape")
            await until(pilot, lambda: len(app.screen_stack) == 1, "the end of the help")


async def test_the_theme_key_goes_from_dark_to_light_and_back(bench: Bench) -> None:
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        assert not app.current_theme.dark
        await pilot.press("t")
        assert app.current_theme.dark


async def test_a_screenshot_goes_to_the_working_folder_where_there_are_no_downloads(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_downloads_path", lambda: tmp_path / "missing")
    monkeypatch.chdir(tmp_path)
    app = ChunkbenchApp(bench.path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("f8")
        await until(pilot, shows(app, "Saved"), "the word that it is saved")
    assert [path.suffix for path in tmp_path.glob("chunkbench*")] == [".svg"]


def test_a_termination_signal_leaves_the_app_in_order(bench: Bench) -> None:
    run = bench.demo()
    code = (
        "import asyncio, os, signal, pathlib\n"
        "from chunkbench_tui.app import ChunkbenchApp\n"
        "async def main():\n"
        f"    app = ChunkbenchApp(pathlib.Path({str(bench.path)!r}))\n"
        "    async with app.run_test() as pilot:\n"
        "        await pilot.pause(0.5)\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "        await pilot.pause(0.5)\n"
        "        print('left' if not app._running or app._exit else 'still there')\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, "left"), done.stderr
    assert asked(bench.engine, run) == []


HEAVY = ("numpy", "scipy", "sklearn", "torch", "sentence_transformers", "transformers",
         "qdrant_client", "qdrant_edge", "model2vec", "tiktoken", "nupunkt", "markdown_it_py",
         "typer",
         "chunkbench_engine.chunkers", "chunkbench_engine.embedders", "chunkbench_engine.index",
         "chunkbench_engine.run.worker")  # fmt: skip
COMPUTING = ("numpy", "scipy", "torch", "qdrant_client", "model2vec", "tiktoken", "pydantic")
LATER = ("httpx", "ollama", "tomlkit", "jinja2", "markdown_it", "sqlite_utils", "typer",
         "xml.sax", "http.client", "chunkbench_engine.run.preview", "chunkbench_tui.board",
         "chunkbench_tui.commands", "chunkbench_tui.command_line", "chunkbench_tui.plots",
         "chunkbench_tui.screens.live", "chunkbench_tui.screens.plots",
         "chunkbench_tui.screens.gold", "chunkbench_tui.screens.boundaries")  # fmt: skip
"""What is not wanted before the first paint."""


def test_the_app_imports_nothing_that_computes(bench: Bench) -> None:
    bench.demo()
    code = (
        "import asyncio, pathlib, sys\n"
        "from chunkbench_tui.app import ChunkbenchApp\n"
        "async def main():\n"
        f"    app = ChunkbenchApp(pathlib.Path({str(bench.path)!r}))\n"
        "    async with app.run_test(size=(120, 40)) as pilot:\n"
        "        await pilot.press('1', '3', 'm', 's')\n"
        "        for key in ('4', '5', '6'):\n"
        "            await pilot.press(key)\n"
        "            await pilot.pause(0.5)\n"
        "asyncio.run(main())\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_the_first_screen_is_painted_before_what_the_others_need_is_imported(bench: Bench) -> None:
    code = (
        "import asyncio, pathlib, sys\n"
        "import chunkbench_tui.cli\n"
        "from chunkbench_tui.app import ChunkbenchApp\n"
        "def painted(app):\n"
        f"    print([name for name in {LATER!r} if name in sys.modules])\n"
        "ChunkbenchApp.on_ready = painted\n"
        "async def main():\n"
        f"    async with ChunkbenchApp(pathlib.Path({str(bench.path)!r})).run_test():\n"
        "        pass\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[:1] == ["[]"], done.stderr


def test_the_commands_import_nothing_that_computes_before_one_is_called() -> None:
    code = (
        "import sys; from chunkbench_tui.command_line import command_line; command_line()\n"
        f"print([name for name in {COMPUTING!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


async def test_the_form_says_how_many_configurations_a_sweep_makes(tmp_path: Path) -> None:
    app = ChunkbenchApp(tmp_path / "store.db", tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        for specs, expected in (
            ("", "34 strategies under wordllama-256: 34 to rank"),
            ("RC(chunk_size=200..800:200); SGC", "5 strategies under wordllama-256: 5 to rank"),
            ("RC(chunk_size=200", "RC(chunk_size=200"),
        ):
            app.screen.query_one("#strategies", Input).value = specs
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert expected in str(app.screen.query_one("#size", Static).render())
