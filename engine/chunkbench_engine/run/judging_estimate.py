"""What a run's language-model judge will cost, before the run."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.annotate.tokens import tokenize
from chunkbench_engine.documents.document import Document
from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.judges.choice import OLLAMA, PANEL, can_judge

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from chunkbench_engine.chunkers.spec import ConfiguredStrategy
    from chunkbench_engine.questions.question import Question
    from chunkbench_engine.run.settings import Settings

SAMPLE_CHARACTERS = 20_000
"""Beginning of the corpus that is chunked to see how long passages are."""


@dataclass(frozen=True, slots=True)
class JudgingEstimate:
    """What the language models that judge are asked, at most: equal texts are judged once.

    Attributes:
        judgements: over all models.
        prompt_tokens: of cl100k_base, over all judgements.
        seconds: at the pace of earlier judgements by the same models; None where one of them has
            judged nothing yet that is still in the cache of answers.
        measured: how many earlier judgements that pace is of.
    """

    judgements: int
    prompt_tokens: int
    seconds: float | None
    measured: int

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def say(self, settings: Settings) -> str:
        """The estimate in a sentence or two."""
        # Before anything is chunked it is not known how many passages a budget pays for.
        most = "about" if settings.budget else "at most"
        tokens = float(f"{self.prompt_tokens:.2g}")
        said = (
            f"{most} {self.judgements:,} judgements by {', '.join(settings.judge_models)}, "
            f"about {tokens:,.0f} prompt tokens; equal texts are judged once."
        )
        if self.seconds is None:
            return f"{said} How long that takes is said once the first strategy is judged."
        return (
            f"{said} At the pace of {self.measured:,} earlier judgements that is "
            f"{most} {max(self.seconds / 60, 0.1):,.1f} min."
        )


def estimate_judging(
    settings: Settings,
    strategies: Sequence[ConfiguredStrategy],
    documents: Sequence[Document],
    questions: Sequence[Question],
    answers: Path,
) -> JudgingEstimate | None:
    """The estimate for a planned run; None where no language model judges.

    The prompts' fixed parts and reference answers are counted as they are. How long passages are
    is seen by chunking the first `SAMPLE_CHARACTERS` of the corpus with each strategy that needs
    no model; the others are taken to be like these, and all like 500 characters if there are none.

    Args:
        answers: file of the cache of answers.
    """
    if settings.judge not in (OLLAMA, PANEL):
        return None
    from chunkbench_engine.judges.ollama import fill

    references = [text for q in questions if can_judge(settings.judge, q) for text in q.answers]
    fixed = sum(len(tokenize(fill(text, ""))) for text in references)
    means = _mean_passages(strategies, documents)
    usual = sum(means) / len(means)
    judgements = tokens = 0
    for number in range(len(strategies)):
        mean = means[number] if number < len(means) else usual
        passages = math.ceil(settings.budget / mean) if settings.budget else settings.k
        handed_on = float(settings.budget or settings.k * mean)
        judgements += passages * len(references)
        tokens += round(passages * fixed + handed_on * len(references))
    times = len(settings.experiments) * len(settings.judge_models)
    paces = [_pace(answers, model) for model in settings.judge_models]
    seconds = None
    if all(count for count, _ in paces):
        a_model = judgements * len(settings.experiments)
        seconds = sum(spent / count * a_model for count, spent in paces)
    return JudgingEstimate(
        judgements * times, tokens * times, seconds, sum(count for count, _ in paces)
    )


def _mean_passages(
    strategies: Sequence[ConfiguredStrategy], documents: Sequence[Document]
) -> list[float]:
    """Mean tokens of the passages of each strategy that needs no model, as the sample shows."""
    sample = Document("sample", "\n\n".join(d.text[:SAMPLE_CHARACTERS] for d in documents[:8]))
    document = AnnotatedDocument(Document("sample", sample.text[:SAMPLE_CHARACTERS]))
    means = []
    for configured in strategies:
        if configured.needs_vectors or configured.needs_language_model:
            continue
        try:
            chunks = configured.strategy.chunk(document)
        except (BadInput, Unavailable):  # what ails it is told when its turn comes
            continue
        lengths = [document.tokens.count(*chunk.judged) for chunk in chunks]
        if lengths:
            means.append(sum(lengths) / len(lengths))
    return means or [float(len(document.tokens)) * 500 / max(len(document.text), 1)]


def _pace(answers: Path, model: str) -> tuple[int, float]:
    """Number of a model's judgements in the cache of answers, and the seconds they took."""
    from chunkbench_engine.language.cache import AnswerCache

    if not answers.exists():
        return 0, 0.0
    cache = AnswerCache(answers)
    try:
        return cache.pace(model if ":" in model.rpartition("/")[2] else f"{model}:latest")
    finally:
        cache.close()
