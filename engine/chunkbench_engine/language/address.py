"""Where Ollama is, and which model is asked if none is named. Light: the command line reads it."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from chunkbench_engine.errors import BadInput

DEFAULT_URLS = ("http://127.0.0.1:11434",)
"""Where `ollama serve` listens unless it is told otherwise."""

DEFAULT_LANGUAGE_MODEL = "llama3.2"
"""Meta's Llama 3.2 with 3 billion parameters: 2 GB, runs without a GPU, and is often there."""

DEFAULT_JUDGE_MODEL = "mixtral:8x22b"
"""The paper's judge, Mixtral 8x22B Instruct: 80 GB."""

_PORTS = {"http": 80, "https": 443}


def server_url(address: str) -> str:
    """An address as people and `OLLAMA_HOST` write it, as a URL: `gpu:11434`, `https://gpu`.

    As with Ollama's own client, the port is 11434, or the scheme's where a scheme is written.
    An address to listen on (`0.0.0.0`) stands for this machine. Raises `BadInput`.
    """
    scheme, mark, rest = address.strip().rpartition("://")
    scheme = scheme or "http"
    try:
        parts = urlsplit(f"{scheme}://{rest}")
        port = parts.port or (_PORTS[scheme] if mark else 11434)
    except (ValueError, KeyError) as error:
        raise BadInput(
            f"{address!r} is no address of an Ollama server: write it as http://host:11434"
        ) from error
    host = parts.hostname or "127.0.0.1"
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - not bound to
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}{parts.path.rstrip('/')}"


def urls_from_environment() -> tuple[str, ...]:
    """The server that `OLLAMA_HOST` names, or the default."""
    address = os.environ.get("OLLAMA_HOST", "").strip()
    return (server_url(address),) if address else DEFAULT_URLS
