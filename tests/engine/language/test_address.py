"""Where Ollama is, as people and `OLLAMA_HOST` write it."""

from __future__ import annotations

import pytest

from chunkbench_engine.errors import BadInput
from chunkbench_engine.language.address import DEFAULT_URLS, server_url, urls_from_environment


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("http://127.0.0.1:11434", "http://127.0.0.1:11434"),
        ("gpu", "http://gpu:11434"),
        (" gpu:8080 ", "http://gpu:8080"),
        (":8080", "http://127.0.0.1:8080"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("[::]:8080", "http://[::1]:8080"),
        ("[fe80::1]", "http://[fe80::1]:11434"),
        ("http://gpu", "http://gpu:80"),
        ("https://gpu/ollama/", "https://gpu:443/ollama"),
    ],
)
def test_an_address_becomes_a_url(address: str, url: str) -> None:
    assert server_url(address) == url
    assert server_url(url) == url


@pytest.mark.parametrize("address", ["gpu:many", "ftp://gpu", "http://gpu:99999", "[::1"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(BadInput, match="is no address of an Ollama server"):
        server_url(address)


def test_the_environment_is_asked_before_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "gpu:8080")
    assert urls_from_environment() == ("http://gpu:8080",)
    monkeypatch.setenv("OLLAMA_HOST", "")
    assert urls_from_environment() == DEFAULT_URLS
