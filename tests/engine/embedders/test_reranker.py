"""Cross-encoders through the real library, with tiny random weights."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chunkbench_engine.embedders import reranker
from chunkbench_engine.embedders.reranker import (
    DEFAULT_RERANKER,
    Reranker,
    find_reranker,
    load_reranker,
)
from chunkbench_engine.errors import BadInput, Unavailable

from ...cross_encoder import save_cross_encoder

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = ["They eat fish.", "Banks lend money.", "", "Cats purr.", "They eat fish.", "\ud800"]


def test_without_sentence_transformers_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reranker, "find_spec", lambda name: None)
    with pytest.raises(Unavailable, match=r"chunkbench-tui\[transformers\]"):
        find_reranker(DEFAULT_RERANKER)


@pytest.fixture
def installed() -> None:
    pytest.importorskip("sentence_transformers")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Reranker]:
    pytest.importorskip("sentence_transformers")
    folder = save_cross_encoder(tmp_path_factory.mktemp("models") / "tiny")
    return folder, load_reranker(str(folder))


@pytest.mark.transformers
def test_a_pair_has_one_score_whatever_it_is_scored_with(tiny: tuple[Path, Reranker]) -> None:
    _, model = tiny
    together = model.score("What do cats eat?", TEXTS)
    assert together.shape == (len(TEXTS),)
    assert np.isfinite(together).all()
    assert len({round(score, 4) for score in together.tolist()}) >= 3, "it tells texts apart"
    for text, score in zip(TEXTS, together, strict=True):
        assert model.score("What do cats eat?", [text])[0] == pytest.approx(score, abs=1e-5)
    other = model.score("Who lends money?", TEXTS)
    assert not np.allclose(other, together, atol=1e-3), "it reads the question"
    assert model.score("anything", []).shape == (0,)


@pytest.mark.transformers
def test_scores_are_those_of_the_models_own_forward_pass(tiny: tuple[Path, Reranker]) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder, model = tiny
    tokenizer = AutoTokenizer.from_pretrained(folder)
    encoder = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.no_grad():
        logit = encoder(**tokenizer("cats?", "Cats purr.", return_tensors="pt")).logits[0, 0]
    assert model.score("cats?", ["Cats purr."])[0] == pytest.approx(
        torch.sigmoid(logit).item(), abs=1e-5
    )


@pytest.mark.transformers
def test_a_passage_longer_than_the_window_is_cut(tiny: tuple[Path, Reranker]) -> None:
    long = "x " * 400
    _, model = tiny
    scores = model.score("cats?", [long, f"{long}and what comes after"])
    assert scores[0] == pytest.approx(scores[1], abs=1e-5)


@pytest.mark.transformers
def test_its_id_is_its_name_and_the_hash_of_its_weights(
    tiny: tuple[Path, Reranker], tmp_path: Path
) -> None:
    folder, model = tiny
    name, digest = model.id.split("@")
    assert name == str(folder)
    other = load_reranker(str(save_cross_encoder(tmp_path / "other", seed=8)))
    assert other.id.split("@")[1] != digest


@pytest.mark.usefixtures("installed")
@pytest.mark.transformers
def test_a_model_with_several_outputs_is_no_reranker(tmp_path: Path) -> None:
    folder = save_cross_encoder(tmp_path / "classes", outputs=3)
    with pytest.raises(BadInput, match="outputs: 3"):
        find_reranker(str(folder))


@pytest.mark.usefixtures("installed")
@pytest.mark.transformers
def test_a_folder_that_holds_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="that can be read"):
        find_reranker(str(tmp_path))
    (tmp_path / "config.json").write_text(json.dumps({"architectures": ["BertModel"]}))
    with pytest.raises(BadInput, match="this is BertModel"):
        find_reranker(str(tmp_path))
    described = {"architectures": ["BertForSequenceClassification"], "id2label": {"0": "x"}}
    (tmp_path / "config.json").write_text(json.dumps(described))
    with pytest.raises(BadInput, match="that can be loaded"):
        load_reranker(str(tmp_path))


@pytest.mark.usefixtures("installed")
@pytest.mark.transformers
@pytest.mark.parametrize("name", ["", "nothing", "./nothing", "/no/such/folder", "a/b/c"])
def test_a_name_that_is_none_is_answered_with_one_that_is(name: str) -> None:
    with pytest.raises(BadInput, match=DEFAULT_RERANKER):
        find_reranker(name)


FIND = f"""
from chunkbench_engine.embedders.reranker import find_reranker
from chunkbench_engine.errors import Unavailable
try:
    find_reranker({DEFAULT_RERANKER!r})
except Unavailable as error:
    print(error)
"""


@pytest.mark.usefixtures("installed")
@pytest.mark.transformers
def test_without_the_hub_the_remedy_is_named(tmp_path: Path) -> None:
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", FIND],
        capture_output=True, text=True, timeout=60, check=True, env=environment,
    )  # fmt: skip
    assert f"hf download {DEFAULT_RERANKER}" in done.stdout
    assert "--reranker" in done.stdout
    assert "wordllama" not in done.stdout
    assert len(done.stdout.splitlines()) == 1
