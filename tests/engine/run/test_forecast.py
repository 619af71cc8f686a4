"""What a run will take, before it is started."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.documents.corpus import load_corpus
from chunkbench_engine.errors import BadInput
from chunkbench_engine.run.forecast import SAMPLE_CHARACTERS, forecast, sample_of
from chunkbench_engine.run.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for n in range(6):
        text = " ".join(f"Sentence {i} of document {n}." for i in range(1_000))
        (folder / f"{n}.md").write_text(text)
    rows = [
        {
            "question": "Where?",
            "evidence": [{"document": "1.md", "text": "Sentence 7 of document 1."}],
        },
        {"question": "Who?", "evidence": [{"document": "1.md", "text": "is not there"}]},
    ]
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


def test_chunks_of_a_sample_are_scaled_to_the_corpus(corpus: Path, tmp_path: Path) -> None:
    settings = Settings(
        str(corpus),
        strategies=("FCC(char_size=500, overlap=0)", "LBDC"),
        retrieval=("dense", "lexical"),
    )
    made = forecast(tmp_path / "store.db", settings)
    assert (made.documents, made.questions, made.configurations) == (6, 1, 4)
    assert made.sampled <= SAMPLE_CHARACTERS
    assert made.chunks == pytest.approx(made.characters / 500, rel=0.1)
    assert made.chunking_seconds > 0
    assert made.embedding_seconds > 0
    assert dict(made.unknown) == {"LBDC": "asks a language model"}
    assert "is not there" in made.problems[0]
    assert (made.judge, made.judging) == ("evidence", "")


def test_the_sample_is_the_beginnings_of_documents_from_all_over(corpus: Path) -> None:
    loaded = load_corpus(corpus)
    sample = sample_of(loaded)
    assert [document.id for document in sample] == ["1.md", "3.md", "5.md"]
    assert all(loaded.by_id[one.id].text.startswith(one.text) for one in sample)


def test_what_cannot_be_planned_cannot_be_forecast(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="wolken"):
        forecast(tmp_path / "store.db", Settings(str(corpus), models=("wolken",)))
