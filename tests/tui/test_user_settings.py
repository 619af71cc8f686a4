"""The settings file: the theme and the keys, refused with a sentence where nobody understands."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

import chunkbench_tui.screens
import chunkbench_tui.widgets
from chunkbench_engine.errors import BadInput
from chunkbench_tui import keymap
from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.cli import main
from chunkbench_tui.keymap import actions, check_theme, checked_keymap, is_key, long_name
from chunkbench_tui.screens.live import LiveScreen
from chunkbench_tui.user_settings import UserSettings, read_settings, remember_theme

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Bench


def problem(path: Path, text: str) -> str:
    def start() -> None:
        settings = read_settings(path)
        check_theme(settings.theme, path)
        checked_keymap(settings, path)

    path.write_text(text)
    with pytest.raises(BadInput) as raised:
        start()
    return str(raised.value).removeprefix(f"{path}")


def test_without_a_file_nothing_is_changed(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "none.toml") == UserSettings()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("them = 'nord'", ": there is no setting 'them': did you mean theme?"),
        ("theme = 'nrod'", ": there is no theme 'nrod': did you mean nord?"),
        ("theme = 1", ": theme must be a name in quotes"),
        ("theme = ", " is not TOML: "),
        ("[keys]\n'live.srot' = 'o'", ": there is no action 'live.srot': did you mean live.sort?"),
        ("[keys]\nlive.sort = 'ctr+o'", ": live.sort: 'ctr+o' is no key"),
        ("[keys]\nlive.sort = 3", ": live.sort must be keys in quotes"),
        ("[keys]\nlive.sort = 'p'", ": live.sort and live.panel are both on p"),
        ("[keys]\nlive.sort = 'j'", ": live.sort and table.down are both on j"),
        ("[keys]\nlive.sort = 'y'", ": live.sort and app.copy are both on y"),
    ],
)
def test_what_nobody_understands_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    assert problem(tmp_path / "settings.toml", text).startswith(sentence)


def test_two_actions_may_change_places() -> None:
    keys = {"live.sort": "p", "live.panel": "s"}
    assert checked_keymap(UserSettings(keys=keys), None) == keys  # type: ignore[arg-type]


def test_signs_are_keys_by_the_name_that_textual_gives_them() -> None:
    assert [long_name(key) for key in ("?", "/", "+", "-", "ctrl+o", "O")] == [
        "question_mark", "slash", "plus", "minus", "ctrl+o", "O",
    ]  # fmt: skip
    assert all(map(is_key, ("question_mark", "ctrl+o", "f2", "space", "O", "left_square_bracket")))
    assert not any(map(is_key, ("", "nothing", "hold+o")))


def test_every_key_of_ours_has_a_name_of_its_own_that_the_map_knows() -> None:
    for package in (chunkbench_tui.screens, chunkbench_tui.widgets):
        for module in pkgutil.iter_modules(package.__path__):
            import_module(f"{package.__name__}.{module.name}")
    known, seen = actions(), {}
    for node in keymap._ours(DOMNode):
        for binding in vars(node).get("BINDINGS", ()):
            assert isinstance(binding, Binding), f"{node.__name__}: {binding}"
            assert binding.id in known, f"{node.__name__}: {binding.key} has no name"
            assert seen.setdefault(binding.id, node) is node, f"{binding.id} is in two places"


async def test_a_key_of_the_file_replaces_the_one_it_was_and_frees_it(bench: Bench) -> None:
    bench.demo()
    keys = checked_keymap(
        UserSettings(keys={"live.metric": "ctrl+o", "runs.open": "o"}), bench.path
    )
    app = ChunkbenchApp(bench.path, keymap=keys)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("3")
        await pilot.pause(0.5)
        assert isinstance(app.screen, LiveScreen)
        await pilot.press("m")
        assert app.screen._measure == 0
        await pilot.press("ctrl+o")
        assert app.screen._measure == 1
        await pilot.press("1", "o")
        await pilot.pause(0.3)
        assert isinstance(app.screen, LiveScreen)


async def test_a_chosen_theme_is_kept_and_the_rest_of_the_file_stays(
    bench: Bench, tmp_path: Path
) -> None:
    path = tmp_path / "new folder" / "settings.toml"
    app = ChunkbenchApp(bench.path, remember=lambda theme: remember_theme(path, theme))
    async with app.run_test() as pilot:
        await pilot.press("t")
        await pilot.pause()
    assert read_settings(path).theme == "textual-light"
    path.write_text('# mine\ntheme = "nord" # dark\n\n[keys]\n"live.sort" = "o"\n')
    remember_theme(path, "gruvbox")
    assert path.read_text() == '# mine\ntheme = "gruvbox" # dark\n\n[keys]\n"live.sort" = "o"\n'


def test_the_app_does_not_start_on_settings_that_nobody_understands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: tmp_path)
    (tmp_path / "settings.toml").write_text("them = 'nord'")
    monkeypatch.setattr("sys.argv", ["chunkbench-tui", "--db", str(tmp_path / "x.db")])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert "did you mean theme?" in capsys.readouterr().err
