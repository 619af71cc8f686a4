"""Whether a model can be asked is said in a sentence with the command that mends it."""

from __future__ import annotations

import pytest

from chunkbench_engine.errors import Unavailable
from chunkbench_engine.language.server import identify, installed_models, server_problem

from ...ollama_server import DIGEST, OllamaServer, free_port, ollama_server


def test_a_model_that_is_there_has_no_problem(ollama: OllamaServer) -> None:
    assert server_problem([ollama.url], "tiny") == ""
    assert server_problem([ollama.url], "tiny:latest") == ""


def test_a_server_says_which_models_it_has(ollama: OllamaServer) -> None:
    ollama.models["mixtral:8x22b"] = "sha256:ff"
    assert installed_models(ollama.url) == {
        "tiny:latest": DIGEST.removeprefix("sha256:"),
        "mixtral:8x22b": "ff",
    }


def test_the_identity_of_a_model_holds_the_digest_of_its_weights(ollama: OllamaServer) -> None:
    assert identify([ollama.url], "tiny") == "tiny:latest@0123456789ab"
    ollama.models["library.example:5000/tiny:latest"] = "77"
    name = "library.example:5000/tiny"  # the colon is of the port, not of a tag
    assert identify([ollama.url], name) == f"{name}:latest@77"


def test_without_a_server_it_says_how_to_start_one() -> None:
    url = f"http://127.0.0.1:{free_port()}"
    assert server_problem([url], "tiny") == (
        f"no Ollama server at {url}: start it with ollama serve"
    )


def test_without_the_model_it_says_how_to_get_it(ollama: OllamaServer) -> None:
    assert server_problem([ollama.url], "large") == (
        f"the language model large is not at {ollama.url}: ollama pull large"
    )


def test_of_several_servers_each_must_be_ready(ollama: OllamaServer) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    assert url in server_problem([ollama.url, url], "tiny")


def test_servers_with_other_weights_under_one_name_are_not_mixed(ollama: OllamaServer) -> None:
    with ollama_server() as other:
        assert server_problem([ollama.url, other.url], "tiny") == ""
        other.models["tiny:latest"] = "sha256:ffff"
        with pytest.raises(Unavailable, match=r"tiny is not the same at .* ollama pull tiny"):
            identify([ollama.url, other.url], "tiny")


def test_something_else_that_listens_is_told_from_ollama(ollama: OllamaServer) -> None:
    assert "does not answer as an Ollama server does" in server_problem(
        [f"{ollama.url}/elsewhere"], "tiny"
    )
