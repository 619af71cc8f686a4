"""Models by name, by folder and from the hub; and the sentences where there are none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chunkbench_engine.embedders import registry
from chunkbench_engine.embedders.registry import DEFAULT_MODEL, load_embedder, models
from chunkbench_engine.errors import BadInput, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    Hub = Callable[..., AbstractContextManager[str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model2vec model of a few words, as model2vec saves one."""
    from model2vec import StaticModel
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    words = {"[UNK]": 0, "cat": 1, "dog": 2}
    tokenizer = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    path = tmp_path_factory.mktemp("models") / "tiny"
    StaticModel(np.eye(3, dtype=np.float32), tokenizer, normalize=True).save_pretrained(path)
    return path


def test_the_default_model_is_ready() -> None:
    states = {model.name: model.state for model in models()}
    assert states[DEFAULT_MODEL] == "ready"


def test_every_model_that_is_not_ready_says_how_to_make_it_so() -> None:
    for model in models():
        assert bool(model.remedy) == (model.state != "ready")


def test_what_is_said_of_a_model_is_so() -> None:
    for model in models():
        if model.state == "ready":
            embedder = load_embedder(model.name)
            assert (embedder.dimensions, embedder.window) == (model.dimensions, model.window)
            assert embedder.id.startswith(f"{model.name}@")


def test_without_sentence_transformers_the_transformers_name_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    find = registry.find_spec
    monkeypatch.setattr(
        registry, "find_spec", lambda name: None if "sentence" in name else find(name)
    )
    for model in models():
        if model.kind == "transformer":
            assert model.state == "needs package"
            assert "chunkbench-tui[transformers]" in model.remedy
            with pytest.raises(Unavailable, match=r"chunkbench-tui\[transformers\]"):
                load_embedder(model.name)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("wordlama-256", "wordllama-256"), ("MiniLM-L6-v2", "all-MiniLM-L6-v2"), ("BGE-M3", "bge-m3")],
)
def test_an_unknown_name_is_answered_with_the_nearest(name: str, meant: str) -> None:
    with pytest.raises(BadInput, match=f"did you mean {meant}"):
        load_embedder(name)


@pytest.mark.parametrize("name", ["", "zzzz", "./nothing", "/no/such/folder", "a/b/c", "org/"])
def test_a_name_that_is_none_is_answered_with_the_known_ones(name: str) -> None:
    with pytest.raises(BadInput, match="wordllama-256"):
        load_embedder(name)


def test_a_folder_with_a_model2vec_model_is_loaded(folder: Path) -> None:
    embedder = load_embedder(str(folder))
    np.testing.assert_allclose(embedder.embed(["cat", "dog"]), [[0, 1, 0], [0, 0, 1]])
    assert embedder.id.startswith("tiny@"), "the same wherever the folder lies"


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no embedding model"):
        load_embedder(str(tmp_path))
    (tmp_path / "config.json").write_text("{not json")
    with pytest.raises(BadInput, match="that can be read"):
        load_embedder(str(tmp_path))


def test_a_folder_whose_weights_are_missing_is_refused(folder: Path, tmp_path: Path) -> None:
    for file in folder.glob("*.json"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    with pytest.raises(BadInput, match="can be loaded"):
        load_embedder(str(tmp_path))


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run in a process of its own: the hub's settings are read when it is first imported."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


LOAD = """
import json, sys
from chunkbench_engine.embedders.registry import load_embedder, models
from chunkbench_engine.errors import BadInput, Unavailable
try:
    embedder = load_embedder(sys.argv[1] if sys.argv[1:] else "potion-2M")
except (BadInput, Unavailable) as error:
    print(json.dumps([type(error).__name__, str(error)]))
else:
    state = {model.name: model.state for model in models()}["potion-2M"]
    print(json.dumps([embedder.id, embedder.embed(["cat"]).tolist(), state]))
"""


def test_a_model_of_the_hub_is_fetched_once_and_then_needs_no_hub(
    folder: Path, tmp_path: Path, model_hub: Hub
) -> None:
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    with model_hub({"minishlab/potion-base-2M": files}) as url:
        first = run(LOAD, HF_ENDPOINT=url, HF_HOME=str(tmp_path))
    assert (first.returncode, first.stderr) == (0, "")
    name, vectors, state = json.loads(first.stdout)
    assert name.startswith("potion-2M@")
    assert vectors == [[0.0, 1.0, 0.0]]
    assert state == "ready"
    again = run(LOAD, HF_HUB_OFFLINE="1", HF_HOME=str(tmp_path))
    assert again.stdout == first.stdout


def test_what_an_interrupted_download_left_is_no_model(
    folder: Path, tmp_path: Path, model_hub: Hub
) -> None:
    files = {file.name: file.read_bytes() for file in folder.glob("*.json")}
    with model_hub({"minishlab/potion-base-2M": files}) as url:
        first = run(LOAD, HF_ENDPOINT=url, HF_HOME=str(tmp_path))
    assert json.loads(first.stdout)[0] == "BadInput", "a hub's model without weights"
    again = run(LOAD, HF_HUB_OFFLINE="1", HF_HOME=str(tmp_path))
    assert json.loads(again.stdout)[0] == "Unavailable"


def test_a_model_that_the_hub_has_not_is_refused(tmp_path: Path, model_hub: Hub) -> None:
    with model_hub({}) as url:
        ended = run(LOAD, HF_ENDPOINT=url, HF_HOME=str(tmp_path))
    kind, sentence = json.loads(ended.stdout)
    assert (kind, ended.stderr) == ("BadInput", "")
    assert "The hub has no model minishlab/potion-base-2M" in sentence


def test_a_hub_that_does_not_answer_is_given_up(tmp_path: Path, model_hub: Hub) -> None:
    with model_hub({}, silent=True) as url:
        ended = run(LOAD, HF_ENDPOINT=url, HF_HOME=str(tmp_path))
    kind, sentence = json.loads(ended.stdout)
    assert (kind, ended.stderr) == ("Unavailable", "")
    assert "hf download minishlab/potion-base-2M" in sentence


def test_offline_the_hub_is_not_asked(tmp_path: Path) -> None:
    ended = run(LOAD, HF_HUB_OFFLINE="1", HF_HOME=str(tmp_path))
    kind, sentence = json.loads(ended.stdout)
    assert (kind, ended.stderr) == ("Unavailable", "")
    assert "HF_HUB_OFFLINE is set" in sentence


def test_listing_the_models_imports_nothing_heavy() -> None:
    code = (
        "import sys; from chunkbench_engine.embedders.registry import models; models();"
        "print([n for n in ('numpy', 'scipy', 'torch', 'model2vec', 'httpx') if n in sys.modules])"
    )
    assert run(code).stdout.strip() == "[]"
