"""The vector cache: nothing is lost, nothing is mixed up, several may write at once."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chunkbench_engine.embedders.cache import VectorCache, text_key
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

FORK = multiprocessing.get_context("fork")


def vector(number: int) -> NDArray[np.float32]:
    return np.random.default_rng(number).normal(size=8).astype(np.float32)


def put(cache: VectorCache, numbers: Iterable[int], model: str = "m") -> None:
    cache.put(model, [(text_key(str(n)), vector(n), n / 1000) for n in numbers])


def check(cache: VectorCache, numbers: Iterable[int], model: str = "m") -> None:
    keys = {n: text_key(str(n)) for n in numbers}
    found = cache.get(model, list(keys.values()))
    assert len(found) == len(keys)
    for n, key in keys.items():
        np.testing.assert_array_equal(found[key].value, vector(n))
        assert found[key].seconds == n / 1000


def test_what_is_put_is_got_bit_for_bit(tmp_path: Path) -> None:
    put(VectorCache(tmp_path / "sub" / "cache.db"), range(1200))
    check(VectorCache(tmp_path / "sub" / "cache.db"), range(1200))


def test_what_is_not_known_is_left_out(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "cache.db")
    put(cache, [1])
    assert set(cache.get("m", [text_key("1"), text_key("2")])) == {text_key("1")}
    assert cache.get("m", []) == {}


def test_models_are_kept_apart(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "cache.db")
    put(cache, [1], "m")
    assert cache.get("other", [text_key("1")]) == {}


def test_texts_that_differ_in_a_surrogate_are_kept_apart() -> None:
    assert len({text_key("\ud800"), text_key("\ud801"), text_key("\ufffd")}) == 3


def test_a_second_put_keeps_the_first(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "cache.db")
    put(cache, [1])
    cache.put("m", [(text_key("1"), vector(9), 9.0)])
    check(cache, [1])


def test_it_may_be_deleted_while_it_is_open(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "cache.db")
    put(cache, range(5))
    for file in tmp_path.glob("cache.db*"):
        file.unlink()
    assert cache.get("m", [text_key("1")]) == {}
    put(cache, range(5))
    check(cache, range(5))
    check(VectorCache(tmp_path / "cache.db"), range(5))


def test_it_can_be_used_after_it_was_closed(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "cache.db")
    put(cache, [1])
    cache.close()
    check(cache, [1])


def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database, but somebody's notes\n" * 100)
    before = (tmp_path / "notes.txt").read_bytes()
    with pytest.raises(BadInput, match=r"notes\.txt cannot be used"):
        put(VectorCache(tmp_path / "notes.txt"), [1])
    assert (tmp_path / "notes.txt").read_bytes() == before


def _write(path: Path, numbers: range) -> None:
    cache = VectorCache(path)
    for first in numbers[::20]:
        put(cache, range(first, first + 20))


def test_two_processes_may_write_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    writers = [
        FORK.Process(target=_write, args=(path, range(first, first + 2000)))
        for first in (0, 1000)  # half of it the same
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    check(VectorCache(path), range(3000))


def test_threads_may_write_at_the_same_time(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "cache.db")
    threads = [
        threading.Thread(target=put, args=(cache, range(first, first + 300)))
        for first in (0, 150, 300, 450)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(cache, range(750))


def test_a_fork_may_use_the_cache_that_its_parent_has_open(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "cache.db")
    put(cache, range(100))
    children = [
        FORK.Process(target=put, args=(cache, range(first, first + 100))) for first in (100, 200)
    ]
    for child in children:
        child.start()
    put(cache, range(300, 400))
    for child in children:
        child.join(60)
        assert child.exitcode == 0
    check(cache, range(400))


def _hold(path: Path, held: object, release: object) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    held.set()  # type: ignore[attr-defined]
    release.wait(60)  # type: ignore[attr-defined]
    connection.execute("COMMIT")


def test_a_write_waits_for_another_to_end_and_a_read_does_not(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "cache.db")
    put(cache, [1])
    held, release = FORK.Event(), FORK.Event()
    other = FORK.Process(target=_hold, args=(tmp_path / "cache.db", held, release))
    other.start()
    assert held.wait(60)
    check(cache, [1])
    writer = threading.Thread(target=put, args=(cache, [2]))
    writer.start()
    writer.join(0.2)
    assert writer.is_alive(), "it waits"
    release.set()
    writer.join(60)
    other.join(60)
    check(cache, [1, 2])


def test_a_kill_in_the_middle_of_writing_leaves_whole_transactions(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    reader, writer = os.pipe()

    def write() -> None:
        cache = VectorCache(path)
        for first in range(0, 100_000, 20):
            put(cache, range(first, first + 20))
            os.write(writer, b".")

    child = FORK.Process(target=write)
    child.start()
    for _ in range(10):
        os.read(reader, 1)
    child.kill()
    child.join(60)
    check(VectorCache(path), range(200))
    rows = sqlite3.connect(path).execute("SELECT count(*) FROM vector").fetchone()[0]
    assert 200 <= rows < 100_000
    assert rows % 20 == 0
