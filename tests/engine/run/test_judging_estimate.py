"""What a language-model judge will be asked, before it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.annotate.tokens import tokenize
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.documents.document import Document
from chunkbench_engine.judges.ollama import fill
from chunkbench_engine.language.answer import Answer
from chunkbench_engine.language.cache import AnswerCache
from chunkbench_engine.questions.question import Question
from chunkbench_engine.run.judging_estimate import estimate_judging
from chunkbench_engine.run.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "alpha beta gamma delta " * 200
DOCUMENTS = (Document("a", TEXT),)
QUESTIONS = (
    Question("1", "Which?", answers=("Alpha.", "Beta.")),
    Question("2", "When?", answers=()),
    Question("3", "Who?", answers=("Nobody.",), category="unanswerable"),
)
SETTINGS = Settings("docs", judge="ollama", judge_models=("tiny",), k=3)
STRATEGIES = [parse_spec("FC(token_size=10)")]


def test_it_is_the_tokens_of_the_prompts_themselves(tmp_path: Path) -> None:
    estimate = estimate_judging(SETTINGS, STRATEGIES, DOCUMENTS, QUESTIONS, tmp_path / "none.db")
    assert estimate is not None
    assert estimate.judgements == 3 * 2
    passage = " beta gamma delta alpha beta gamma delta alpha beta gamma"
    real = sum(3 * len(tokenize(fill(answer, passage))) for answer in ("Alpha.", "Beta."))
    assert estimate.prompt_tokens == pytest.approx(real, rel=0.02)


def test_a_budget_pays_for_as_many_passages_as_the_sample_has_in_it(tmp_path: Path) -> None:
    settings = replace(SETTINGS, budget=95)
    estimate = estimate_judging(settings, STRATEGIES, DOCUMENTS, QUESTIONS, tmp_path / "none.db")
    assert estimate is not None
    assert estimate.judgements == 10 * 2


def test_time_is_unknown_until_the_model_has_judged_and_then_at_its_pace(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    cache = AnswerCache(path)
    cache.put("other:latest@1", b"1", Answer('{"score": 1, "reason": ""}', (), 9.0))
    cache.put("tiny:latest@1", b"2", Answer('{"boundary": true}', (), 9.0))  # a chunker asked
    unknown = estimate_judging(SETTINGS, STRATEGIES, DOCUMENTS, QUESTIONS, path)
    assert unknown is not None
    assert (unknown.seconds, unknown.measured) == (None, 0)
    cache.put("tiny:latest@1", b"3", Answer('{"score": 1, "reason": ""}', (), 2.0))
    cache.put("tiny:latest@2", b"4", Answer('{"score": 0, "reason": ""}', (), 4.0))
    known = estimate_judging(SETTINGS, STRATEGIES, DOCUMENTS, QUESTIONS, path)
    assert known is not None
    assert (known.seconds, known.measured) == (6 * 3.0, 2)
    cache.close()


def test_without_a_language_model_there_is_nothing_to_estimate(tmp_path: Path) -> None:
    settings = replace(SETTINGS, judge="evidence", judge_models=())
    assert estimate_judging(settings, STRATEGIES, DOCUMENTS, QUESTIONS, tmp_path / "n.db") is None
