"""Whether an Ollama server answers, and which models it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterable

_CHECK_SECONDS = 10.0


def installed_models(url: str) -> dict[str, str]:
    """Names of the models that a server has, each with the digest of its weights.

    Raises `Unavailable`, with the command that mends it, where no server answers.
    """
    import httpx
    import ollama

    # No proxy: a server is named by the address at which it is reached.
    try:
        with ollama.Client(url, timeout=_CHECK_SECONDS, trust_env=False) as client:
            models = client.list().models
    except ConnectionError as error:
        raise Unavailable(no_server(url)) from error
    except (httpx.RequestError, ollama.ResponseError, ValueError) as error:
        raise Unavailable(
            f"{url} does not answer as an Ollama server does ({type(error).__name__}): start one "
            "with ollama serve, or name another with --ollama"
        ) from error
    return {model.model: model.digest or "" for model in models if model.model}


def identify(urls: Iterable[str], model: str) -> str:
    """The model with its digest, as `llama3.2:latest@a80c4f17acd5`: equal for equal weights.

    Raises `Unavailable`, with the command that mends it, where one of the servers does not
    answer, does not have the model, or has other weights under that name.
    """
    name = model if ":" in model.rpartition("/")[2] else f"{model}:latest"
    digests = {}
    for url in urls:
        models = installed_models(url)
        if name not in models:
            raise Unavailable(no_model(url, model))
        digests[url] = models[name].removeprefix("sha256:")[:12]
    if len(set(digests.values())) > 1:
        raise Unavailable(
            f"the language model {model} is not the same at {' and '.join(digests)}: "
            f"ollama pull {model} at each"
        )
    return f"{name}@{next(iter(digests.values()))}"


def server_problem(urls: Iterable[str], model: str) -> str:
    """Why the model cannot be asked, with the command that mends it; "" if it can."""
    try:
        identify(urls, model)
    except Unavailable as error:
        return str(error)
    return ""


def no_server(url: str) -> str:
    return f"no Ollama server at {url}: start it with ollama serve"


def no_model(url: str, model: str) -> str:
    return f"the language model {model} is not at {url}: ollama pull {model}"
