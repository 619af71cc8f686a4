"""What every index does, whatever serves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from chunkbench_engine.errors import BadInput
from chunkbench_engine.index import open as opening
from chunkbench_engine.index.open import drop_index, open_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from chunkbench_engine.index.index import Index

DIMENSIONS = 16


class Backend:
    """A place for collections, with all that was opened closed at the end."""

    def __init__(self, where: Path, url: str | None) -> None:
        self.where, self.url = where, url
        self.opened: list[Index] = []

    def open(self, name: str = "some-run.1", dimensions: int = DIMENSIONS) -> Index:
        index = open_index(self.where, name, dimensions, url=self.url)
        self.opened.append(index)
        return index

    def drop(self, name: str = "some-run.1") -> None:
        drop_index(self.where, name, url=self.url)


@pytest.fixture(params=["edge", "local", "server"])
def backend(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Backend]:
    if request.param == "server":
        with request.getfixturevalue("qdrant_rest")() as url:
            place = Backend(tmp_path, url)
            yield place
            _close(place)
        return
    if request.param == "local":  # as on a platform that has no wheel of qdrant-edge
        find: Callable[[str], object] = opening.find_spec
        monkeypatch.setattr(
            opening, "find_spec", lambda name: None if name == "qdrant_edge" else find(name)
        )
    place = Backend(tmp_path, None)
    yield place
    _close(place)


def _close(place: Backend) -> None:
    for index in place.opened:
        index.close()


def vectors(n: int, dimensions: int = DIMENSIONS) -> NDArray[np.float32]:
    rows = np.random.default_rng(n).normal(size=(n, dimensions))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def fill(index: Index, rows: NDArray[np.float32], ordinals: list[int] | None = None) -> None:
    ordinals = list(range(len(rows))) if ordinals is None else ordinals
    index.upsert(rows, ordinals, [{"document": "a.md", "start": i, "end": i + 1} for i in ordinals])


def exact(rows: NDArray[np.float32], query: NDArray[np.float32], k: int) -> list[int]:
    """The reference: all cosines, best first, equal ones by ordinal."""
    scores = np.array([round(float(row @ query), 6) for row in rows.astype(np.float64)])
    return np.lexsort((np.arange(len(rows)), -scores))[:k].tolist()


def test_search_is_exact(backend: Backend) -> None:
    rows, queries = vectors(150), vectors(12)
    index = backend.open()
    fill(index, rows)
    for query in queries:
        hits = index.search(query, 10)
        assert [ordinal for ordinal, _ in hits] == exact(rows, query, 10)
        expected = [float(rows[ordinal] @ query) for ordinal, _ in hits]
        assert [score for _, score in hits] == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("k", [1, 5, 22, 23, 60])
def test_equal_scores_come_in_document_order_also_at_the_cut(backend: Backend, k: int) -> None:
    rows = vectors(60)
    rows[35:55] = rows[3] = rows[7] = rows[30]
    shuffled = np.random.default_rng(1).permutation(60)
    index = backend.open()
    for part in np.array_split(shuffled, 5):
        fill(index, rows[part], part.tolist())
    query = rows[30]
    assert [ordinal for ordinal, _ in index.search(query, k)] == exact(rows, query, k)


def test_the_cosine_with_a_zero_vector_is_zero(backend: Backend) -> None:
    rows = vectors(6)
    rows[2] = rows[4] = 0
    index = backend.open()
    fill(index, rows)
    found = dict(index.search(rows[0], 6))
    assert found[2] == found[4] == 0.0
    nothing = index.search(np.zeros(DIMENSIONS, dtype=np.float32), 3)
    assert nothing == [(0, 0.0), (1, 0.0), (2, 0.0)]


def test_all_points_come_back_if_there_are_fewer_than_k(backend: Backend) -> None:
    index = backend.open()
    assert index.search(vectors(1)[0], 5) == []
    fill(index, vectors(3))
    assert len(index.search(vectors(1)[0], 5)) == 3


def test_an_upsert_repeated_changes_nothing(backend: Backend) -> None:
    rows = vectors(50)
    index = backend.open()
    fill(index, rows)
    before = index.search(rows[9], 5), index.count(), index.size_bytes()
    fill(index, rows[20:40], list(range(20, 40)))
    assert (index.search(rows[9], 5), index.count(), index.size_bytes()) == before


def test_an_upsert_replaces_what_was_under_the_ordinal(backend: Backend) -> None:
    rows = vectors(4)
    index = backend.open()
    fill(index, rows)
    fill(index, rows[3:4], [0])
    assert index.search(rows[3], 2) == [(0, 1.0), (3, 1.0)]
    assert index.count() == 4


def test_the_size_is_that_of_the_vectors_and_of_the_payload(backend: Backend) -> None:
    index = backend.open()
    assert index.size_bytes() == 0
    index.upsert(
        vectors(2),
        [0, 1],
        [{"document": "é.md", "start": 0, "end": 9}, {"document": 7, "start": 9, "end": 12}],
    )
    payload = '{"document":"é.md","start":0,"end":9}' + '{"document":7,"start":9,"end":12}'
    assert index.size_bytes() == 2 * DIMENSIONS * 4 + len(payload.encode())


def test_a_collection_is_there_when_it_is_opened_again(backend: Backend) -> None:
    rows = vectors(30)
    index = backend.open()
    fill(index, rows)
    found = index.search(rows[4], 5)
    index.close()
    again = backend.open()
    assert again.count() == 30
    assert again.search(rows[4], 5) == found


def test_a_collection_that_was_dropped_is_empty_when_it_is_opened_again(backend: Backend) -> None:
    index = backend.open()
    fill(index, vectors(3))
    index.close()
    backend.drop()
    backend.drop()  # of what is not there: nothing happens
    assert backend.open().count() == 0


def test_collections_are_separate(backend: Backend) -> None:
    first, second = backend.open("first"), backend.open("second", 8)
    fill(first, vectors(3))
    fill(second, vectors(5, 8))
    assert (first.count(), second.count()) == (3, 5)


def test_a_collection_of_another_vector_length_is_refused(backend: Backend) -> None:
    index = backend.open()
    fill(index, vectors(3))
    index.close()
    with pytest.raises(BadInput, match="delete"):
        backend.open(dimensions=DIMENSIONS + 1)
    assert backend.open().count() == 3


def test_the_backend_says_what_it_is(backend: Backend) -> None:
    assert "Qdrant" in backend.open().backend
    assert "exact" in backend.open("other").backend


@pytest.mark.parametrize("name", ["", "a/b", "../a", ".hidden", "x" * 201])
def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        open_index(tmp_path, name, 4)
    with pytest.raises(ValueError, match="no name"):
        drop_index(tmp_path, name)
