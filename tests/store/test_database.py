"""Opening the store: made where it is missing, brought up to date, refused where it cannot be."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from chunkbench_store.database import StoreError, applied_migrations, migrate, open_store
from chunkbench_store.schema import MIGRATIONS

_OPENERS = 4


def test_the_file_and_its_folder_are_made(tmp_path: Path) -> None:
    with open_store(tmp_path / "new" / "folder" / "store.db") as store:
        assert store.value("SELECT count(*) FROM run") == 0


def test_several_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    def opened(path: Path) -> int:
        together.wait()
        with open_store(path) as store:
            return len(applied_migrations(store))

    together = Barrier(_OPENERS)
    with ThreadPoolExecutor(_OPENERS) as pool:
        for attempt in range(5):
            paths = [tmp_path / f"{attempt}.db"] * _OPENERS
            assert list(pool.map(opened, paths)) == [len(MIGRATIONS)] * _OPENERS


def test_a_missing_file_is_named_where_it_must_exist(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not exist"):
        open_store(tmp_path / "store.db", create=False)


def test_the_schema_comes_from_numbered_migrations(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        applied = applied_migrations(store)
    assert applied == sorted(applied)
    assert applied[0] == "m001_first_schema"


@pytest.mark.parametrize("upto", range(len(MIGRATIONS)))
def test_every_older_version_is_brought_up_to_date(tmp_path: Path, upto: int) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        newest = store.rows("SELECT sql FROM sqlite_master ORDER BY name")
    older = tmp_path / "older.db"
    connection = sqlite3.connect(older)
    migrate(connection, stop_before=MIGRATIONS[upto].__name__)
    connection.close()
    with open_store(older) as store:
        assert [tuple(r) for r in store.rows("SELECT sql FROM sqlite_master ORDER BY name")] == [
            tuple(row) for row in newest
        ]


def test_a_store_from_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store, store.write():
        store.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('chunkbench', 'm999_later', '2030-01-01')"
        )
    with pytest.raises(StoreError, match=r"newer version .*m999_later.*upgrade"):
        open_store(path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_text("this is no database, but it is long enough to be mistaken for one" * 10)
    with pytest.raises(StoreError, match="cannot be opened"):
        open_store(path)


def test_a_transaction_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:

        def half_a_transaction() -> None:
            with store.write():
                store.execute("INSERT INTO document_text (sha256, text) VALUES ('a', 'b')")
                raise RuntimeError("half way")

        with pytest.raises(RuntimeError, match="half way"):
            half_a_transaction()
        assert store.value("SELECT count(*) FROM document_text") == 0


def test_a_reader_sees_that_another_has_written(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as writer, open_store(path) as reader:
        before = reader.version()
        assert reader.version() == before
        with writer.write():
            writer.execute("INSERT INTO document_text (sha256, text) VALUES ('a', 'b')")
        assert reader.version() != before


def test_readers_go_on_while_another_writes(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as writer, open_store(path) as reader, writer.write():
        writer.execute("INSERT INTO document_text (sha256, text) VALUES ('a', 'b')")
        assert reader.value("SELECT count(*) FROM document_text") == 0
