"""A cold run shares nothing with any other strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.documents.document import Document
from chunkbench_engine.run.chunking import ChunkingProcess

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DOCUMENTS = [
    Document("a", "One sentence here. Another one there. " * 40),
    Document("b", "A paragraph.\n\nAnd one more of them. " * 40),
]


@pytest.fixture
def process(tmp_path: Path) -> Iterator[ChunkingProcess]:
    process = ChunkingProcess(
        tmp_path / "vectors.db", "wordllama-64", 60, "", tmp_path / "answers.db", "none", ()
    )
    process.load(DOCUMENTS)
    yield process
    process.close()


def test_every_document_takes_its_time_also_where_others_were_charged(
    process: ChunkingProcess,
) -> None:
    alone = process.alone("TBC", ["a", "b"])
    assert len(alone) == 2
    assert min(alone) > 0
    first, again = process.apply("SBC", ["a"]), process.apply("TBC", ["a"])
    assert first.documents[0].seconds.paid > first.documents[0].seconds.own
    assert again.documents[0].seconds.charged > 0


def test_what_is_shared_is_made_anew_each_time(tmp_path: Path, process: ChunkingProcess) -> None:
    """A chunker that reads sentences finds none made, though another read them before it."""
    process.apply("SBC", ["a"])
    costs = process.apply("SBC", ["a"]).documents[0].seconds
    assert costs.paid == pytest.approx(costs.own, abs=0.01), "made before: only a look"
    assert process.alone("SBC", ["a"]), "and alone it chunks all the same"


def test_a_document_that_fails_alone_ends_the_list(process: ChunkingProcess) -> None:
    assert process.alone("tests.engine.run.test_cold:choose", ["a", "b"]) == ()
