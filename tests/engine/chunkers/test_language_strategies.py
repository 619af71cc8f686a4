"""Strategies that ask a language model: what it is shown, and what is made of its answers."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.annotate.tokens import tokenize
from chunkbench_engine.chunkers.late import late_of
from chunkbench_engine.chunkers.remarks import remarks_of
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.documents.document import Document
from chunkbench_engine.errors import Unavailable
from chunkbench_engine.language.answer import Answer, Replies, Request, Unusable
from chunkbench_engine.language.ollama import CONTEXT_TOKENS

from .any_text import annotated, embed, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

TEXT = "Cats purr. Cats sleep.\n\nBanks lend. Banks fail.\n\nRain falls."
SENTENCES = ["Cats purr.", "Cats sleep.", "Banks lend.", "Banks fail.", "Rain falls."]


class Model:
    """A language model that says what a function of its prompt says; keeps what it was asked."""

    def __init__(self, say: Callable[[str], Any]) -> None:
        self._say = say
        self.requests: list[Request] = []

    def __call__(self, requests: Iterable[Request]) -> Replies:
        return Replies([self._answer(request) for request in requests], 0.0)

    def _answer(self, request: Request) -> object:
        self.requests.append(request)
        try:
            return request.read(Answer(json.dumps(self._say(request.prompt)), (), 0.0))
        except Unusable:
            return None


def shown(prompt: str) -> list[str]:
    """The numbered sentences of a prompt."""
    return [sentence for _, sentence in re.findall(r"^\[(\d+)\] (.*)$", prompt, re.MULTILINE)]


def pieces(spec: str, model: Model, text: str = TEXT) -> list[str]:
    document = AnnotatedDocument(Document("a.md", text), embed, model)
    return [text[c.start : c.end] for c in parse_spec(spec).strategy.chunk(document)]


def likelihoods(digit: Callable[[str, str], int]) -> Callable[[str], dict[str, int]]:
    """An answer to LBDC, from the two sentences of each pair."""

    def say(prompt: str) -> dict[str, int]:
        sentences = shown(prompt)
        return {
            f"{n}-{n + 1}": digit(sentences[n - 1], sentences[n]) for n in range(1, len(sentences))
        }

    return say


def other_subject(left: str, right: str) -> int:
    return 0 if left.split()[0] == right.split()[0] else 8


def test_a_boundary_lies_where_it_is_likelier_than_the_threshold() -> None:
    model = Model(likelihoods(other_subject))
    parts = ["Cats purr. Cats sleep.", "Banks lend. Banks fail.", "Rain falls."]
    assert pieces("LBDC", model) == parts
    assert pieces("LBDC(threshold=0.88)", model) == parts
    assert pieces("LBDC(threshold=0.89)", model) == [TEXT]  # 8 of 9 is 0.889
    assert pieces("LBDC(threshold=1)", Model(likelihoods(lambda *_: 9))) == [TEXT]
    assert pieces("LBDC(threshold=0)", Model(likelihoods(lambda *_: 1))) == SENTENCES


def test_the_model_is_shown_the_sentences_by_number() -> None:
    model = Model(likelihoods(other_subject))
    pieces("LBDC", model)
    (request,) = model.requests
    assert shown(request.prompt) == SENTENCES
    assert request.logprobs
    assert request.schema["required"] == ["1-2", "2-3", "3-4", "4-5"]


def test_segments_begin_where_the_model_says() -> None:
    assert pieces("LSTC", Model(lambda _: {"begins": [3, 5]})) == [
        "Cats purr. Cats sleep.",
        "Banks lend. Banks fail.",
        "Rain falls.",
    ]
    assert pieces("LSTC", Model(lambda _: {"begins": [1]})) == [TEXT]


@pytest.mark.parametrize("spec", ["LBDC(max=5)", "LSTC(max=5)"])
def test_what_is_too_long_is_split_by_the_rule_of_rc(spec: str) -> None:
    model = Model(
        lambda prompt: {"begins": []} if '"begins"' in prompt else likelihoods(lambda *_: 0)(prompt)
    )
    rc = parse_spec("RC(chunk_size=5, overlap=0, unit=tokens)").strategy.chunk(annotated(TEXT))
    assert pieces(spec, model) == [TEXT[chunk.start : chunk.end] for chunk in rc]


@pytest.mark.parametrize("spec", ["LBDC", "LSTC(max=400)"])
def test_an_unusable_answer_is_no_boundary_and_is_counted(spec: str) -> None:
    text = " ".join(f"Sentence number {n} is here." for n in range(100))
    boundaries = likelihoods(lambda *_: 9)

    def say(prompt: str) -> Any:  # noqa: ANN401
        if "number 40 " in prompt:
            return "I would rather not."
        count = len(shown(prompt))
        return {"begins": list(range(2, count + 1))} if '"begins"' in prompt else boundaries(prompt)

    document = AnnotatedDocument(Document("a.md", text), None, Model(say))
    strategy = parse_spec(spec).strategy
    spans = [chunk.span for chunk in strategy.chunk(document)]
    long = [span for span in spans if " number 40 " in text[slice(*span)]]
    assert len(long) == 1, "its window is one chunk"
    assert text[slice(*long[0])].count("Sentence") == 30
    assert len(spans) == 100 - 30 + 1, "elsewhere each sentence is one"
    assert document.remarks == {f"{spec[:4]} windows": 4, f"{spec[:4]} windows_unanswered": 1}
    assert list(remarks_of(strategy, document.remarks)) == [
        "1 of 4 windows got no usable answer: no boundary there"
    ]


@given(texts)
@settings(max_examples=60, deadline=None)
def test_every_pair_of_neighbours_is_asked_about_once(text: str) -> None:
    asked: list[tuple[str, str]] = []

    def note(left: str, right: str) -> int:
        asked.append((left, right))
        return 0

    document = AnnotatedDocument(Document("a.md", text), None, Model(likelihoods(note)))
    parse_spec("LBDC").strategy.chunk(document)
    assert len(asked) == max(len(document.sentences) - 1, 0)


def test_windows_are_bounded_and_so_are_sentences() -> None:
    text = "\n\n".join(
        ["word " * 5_000 + "end.", *["A sentence of some words. "] * 100, "x" * 20_000]
    )
    model = Model(likelihoods(lambda *_: 0))
    pieces("LBDC", model, text)
    for request in model.requests:
        assert 2 <= len(shown(request.prompt)) <= 30
        assert len(tokenize(request.prompt)) + request.limit < CONTEXT_TOKENS / 2
    first = shown(model.requests[0].prompt)[0]
    assert first.startswith("word word")
    assert first.endswith("word end.")
    assert " … " in first


def context(line: str) -> Callable[[str], dict[str, str]]:
    return lambda _: {"context": line}


def test_each_chunk_gets_its_line_before_the_prefix_it_has() -> None:
    text = "# Pets\n\nThey purr.\n\n# Money\n\nThey lend."
    document = AnnotatedDocument(Document("a.md", text), None, Model(context("On cats.")))
    chunks = parse_spec("CTX(HAC)").strategy.chunk(document)
    plain = parse_spec("HAC").strategy.chunk(annotated(text))
    assert [chunk.span for chunk in chunks] == [chunk.span for chunk in plain]
    assert [chunk.prefix for chunk in chunks] == [f"On cats.\n{chunk.prefix}" for chunk in plain]
    assert plain[0].prefix


def test_a_chunk_without_a_usable_line_has_none_and_is_counted() -> None:
    model = Model(
        lambda prompt: {"context": "About money." if "Banks lend" in passage(prompt) else ""}
    )
    document = AnnotatedDocument(Document("a.md", TEXT), None, model)
    strategy = parse_spec("CTX(PBC)").strategy
    assert [chunk.prefix for chunk in strategy.chunk(document)] == ["", "About money.", ""]
    assert list(remarks_of(strategy, document.remarks)) == [
        "2 of 3 contexts got no usable answer: those chunks have none"
    ]


def passage(prompt: str) -> str:
    return prompt.split("<passage>")[1].split("</passage>")[0]


def test_the_model_is_shown_the_chunk_and_a_bounded_part_of_what_is_around_it() -> None:
    text = "Opening. " + "early " * 3_000 + "\n\nThe passage.\n\n" + "late " * 3_000
    model = Model(context("Here."))
    pieces("CTX(PBC)", model, text)
    assert len(model.requests) == 3
    prompt = model.requests[1].prompt
    assert passage(prompt).strip() == "The passage."
    assert prompt.count("Opening. ") == 1, "the beginning of the document"
    assert prompt.count("early") == pytest.approx(800, abs=10)
    assert prompt.count("late ") == pytest.approx(200, abs=10)
    for request in model.requests:
        assert len(tokenize(request.prompt)) + request.limit < CONTEXT_TOKENS / 2


def test_context_around_late_chunking_is_embedded_and_so_not_pooled() -> None:
    late = late_of(parse_spec("CTX(LCSI)").strategy)
    assert late is not None
    assert late.materialise
    assert not late.pooling
    assert late_of(parse_spec("CTX(RC)").strategy) is None


def test_parts_of_a_pipeline_ask_the_same_model_and_count_together() -> None:
    model = Model(likelihoods(lambda *_: 9))
    document = AnnotatedDocument(Document("a.md", TEXT), None, model)
    chunks = parse_spec("PBC >> LBDC").strategy.chunk(document)
    assert [TEXT[chunk.start : chunk.end] for chunk in chunks] == SENTENCES
    assert document.remarks["LBDC windows"] == 2  # a paragraph of one sentence needs no question


@pytest.mark.parametrize("spec", ["LBDC", "LSTC", "CTX(RC)"])
def test_without_a_language_model_they_are_refused_and_do_not_guess(spec: str) -> None:
    with pytest.raises(Unavailable, match=r"a\.md was annotated without a language model"):
        parse_spec(spec).strategy.chunk(AnnotatedDocument(Document("a.md", TEXT), embed))
