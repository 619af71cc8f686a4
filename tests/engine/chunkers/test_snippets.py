"""A strategy as code: this package's own call, and what is said where there is none."""

from __future__ import annotations

from typing import Any

import pytest

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.api import chunk_text
from chunkbench_engine.chunkers.registry import REGISTRY
from chunkbench_engine.chunkers.snippets import snippet_for, snippets
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.documents.document import Document
from chunkbench_engine.errors import BadInput

TEXT = "# Title\n\nOne sentence here. Another one there.\n\nA last paragraph, with words.\n" * 3
SPECS = [entry.abbr if not entry.wraps else f"{entry.abbr}(RC)" for entry in REGISTRY.values()]


@pytest.mark.parametrize("spec", ["PGC >> FC(token_size=20)", "HAC(size=40)", "PCC", "LCSI"])
def test_chunk_text_gives_the_chunks_of_the_strategy(spec: str) -> None:
    document = AnnotatedDocument(Document("text", TEXT))
    assert chunk_text(TEXT, spec) == parse_spec(spec).strategy.chunk(document)


def test_chunk_text_embeds_with_the_model_that_is_named() -> None:
    assert len(chunk_text(TEXT, "SEBC(percentile=20)", "wordllama-64")) > 1
    with pytest.raises(BadInput, match="SEBC needs an embedding model: name it, chunker_model="):
        chunk_text(TEXT, "SEBC")
    with pytest.raises(BadInput, match="asks a language model"):
        chunk_text(TEXT, "LBDC")


@pytest.mark.parametrize("spec", SPECS)
def test_every_strategy_has_code_that_is_python_and_names_it(spec: str) -> None:
    own, *others = snippets(parse_spec(spec), "wordllama-64")
    assert own.library == "chunkbench"
    assert own.exact
    for snippet in (own, *others):
        compile(snippet.code, "snippet", "exec")
        assert snippet.exact or snippet.differences
        assert all(line.startswith("#") for line in snippet.text().split("\n\n")[0].splitlines())
    assert repr(parse_spec(spec).label) in own.code


@pytest.mark.parametrize("spec", ["RC(separators='newline, character')", "SEBC(percentile=80)"])
def test_its_own_code_runs_and_gives_the_same_chunks(spec: str) -> None:
    names: dict[str, Any] = {"text": TEXT}
    exec(snippet_for("chunkbench", parse_spec(spec), "wordllama-64").code, names)
    spans = [chunk.span for chunk in chunk_text(TEXT, spec, "wordllama-64")]
    assert names["chunks"] == [TEXT[start:end] for start, end in spans]


def test_where_a_library_has_nothing_near_that_is_said() -> None:
    with pytest.raises(BadInput, match="Chonkie has nothing that comes near PGC; there is a snip"):
        snippet_for("chonkie", parse_spec("PGC"))
    with pytest.raises(BadInput, match="no snippet for 'haystack': name one of chunkbench, lang"):
        snippet_for("haystack", parse_spec("PGC"))
