"""A run as a file: what is saved is read again, and what cannot be used is named with its line."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.errors import BadInput
from chunkbench_engine.judges.choice import JUDGES
from chunkbench_engine.run.run_file import (
    foreign_code_in,
    free_name,
    read_run_file,
    write_run_file,
)
from chunkbench_engine.run.settings import RETRIEVALS, Settings

# Any text that a file can hold: no lone surrogates; a path has no NUL either.
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
paths = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0/~"), min_size=1, max_size=12
).filter(lambda name: name not in (".", ".."))
specs = st.sampled_from(["RC", "RC(chunk_size=400)", "PGC >> FC(token_size=200)", "m:f(a='\"')"])
many = st.lists(words, max_size=3).map(tuple)
GENERATED: dict[str, st.SearchStrategy[Any]] = {
    "questions": st.lists(paths.map("/data/{}".format), max_size=2).map(tuple),
    "strategies": st.lists(specs, max_size=3).map(tuple),
    "models": many,
    "chunker_model": st.just("") | words,
    "retrieval": st.lists(st.sampled_from(RETRIEVALS), max_size=2).map(tuple),
    "reranker": st.just("") | words,
    "k": st.integers(1, 100),
    "repeat": st.integers(1, 100),
    "pool": st.sampled_from(["published", "distinct"]),
    "skip_bad_questions": st.booleans(),
    "qdrant": words,
    "ollama": st.lists(words, min_size=1, max_size=2).map(tuple),
    "language_model": words,
    "judge": st.sampled_from(["", *JUDGES]),
    "judge_models": many,
    "include": many,
    "exclude": many,
    "seed": st.integers(0, 2**32 - 1),
    "document_seconds": st.floats(0.001, 1e9),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(autouse=True)
def _no_server_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OLLAMA_HOST", raising=False)


@settings(max_examples=60, deadline=None)
@given(paths, st.fixed_dictionaries({}, optional=GENERATED), st.booleans())
def test_what_is_saved_and_read_gives_the_same_settings(
    folder: Path, name: str, chosen: dict[str, Any], below: bool
) -> None:
    corpus = folder / name if below else Path("/data") / name
    written = dataclasses.replace(Settings(str(corpus)), **chosen)
    file = folder / "saved.toml"
    file.write_bytes(write_run_file(written, folder).encode())
    assert read_run_file(file) == written


def test_every_setting_is_generated_above() -> None:
    known = {field.name for field in dataclasses.fields(Settings)}
    # others may be there that this file need not know of, if they round-trip as these types do
    assert known >= {"corpus", "folder", *GENERATED}


def test_paths_are_relative_to_the_file_and_models_that_are_folders_too(folder: Path) -> None:
    (folder / "my-model").mkdir()
    file = folder / "relative.toml"
    file.write_text('corpus = "docs"\nquestions = ["q/a.jsonl"]\nmodels = ["my-model", "other"]\n')
    read = read_run_file(file)
    assert read.corpus == str(folder / "docs")
    assert read.questions == (str(folder / "q/a.jsonl"),)
    assert read.models == (str(folder / "my-model"), "other")
    assert 'corpus = "docs"' in write_run_file(read, folder)


WRONG = {
    "an unknown key": ('stategies = ["RC"]', "line 2: there is no key stategies; did you mean str"),
    "an unknown table": ("[wxyz]\nk = 5", "line 2: there is no key wxyz; the keys are corp"),
    "where modules are": ('folder = "/"', "line 2: there is no key folder"),
    "a number in quotes": ('k = "5"', "line 2: k must be a whole number"),
    "true for a number": ("seed = true", "line 2: seed must be a whole number"),
    "a number out of range": ("\nk = 101", "line 3: k must be from 1 to 100"),
    "a text for a list": ('models = "m"', 'line 2: models must be a list of texts, as ["a", "b"]'),
    "an unknown judge": ('judge = "me"', "line 2: judge has 'me', which is none of evidence"),
    "an unknown retrieval": ('retrieval = ["bm25"]', "line 2: retrieval has 'bm25'"),
    "an unknown pool": ('pool = "both"', "line 2: pool must be one of published, distinct"),
    "an unknown strategy": ('strategies = ["RX"]', "line 2: there is no strategy 'RX'"),
    "a text for a truth": ('skip_bad_questions = "no"', "line 2: skip_bad_questions must be true"),
    "no TOML": ("k =", "is no TOML: Invalid value (at line 2"),
    "an empty name": ('models = [""]', "line 2: models has an empty text"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_used_is_named_with_its_line(case: str, folder: Path) -> None:
    line, sentence = WRONG[case]
    file = folder / "wrong.toml"
    file.write_text(f'corpus = "docs"\n{line}\n')
    with pytest.raises(BadInput) as raised:
        read_run_file(file)
    assert sentence in str(raised.value)


def test_a_file_without_documents_is_refused(folder: Path) -> None:
    (folder / "none.toml").write_text("k = 5\n")
    with pytest.raises(BadInput, match='names no documents: add a line such as corpus = "docs"'):
        read_run_file(folder / "none.toml")


def test_code_that_a_file_names_is_found_without_running_it(folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "__init__.py").write_text("raise SystemExit('was run')\n")
    (folder / "mine" / "own.py").write_text("raise SystemExit('was run')\n")
    settings = Settings("docs", strategies=("RC", "mine.own:split >> FC", "nowhere:f", "mine:f"))
    found = foreign_code_in(settings, folder)
    assert [(code.target, code.file) for code in found] == [
        ("mine.own:split", folder / "mine" / "own.py"),
        ("nowhere:f", None),
        ("mine:f", folder / "mine" / "__init__.py"),
    ]
    assert found[0].digest == found[2].digest != found[1].digest == ""


def test_the_file_in_the_documentation_is_one(folder: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "runs.md").read_text()
    block = next(b for b in page.split("```") if b.startswith("toml\ncorpus"))
    block = block.removeprefix("toml\n")
    file = folder / "page.toml"
    file.write_text(block)
    assert read_run_file(file).corpus == str(folder / "docs")
    known = {f.name for f in dataclasses.fields(Settings)} - {"folder"}
    assert {name for name in known if name not in block} == set(), "every key is named there"


def test_a_saved_file_never_replaces_another(tmp_path: Path) -> None:
    assert free_name(tmp_path).name == "bench.toml"
    (tmp_path / "bench.toml").touch()
    assert free_name(tmp_path).name == "bench-2.toml"
