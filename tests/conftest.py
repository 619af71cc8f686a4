"""What tests of all kinds share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import hypothesis
import pytest

from .ollama_server import OllamaServer, ollama_server

if TYPE_CHECKING:
    from collections.abc import Iterator

# The same examples each time where a change is judged; new ones on a person's machine.
hypothesis.settings.register_profile("check", derandomize=True)
if os.environ.get("CI"):
    hypothesis.settings.load_profile("check")


@pytest.fixture
def ollama() -> Iterator[OllamaServer]:
    """A stand-in for an Ollama server, listening."""
    with ollama_server() as server:
        yield server
