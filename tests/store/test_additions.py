"""A strategy that joins a run, in the store; and a store from before there was such a thing."""

import sqlite3
from pathlib import Path

import pytest

from chunkbench_store.additions import (
    ask_for_strategy,
    labels_of,
    put_added_strategy,
    spec_asked,
    specs_waiting,
)
from chunkbench_store.database import migrate, open_store
from chunkbench_store.runs import NewStrategy, asked

RUN = (
    "INSERT INTO corpus VALUES (1, '/c', 'c', 's', 0, 0, '[]')",
    "INSERT INTO question_set VALUES (1, 1, 's', '[]')",
    "INSERT INTO run (id, corpus, question_set, state, settings, manifest, created_at)"
    " VALUES (1, 1, 1, 'finished', '{}', '{\"strategies\": {\"RC\": {}}}', '')",
    "INSERT INTO chunk_set (id, run, position, label, abbreviation, family, parameters)"
    " VALUES (7, 1, 0, 'RC', 'RC', 'rule-based', '{}')",
    "INSERT INTO config (run, chunk_set, model, retrieval) VALUES (1, 7, 'm', 'dense')",
    "INSERT INTO config (run, chunk_set, model, retrieval) VALUES (1, 7, '', 'lexical')",
)


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A store of the version before, with a run and a wish."""
    path = tmp_path / "store.db"
    connection = sqlite3.connect(path)
    migrate(connection, stop_before="m002_addition")
    for statement in RUN:
        connection.execute(statement)
    connection.execute(
        "INSERT INTO control (id, run, at, command, chunk_set) VALUES (5, 1, 'noon', 'retry', 7)"
    )
    connection.commit()
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute("INSERT INTO control (run, at, command) VALUES (1, '', 'add')")
    connection.close()
    return path


def test_what_was_asked_of_an_older_version_is_still_asked(older: Path) -> None:
    with open_store(older) as store:
        assert asked(store, 1) == [(5, "retry", 7)]
        ask_for_strategy(store, 1, "FC")
        assert [command for _, command, _ in asked(store, 1)] == ["retry", "add"]
        assert spec_asked(store, asked(store, 1)[-1][0]) == "FC"
        assert specs_waiting(store, 1) == ["FC"]
        with pytest.raises(sqlite3.IntegrityError), store.write():
            store.execute("INSERT INTO control (run, at, command) VALUES (1, '', 'dance')")
        with store.write():
            store.execute("DELETE FROM run")
        assert store.value("SELECT count(*) FROM control") == 0, "they go with their run"


def test_an_added_strategy_is_planned_for_every_experiment_and_recorded(older: Path) -> None:
    with open_store(older) as store:
        strategy = NewStrategy("FC(token_size=9)", "FC", "rule-based", {"token_size": 9})
        with store.write():
            chunk_set = put_added_strategy(store, 1, strategy, "llama")
        rows = store.rows(
            "SELECT model, retrieval, state FROM config WHERE chunk_set = ? ORDER BY id",
            (chunk_set,),
        )
        assert [tuple(row) for row in rows] == [
            ("m", "dense", "waiting"),
            ("", "lexical", "waiting"),
        ]
        assert store.value("SELECT position FROM chunk_set WHERE id = ?", (chunk_set,)) == 1
        assert labels_of(store, 1) == {"RC", "FC(token_size=9)"}
        manifest = store.row(
            "SELECT manifest ->> '$.strategies.RC', manifest -> '$.strategies',"
            " manifest ->> '$.language_model', manifest -> '$.added' FROM run"
        )
        assert manifest is not None
        assert manifest[0] == "{}"
        assert '"FC(token_size=9)":{"token_size":9}' in manifest[1]
        assert manifest[2] == "llama"
        assert '{"FC(token_size=9)":"20' in manifest[3]
