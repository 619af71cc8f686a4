"""What a run will take, before it is started: its input checked, its strategies tried on a sample.

A sample of the documents is really chunked and embedded on this machine, and the counts and times
are scaled by length. What cannot be tried is named as unknown, not guessed.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.documents.corpus import find_question_files, load_corpus
from chunkbench_engine.documents.document import Document
from chunkbench_engine.documents.filters import Filters
from chunkbench_engine.embedders.cache import VectorCache
from chunkbench_engine.embedders.cached import CachedEmbedder
from chunkbench_engine.embedders.registry import load_embedder
from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.judges.choice import choose_judge, judge_models
from chunkbench_engine.questions.check import check_files
from chunkbench_engine.run.context import answers_path, cache_path
from chunkbench_engine.run.judging_estimate import estimate_judging
from chunkbench_engine.run.plan import (
    checked_settings,
    choose_chunker_model,
    load_code,
    named_strategies,
)
from chunkbench_engine.run.settings import settings_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_engine.chunkers.spec import ConfiguredStrategy
    from chunkbench_engine.documents.corpus import Corpus
    from chunkbench_engine.embedders.embedder import Embedder
    from chunkbench_engine.run.settings import Settings

SAMPLE_CHARACTERS = 9_000
"""Of the documents, at most; the beginnings of a few of them."""
SAMPLE_DOCUMENTS = 3
PATIENCE_SECONDS = 20.0
"""After so long no further strategy is tried."""
_WARM = 400
"""Characters tried before the clock runs: a strategy loads its tokenizer and model for them."""
_EMBEDDED = 48
"""Chunks of the sample that are embedded, to know what one costs."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a run is about, and what it will take.

    Attributes:
        problems: question rows that cannot be used, one sentence each.
        configurations: strategies times experiments.
        judge: kind of judge.
        judging: what the language models that judge will be asked, in words; "" for none.
        sampled: characters of the sample.
        chunks: of all strategies that could be tried, scaled.
        chunking_seconds: of chunking with all of them, scaled by length.
        embedding_seconds: of all their chunks under all models, none of them in the cache yet.
        unknown: strategies that were not tried, with the reason.
    """

    documents: int
    characters: int
    questions: int
    answerable: int
    problems: tuple[str, ...]
    strategies: int
    configurations: int
    judge: str
    judging: str
    sampled: int
    chunks: int
    chunking_seconds: float
    embedding_seconds: float
    unknown: tuple[tuple[str, str], ...]


def forecast(store: Path, settings: Settings) -> Forecast:
    """Check a run's input and try its strategies; nothing is written but the vector cache.

    Raises:
        BadInput: something in the settings cannot be used.
    """
    strategies = named_strategies(settings.strategies)
    load_code(strategies)
    settings = checked_settings(settings, strategies)
    filters = Filters(settings.include, settings.exclude)
    named = [Path(file) for file in settings.questions]
    corpus = load_corpus(Path(settings.corpus), filters, apart=named)
    files = named or find_question_files(Path(settings.corpus), filters)
    questions, problems = check_files(files, corpus)
    judge = choose_judge(settings.judge, questions) if questions else settings.judge
    if questions:
        models = judge_models(judge, settings.judge_models)
        settings = replace(settings, judge=judge, judge_models=models)
    estimate = estimate_judging(
        settings, strategies, corpus.documents, questions, answers_path(store)
    )
    sample = sample_of(corpus)
    characters = sum(len(document.text) for document in corpus.documents)
    sampled = sum(len(document.text) for document in sample)
    trial = _try(store, settings, strategies, sample)
    scale = characters / sampled if sampled else 0.0
    configurations = len(strategies) * len(settings.experiments)
    return Forecast(
        documents=len(corpus.documents),
        characters=characters,
        questions=len(questions),
        answerable=sum(question.answerable for question in questions),
        problems=tuple(map(str, problems)),
        strategies=len(strategies),
        configurations=configurations,
        judge=judge,
        judging=estimate.say(settings) if estimate else "",
        sampled=sampled,
        chunks=round(trial.chunks * scale),
        chunking_seconds=trial.chunking_seconds * scale,
        embedding_seconds=trial.embedding_seconds * scale,
        unknown=tuple(trial.unknown.items()),
    )


def sample_of(corpus: Corpus) -> list[Document]:
    """The beginnings of a few documents from all over the corpus."""
    documents = [document for document in corpus.documents if document.text.strip()]
    step = max(len(documents) // SAMPLE_DOCUMENTS, 1)
    chosen = documents[step // 2 :: step][:SAMPLE_DOCUMENTS]
    most = SAMPLE_CHARACTERS // max(len(chosen), 1)
    return [replace(document, text=document.text[:most]) for document in chosen]


@dataclass(slots=True)
class _Trial:
    chunks: int
    chunking_seconds: float
    embedding_seconds: float
    unknown: dict[str, str]


def _try(
    store: Path,
    settings: Settings,
    strategies: Sequence[ConfiguredStrategy],
    sample: Sequence[Document],
) -> _Trial:
    """Chunk the sample with each strategy, and embed some of the chunks."""
    trial = _Trial(0, 0.0, 0.0, {})
    cache = VectorCache(cache_path(store))
    embed = None
    if any(configured.needs_vectors for configured in strategies):
        own = load_embedder(settings.chunker_model or choose_chunker_model())
        own.embed(["warm"])
        embed = CachedEmbedder(own, cache).embed_costed
    annotated = [AnnotatedDocument(document, embed) for document in sample]
    warm = Document("warm", sample[0].text[:_WARM] if sample else "")
    texts: list[str] = []
    begun = perf_counter()
    # The quick ones first, so that what is left untried is little.
    for configured in sorted(strategies, key=lambda strategy: strategy.needs_vectors):
        if configured.needs_language_model:
            trial.unknown[configured.label] = "asks a language model"
            continue
        if perf_counter() - begun > PATIENCE_SECONDS:
            trial.unknown[configured.label] = "not tried, to answer soon"
            continue
        try:
            configured.strategy.chunk(AnnotatedDocument(warm, embed))  # loads what it needs
            started = perf_counter()
            made = [configured.strategy.chunk(document) for document in annotated]
        except (BadInput, Unavailable) as error:
            trial.unknown[configured.label] = str(error)
            continue
        trial.chunking_seconds += perf_counter() - started
        for document, chunks in zip(annotated, made, strict=True):
            texts += [c.prefix + document.text[c.start : c.end] for c in chunks]
    trial.chunks = len(texts)
    for name in settings.models:
        trial.embedding_seconds += _embedding_seconds(load_embedder(name), texts)
    return trial


def _embedding_seconds(embedder: Embedder, texts: Sequence[str]) -> float:
    """Seconds for all the texts, from some of them, by length."""
    some = texts[:: max(len(texts) // _EMBEDDED, 1)][:_EMBEDDED]
    if not some:
        return 0.0
    embedder.embed(some[:1])  # loading and first use are no chunk's cost
    started = perf_counter()
    embedder.embed(some)
    return (perf_counter() - started) * sum(map(len, texts)) / max(sum(map(len, some)), 1)


def main(arguments: list[str]) -> int:
    """`STORE SETTINGS-AS-JSON`: prints the forecast as JSON; exit status 2 with a sentence."""
    try:
        made = forecast(Path(arguments[0]), settings_from(json.loads(arguments[1])))
    except (BadInput, Unavailable) as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(asdict(made)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
