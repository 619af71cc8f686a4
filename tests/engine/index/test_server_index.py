"""The index on a server, and in local mode, when something goes wrong."""

from __future__ import annotations

import socket
import warnings
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.index.open import drop_index, open_index
from chunkbench_engine.index.server import open_local

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    Serve = Callable[[], AbstractContextManager[str]]

PAYLOAD = {"document": "a", "start": 0, "end": 1}


@pytest.fixture
def nowhere() -> str:
    """The URL of a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def test_where_no_server_answers_the_sentence_names_the_url(tmp_path: Path, nowhere: str) -> None:
    with pytest.raises(Unavailable, match=f"No Qdrant server answers at {nowhere}"):
        open_index(tmp_path, "any", 4, url=nowhere)
    with pytest.raises(Unavailable, match=f"No Qdrant server answers at {nowhere}"):
        drop_index(tmp_path, "any", url=nowhere)


def test_a_server_that_goes_away_is_reported_by_the_next_call(
    tmp_path: Path, qdrant_rest: Serve
) -> None:
    with qdrant_rest() as url:
        index = open_index(tmp_path, "any", 4, url=url)
    with pytest.raises(Unavailable, match=url):
        index.search(np.ones(4, dtype=np.float32), 1)
    with pytest.raises(Unavailable, match=url):
        index.count()
    index.close()


def test_what_the_server_refuses_is_said_in_its_words(tmp_path: Path, qdrant_rest: Serve) -> None:
    with qdrant_rest() as url:
        index = open_index(tmp_path, "any", 4, url=url)
        with pytest.raises(Unavailable, match="expected dim: 4"):
            index.upsert(np.ones((1, 5), dtype=np.float32), [0], [PAYLOAD])
        index.close()


@pytest.mark.parametrize("url", ["localhost:port", "http://", "qdrant"])
def test_an_address_that_is_none_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises((BadInput, Unavailable), match=url):
        open_index(tmp_path, "any", 4, url=url)


def test_local_mode_says_what_it_is_and_warns_of_nothing(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        index = open_local(tmp_path / "local", 4)
        index.upsert(np.eye(4, dtype=np.float32), range(4), [PAYLOAD] * 4)
        assert len(index.search(np.ones(4, dtype=np.float32), 3)) == 3
        index.close()
    assert "no qdrant-edge" in index.backend


def test_a_folder_that_is_open_elsewhere_is_refused_in_local_mode(tmp_path: Path) -> None:
    index = open_local(tmp_path / "taken", 4)
    with pytest.raises(Unavailable, match="open in another process"):
        open_local(tmp_path / "taken", 4)
    index.close()
