"""A run without questions ends with its diagnosis, and takes it up again where it was killed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.errors import BadInput
from chunkbench_engine.run import diagnosis
from chunkbench_engine.run.plan import plan_run
from chunkbench_engine.run.settings import Settings
from chunkbench_engine.run.worker import work
from chunkbench_store.database import open_store
from chunkbench_store.diagnosis import diagnoses_of
from chunkbench_store.live import live_run

if TYPE_CHECKING:
    from pathlib import Path

    from chunkbench_store.database import Store

TEXT = "# Numbers\n\n" + "\n\n".join(
    f"The number {n} is {'even' if n % 2 == 0 else 'odd'}, and its square is {n * n}."
    for n in range(60)
)


def found(store: Store) -> list[tuple[object, ...]]:
    counts = store.rows("SELECT * FROM diagnosis ORDER BY chunk_set, model, name")
    findings = store.rows('SELECT * FROM finding ORDER BY chunk_set, kind, start, "end"')
    return [tuple(row) for row in (*counts, *findings)]


def test_killed_after_the_index_it_is_diagnosed_when_it_is_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "numbers.md").write_text(TEXT)
    settings = Settings(str(tmp_path / "docs"), strategies=("PBC",))
    with open_store(tmp_path / "store.db") as store:
        with pytest.raises(BadInput, match="diagnose"):
            plan_run(store, settings)
        run = plan_run(store, Settings(settings.corpus, strategies=("PBC",), diagnose=True))
        work(store, run)
        live = live_run(store, run)
        assert live is not None
        assert (live.summary.state, live.summary.progress) == ("finished", 1.0)
        assert [stage.name for stage in live.stages] == ["chunk", "embed"]
        assert not live.provisional
        (row,) = live.board
        assert row.value("ChunkTokens-max") is not None
        assert row.diagnosis["compared"] == row.diagnosis["chunks"] == 61
        assert row.diagnosis["stranded_headings"] == 1
        first = found(store)

        with store.write():
            store.execute("DELETE FROM diagnosis")
            store.execute("DELETE FROM finding WHERE model != '' OR kind = 'duplicates'")
            store.execute("UPDATE config SET state = 'indexed'")
        work(store, run)
        assert found(store) == first

        monkeypatch.setattr(diagnosis, "MOST_COMPARED", 55)  # of more, a sample is compared
        with store.write():
            store.execute("DELETE FROM diagnosis")
            store.execute("UPDATE config SET state = 'indexed'")
        work(store, run)
        ((_, counts),) = diagnoses_of(store, run).items()
        assert (counts["compared"], counts["distinct"]) == (55, 61)
        assert 0 <= counts["orphans"] <= 55
