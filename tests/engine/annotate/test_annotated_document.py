"""Annotations are made once, when first read, and each records what it cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.documents.document import Document
from chunkbench_engine.embedders.embedder import Vectors
from chunkbench_engine.errors import BadInput, Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

TEXT = "First sentence. Second one.\n\nThird. And the fourth."


class Recorder:
    """Stands where the model does: keeps what it is asked, and says it took two seconds."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        return Vectors(np.ones((len(texts), 1), dtype=np.float32), 2.0)


def test_an_annotation_is_made_once_and_only_when_read() -> None:
    document = AnnotatedDocument(Document("a", TEXT))
    assert document.costs == {}
    assert document.sentences is document.sentences
    assert set(document.costs) == {"paragraphs", "sentences"}


def test_used_holds_what_was_read_and_not_what_that_was_made_from() -> None:
    document = AnnotatedDocument(Document("a", TEXT))
    document.warm(["tokens", "blocks"])
    assert document.used == set()
    assert document.sentences
    assert document.used == {"sentences"}


def test_the_charge_is_the_sum_over_what_is_read_and_its_sources_each_once() -> None:
    document = AnnotatedDocument(Document("a", TEXT), Recorder())
    costs = document.costs
    document.warm(["sentences", "sentence_vectors", "tokens"])
    assert document.charged(["sentences", "sentence_vectors"]) == pytest.approx(
        costs["paragraphs"] + costs["sentences"] + costs["sentence_vectors"]
    )
    assert document.charged([]) == 0


def test_vectors_cost_what_the_model_says_not_what_the_clock_does() -> None:
    document = AnnotatedDocument(Document("a", TEXT), Recorder())
    assert len(document.sentence_vectors(buffer=1)) == 4
    assert document.costs["sentence_vectors(buffer=1)"] == 2.0


def test_a_buffer_embeds_each_sentence_with_its_neighbours_as_written() -> None:
    model = Recorder()
    document = AnnotatedDocument(Document("a", TEXT), model)
    document.warm(["sentence_vectors", "sentence_vectors(buffer=1)"])
    plain, buffered = model.asked
    assert plain == ["First sentence.", "Second one.", "Third.", "And the fourth."]
    assert buffered == [
        "First sentence. Second one.",
        "First sentence. Second one.\n\nThird.",
        "Second one.\n\nThird. And the fourth.",
        "Third. And the fourth.",
    ]


def test_a_part_is_a_document_of_its_own() -> None:
    document = AnnotatedDocument(Document("a", TEXT), Recorder())
    part = document.part(29, len(TEXT))
    assert (part.id, part.text) == ("a", "Third. And the fourth.")
    assert part.sentences == [(0, 6), (7, 22)]
    assert len(part.sentence_vectors()) == 2
    assert document.used == set()


def test_vectors_without_a_model_are_refused() -> None:
    with pytest.raises(Unavailable, match="without an embedding model"):
        AnnotatedDocument(Document("a", TEXT)).sentence_vectors()


def test_an_unknown_annotation_is_refused() -> None:
    with pytest.raises(BadInput, match="no annotation named 'words'"):
        AnnotatedDocument(Document("a", TEXT)).warm(["words"])
