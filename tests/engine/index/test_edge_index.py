"""The embedded index when something goes wrong."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

pytest.importorskip("qdrant_edge")

from chunkbench_engine.errors import Unavailable
from chunkbench_engine.index.open import drop_index, open_index

if TYPE_CHECKING:
    from pathlib import Path

WRITER = """
import sys
from pathlib import Path
import numpy as np
from chunkbench_engine.index.open import open_index

rows = np.random.default_rng(0).normal(size=(3000, 64)).astype(np.float32)
index = open_index(Path(sys.argv[1]), "killed", 64)
for first in range(0, 3000, 50):
    ordinals = range(first, first + 50)
    index.upsert(
        rows[first : first + 50],
        ordinals,
        [{"document": "a", "start": i, "end": i + 1} for i in ordinals],
    )
    print(first + 50, flush=True)
"""


@pytest.mark.parametrize("moment", [1, 7, 20])
def test_what_was_upserted_survives_a_kill_and_the_rest_can_follow(
    tmp_path: Path, moment: int
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        for _ in range(moment):
            writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        reported = [50 * moment, *map(int, writer.stdout.read().split())]
    assert writer.returncode == -signal.SIGKILL, "it was killed in the middle"

    rows = np.random.default_rng(0).normal(size=(3000, 64)).astype(np.float32)
    index = open_index(tmp_path, "killed", 64)
    assert reported[-1] <= index.count() < 3000
    ordinals = range(3000)
    index.upsert(rows, ordinals, [{"document": "a", "start": i, "end": i + 1} for i in ordinals])
    assert index.count() == 3000
    cosines = rows @ rows[17] / np.linalg.norm(rows, axis=1) / np.linalg.norm(rows[17])
    assert [hit[0] for hit in index.search(rows[17], 5)] == np.argsort(-cosines)[:5].tolist()
    index.close()


@pytest.mark.parametrize("file", ["edge_config.json", "segments/*/segment.json", "wal/open-1"])
def test_a_damaged_collection_is_made_anew_and_empty(tmp_path: Path, file: str) -> None:
    index = open_index(tmp_path, "damaged", 4)
    index.upsert(np.eye(4, dtype=np.float32), range(4), [{"document": 1, "start": 0, "end": 1}] * 4)
    index.close()
    (found,) = (tmp_path / "damaged").glob(file)
    found.write_bytes(b"")
    again = open_index(tmp_path, "damaged", 4)
    assert again.count() == 0
    again.close()


def test_a_collection_that_is_open_elsewhere_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    index = open_index(tmp_path, "taken", 4)
    index.upsert(np.eye(4, dtype=np.float32), range(4), [{"document": 1, "start": 0, "end": 1}] * 4)
    with pytest.raises(Unavailable, match="open in another process"):
        open_index(tmp_path, "taken", 4)
    assert index.count() == 4
    index.close()


def test_search_is_exact_among_many_points_and_many_equal_ones(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(6000, 32)).astype(np.float32)
    rows[1000:3000] = rows[5]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    index = open_index(tmp_path, "many", 32)
    for part in np.array_split(np.random.default_rng(1).permutation(6000), 7):
        index.upsert(rows[part], part.tolist(), [{"document": 1, "start": 0, "end": 1}] * len(part))
    for query in rows[[0, 5, 10, 20]]:
        scores = np.round((rows * query).sum(axis=1, dtype=np.float64), 6)
        expected = np.lexsort((np.arange(6000), -scores))[:2005].tolist()
        for k in (1, 5, 2005):
            assert [ordinal for ordinal, _ in index.search(query, k)][:20] == expected[:k][:20]
        assert len(index.search(query, 2005)) == 2005
    index.close()


def test_dropping_leaves_no_file(tmp_path: Path) -> None:
    open_index(tmp_path / "indexes", "gone", 4).close()
    drop_index(tmp_path / "indexes", "gone")
    assert list((tmp_path / "indexes").iterdir()) == []
