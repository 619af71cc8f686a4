"""A language model proposes questions; what is not verbatim, or twice the same, is rejected."""

from __future__ import annotations

import asyncio
import json
import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from chunkbench_engine.documents.document import Document
from chunkbench_engine.language.ollama import open_language_model
from chunkbench_engine.questions.suggest import (
    DUPLICATE,
    EXCERPT,
    NOT_VERBATIM,
    NOTHING,
    OFTEN,
    excerpts,
    suggestion_fields,
    suggestions,
)

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable
    from pathlib import Path

    from chunkbench_engine.questions.gold import Suggestion

    from ...ollama_server import OllamaServer

LONG = Document(
    "long.md", "".join(f"Fact {n} says that item {n} weighs {n} tons.\n" for n in range(900))
)
SHORT = Document("short.md", "A short note about frogs: frogs sing at night.\n" * 40)


def test_excerpts_are_drawn_by_length_and_position_and_repeat_with_the_seed() -> None:
    drawn = list(islice(excerpts([LONG, SHORT], 1), 120))
    assert drawn == list(islice(excerpts([LONG, SHORT], 1), 120))
    assert drawn != list(islice(excerpts([LONG, SHORT], 2), 120))
    of_long = [start for document, start, _ in drawn if document == "long.md"]
    share = len(LONG.text) / (len(LONG.text) + len(SHORT.text))
    assert abs(len(of_long) / 120 - share) < 0.1
    quarters = {start * 4 // len(LONG.text) for start in of_long}
    assert quarters == {0, 1, 2, 3}
    for document, start, end in drawn:
        text = {"long.md": LONG, "short.md": SHORT}[document].text
        assert 0 <= start < end <= len(text)
        assert end - start <= 2 * EXCERPT + EXCERPT // 2


def _run(
    ollama: OllamaServer, tmp_path: Path, answer: Callable[[str], dict[str, str]], count: int
) -> tuple[list[Suggestion], Counter[str]]:
    def said(body: dict[str, Any]) -> str:
        prompt = body["messages"][0]["content"]
        return json.dumps(answer(prompt.split("-----\n")[1]))

    ollama.answer = said

    async def ask() -> tuple[list[Suggestion], Counter[str]]:
        model = open_language_model([ollama.url], "tiny", tmp_path / "answers.db")
        try:
            return await suggestions(model, [LONG, SHORT], count, 0, ["Who sings at noon?"])
        finally:
            await model.close()

    return asyncio.run(ask())


def _about_a_fact(excerpt: str) -> dict[str, str]:
    fact = re.search(r"Fact (\d+) says[^.]*\.", excerpt)
    if fact is None:
        return {"question": "", "evidence": "", "answer": ""}
    number = int(fact[1])
    question = f"Is item {number} with label {number * 7} heavier than {number + 1000} others?"
    return {"question": question, "evidence": fact[0], "answer": f"{fact[1]} tons"}


def test_each_suggestion_has_its_evidence_once_in_its_document(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    made, _ = _run(ollama, tmp_path, _about_a_fact, 3)
    assert len({suggestion.question for suggestion in made}) == 3
    for suggestion in made:
        passage = LONG.text[suggestion.start : suggestion.end]
        assert passage.startswith("Fact ")
        assert LONG.text.count(passage) == 1
        assert suggestion.model.startswith("tiny:latest@")
        fields = suggestion_fields(suggestion, LONG.text, "s")
        assert fields["synthetic"] is True
        assert fields["model"] == suggestion.model
        assert fields["evidence"] == [{"document": "long.md", "text": passage}]
    asked = ollama.asked[0]
    assert asked["options"]["temperature"] == 0
    assert set(asked["format"]["properties"]) == {"question", "evidence", "answer"}


def test_evidence_that_is_not_verbatim_is_asked_for_again_then_rejected(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    made, rejected = _run(
        ollama,
        tmp_path,
        lambda _: {"question": "Why?", "evidence": "Words that nobody wrote.", "answer": ""},
        1,
    )
    assert made == []
    assert rejected == {NOT_VERBATIM: 4}
    retried = [body for body in ollama.asked if len(body["messages"]) > 1]
    assert retried
    assert "letter for letter" in retried[0]["messages"][-1]["content"]


def test_the_other_reasons_are_counted_too(ollama: OllamaServer, tmp_path: Path) -> None:
    def answer(excerpt: str) -> dict[str, str]:
        if "frogs" in excerpt:
            evidence = "frogs sing at night"
            return {"question": "When do frogs sing?", "evidence": evidence, "answer": ""}
        if re.search(r"Fact [1-4]\d\d ", excerpt):
            return {"question": "", "evidence": "", "answer": ""}
        return {**_about_a_fact(excerpt), "question": "Who sings at noon, then?"}

    _, rejected = _run(ollama, tmp_path, answer, 10)
    assert set(rejected) == {OFTEN, NOTHING, DUPLICATE}
