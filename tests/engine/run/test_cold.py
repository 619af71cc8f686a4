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


def test_it_makes_again_what_others_have_made(process: ChunkingProcess) -> None:
    first = process.apply("TBC", ["a", "b"]).documents
    cold = process.apply("TBC", ["a", "b"], cold=True).documents
    assert [made.chunks for made in cold] == [made.chunks for made in first]
    assert [made.seconds.cold for made in first] == [None, None]
    for made in cold:
        assert made.seconds.cold is not None
        # nothing was left to be made, so all that was paid is the strategy's own work
        assert made.seconds.cold > 0
        assert made.seconds.charged > 0
