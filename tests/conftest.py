"""What tests of all kinds share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .ollama_server import OllamaServer, ollama_server

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def ollama() -> Iterator[OllamaServer]:
    """A stand-in for an Ollama server, listening."""
    with ollama_server() as server:
        yield server
