"""A run keeps how its documents were read, what was left out, and by which filters."""

from __future__ import annotations

from pathlib import Path

import docx
import pytest

from chunkbench_engine.errors import BadInput
from chunkbench_engine.run.plan import plan_run
from chunkbench_engine.run.settings import Settings, settings_from
from chunkbench_store.boundaries import documents_of_run
from chunkbench_store.database import open_store
from chunkbench_store.live import live_run
from chunkbench_store.runs import run_of

SETS = Path(__file__).resolve().parents[2] / "data" / "sets"


def test_a_run_keeps_how_its_documents_were_read(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    document = docx.Document()
    document.add_heading("Rules", 1)
    document.add_paragraph("Doors close at nine.")
    document.save(str(folder / "rules.docx"))
    (folder / "old.md").write_text("Doors close at ten.")
    (folder / "scan.pdf").write_bytes(b"none")
    (folder / "gold.jsonl").write_text(
        '{"question": "When?", "evidence": [{"document": "rules", "text": "close at nine"}]}\n'
    )
    settings = Settings(str(folder), (str(folder / "gold.jsonl"),), ("PGC",), exclude=("old.md",))
    with open_store(tmp_path / "store.db") as store:
        number = plan_run(store, settings)
        row = run_of(store, number)
        live = live_run(store, number)
        (entry,) = documents_of_run(store, number, 1)
    assert row is not None
    assert live is not None
    assert settings_from(row.settings).exclude == ("old.md",)
    read = row.manifest["documents"]
    assert read.startswith("1 document: 1 Word (python-docx ")
    assert read.endswith(
        "); 1 file left out: scan.pdf; beside them 1 left out by --exclude, 1 with questions"
    )
    events = {event.text: event.level for event in live.events}
    assert events[read] == "info"
    assert any(
        text.startswith("scan.pdf is not read: it is damaged, or unlike what pypdf")
        for text, level in events.items()
        if level == "warning"
    )
    assert (entry.name, entry.note[:24]) == ("rules.docx", "from Word by python-docx")


@pytest.mark.parametrize(
    ("name", "questions", "judge"),
    [("squad/dev-v2.0.json", 4, "evidence"), ("beir", 2, "evidence"),
     ("chroma", 20, "evidence"), ("legalbench", 14, "evidence"),
     ("ultradomain/legal.jsonl", 3, "support")],
)  # fmt: skip
def test_a_published_set_is_a_run_by_itself(
    tmp_path: Path, name: str, questions: int, judge: str
) -> None:
    with open_store(tmp_path / "store.db") as store:
        number = plan_run(store, Settings(str(SETS / name), strategies=("PGC",)))
        row = run_of(store, number)
        assert store.value("SELECT count(*) FROM question") == questions
    assert row is not None
    assert row.settings["judge"] == judge
    assert row.manifest["understood"]


def test_a_filter_that_is_no_pattern_is_refused_before_anything_is_stored(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        with pytest.raises(BadInput, match=r"--include ! is no pattern"):
            plan_run(store, Settings(str(SETS / "beir"), strategies=("PGC",), include=("!",)))
        assert store.value("SELECT count(*) FROM run") == 0
