"""`add`: strategies for a run that was planned without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import typer

from chunkbench_engine.errors import BadInput
from chunkbench_store.additions import specs_waiting
from chunkbench_tui.commands import add

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Bench


def test_what_is_named_is_asked_for_all_or_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[Path, int]] = []
    monkeypatch.setattr(add, "start_engine", lambda *call: started.append(call))
    monkeypatch.setattr(add, "watch", lambda *_: 0)
    run = bench.new_run(["RC", "FC"])
    bench.end(run)
    for number, specs, sentence in (
        (99, ["FC"], "there is no run 99"),
        (run, ["FC(token_size=9)", "RC"], "RC is in run 1 already"),
        (run, ["FC(size=9)"], "FC has no parameter 'size'"),
        (run, ["nowhere:split"], "there is no module nowhere"),
    ):
        with pytest.raises(BadInput, match=sentence):
            add.add(number, specs, db=bench.path)
    assert specs_waiting(bench.engine, run) == []
    with pytest.raises(typer.Exit) as left:
        add.add(run, ["RC(chunk_size=300..400:100)", "FC(overlap=5)"], db=bench.path)
    assert left.value.exit_code == 0
    asked = ["RC(chunk_size=300)", "RC(chunk_size=400)", "FC(overlap=5)"]
    assert specs_waiting(bench.engine, run) == asked
    assert started == [(bench.path, run)]
    assert bench.engine.value("SELECT state FROM run") == "pending", "an engine is on its way"
    with pytest.raises(BadInput, match="is being added to run 1 already"):
        add.add(run, ["FC(token_size=7)", "FC(overlap=5)"], db=bench.path)
    assert specs_waiting(bench.engine, run) == asked


def test_a_living_engine_hears_of_it_by_itself(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(add, "start_engine", lambda *_: pytest.fail("there is one"))
    run = bench.new_run(["RC"])
    bench.begin(run)
    add.add(run, ["FC"], detach=True, db=bench.path)
    assert specs_waiting(bench.engine, run) == ["FC"]
    assert bench.engine.value("SELECT state FROM run") == "running"
