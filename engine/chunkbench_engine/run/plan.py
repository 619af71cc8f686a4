"""Planning a run: everything is read and checked, then written in one transaction."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shlex
import sys
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from chunkbench_engine.chunkers.foreign import load_foreign
from chunkbench_engine.chunkers.imported import make_importable
from chunkbench_engine.chunkers.registry import PAPER
from chunkbench_engine.chunkers.source import foreign_code
from chunkbench_engine.chunkers.spec import parse_specs
from chunkbench_engine.documents import summary
from chunkbench_engine.documents.corpus import Corpus, find_question_files, load_corpus
from chunkbench_engine.documents.filters import Filters
from chunkbench_engine.documents.walk import QUESTIONS
from chunkbench_engine.embedders.registry import load_embedder, models
from chunkbench_engine.embedders.reranker import DEFAULT_RERANKER, find_reranker
from chunkbench_engine.errors import BadInput, Unavailable
from chunkbench_engine.index import hybrid, lexical
from chunkbench_engine.judges.choice import (
    EVIDENCE,
    PROXY,
    SUPPORT,
    choose_judge,
    judge_models,
    left_out,
)
from chunkbench_engine.language.address import server_url
from chunkbench_engine.questions.check import load_questions
from chunkbench_engine.run.context import answers_path
from chunkbench_engine.run.judging_estimate import estimate_judging
from chunkbench_engine.run.settings import DEFAULT_MODEL, RETRIEVALS, settings_from
from chunkbench_store.corpora import (
    EvidenceRow,
    NewDocument,
    QuestionRow,
    put_corpus,
    put_questions,
)
from chunkbench_store.database import StoreError, open_store
from chunkbench_store.runs import (
    STAGES,
    STAGES_WITHOUT_QUESTIONS,
    NewExperiment,
    NewStrategy,
    add_event,
    put_run,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_engine.chunkers.spec import ConfiguredStrategy
    from chunkbench_engine.questions.question import Question
    from chunkbench_engine.run.settings import Settings
    from chunkbench_store.database import Store

PREFERRED_CHUNKER_MODEL = "all-MiniLM-L6-v2"
"""As in the paper's code; the bundled static model where it is not installed."""

_NAMED = 3
"""Files that may be questions, named where none are found."""
_PACKAGES = (
    "bm25s",
    "chunkbench-tui",
    "markdownify",
    "model2vec",
    "numpy",
    "nupunkt",
    "ollama",
    "pypdf",
    "python-docx",
    "python-pptx",
    "qdrant-client",
    "qdrant-edge-py",
    "scipy",
    "sentence-transformers",
    "tiktoken",
    "torch",
    "transformers",
    "wordllama",
)


def plan_run(store: Store, settings: Settings) -> int:
    """Read and check everything a run needs, and write its plan; the id of the run.

    Raises:
        BadInput: something in the settings cannot be used.
    """
    strategies = named_strategies(settings.strategies)
    folder = load_code(strategies)
    settings = replace(checked_settings(settings, strategies), folder=folder)
    filters = Filters(settings.include, settings.exclude)
    named = [Path(file) for file in settings.questions]
    corpus = load_corpus(Path(settings.corpus), filters, apart=named)
    questions: Sequence[Question] = ()
    files: list[Path] = []
    by_default = not settings.judge
    if settings.diagnose:
        settings = replace(settings, judge=EVIDENCE, judge_models=())  # it is asked nothing
    else:
        files = named or find_question_files(Path(settings.corpus), filters)
        questions = _questions(settings, corpus, files)
        settings = _with_judge(settings, questions, files)
    rows = [_question_row(question) for question in questions]
    estimate = estimate_judging(
        settings, strategies, corpus.documents, questions, answers_path(store.path)
    )
    manifest = {
        **_manifest(settings, corpus, rows, strategies),
        "judging": estimate.as_dict() if estimate else None,
        "synthetic_questions": sum(question.synthetic for question in questions),
    }
    with store.write():
        corpus_row = put_corpus(
            store,
            str(corpus.root),
            corpus.name,
            corpus.sha256,
            [
                NewDocument(d.id, d.sha256, d.text, d.encoding, d.undecodable, d.note)
                for d in corpus.documents
            ],
            [(entry.path, entry.reason) for entry in corpus.skipped],
        )
        question_set = put_questions(
            store, corpus_row, manifest["questions"], [str(file) for file in files], rows
        )
        run = put_run(
            store,
            corpus_row,
            question_set,
            settings.as_dict(),
            manifest,
            [NewStrategy(s.label, s.abbr, s.family, s.parameters) for s in strategies],
            [NewExperiment(*experiment) for experiment in settings.experiments],
            STAGES_WITHOUT_QUESTIONS if settings.diagnose else STAGES,
        )
        for text in filter(None, (corpus.understood, manifest["documents"])):
            add_event(store, run, text)
        if estimate:
            add_event(store, run, estimate.say(settings))
        for text in _remarks(corpus, questions, settings.judge, by_default):
            add_event(store, run, text, "warning")
    return run


def _questions(settings: Settings, corpus: Corpus, files: Sequence[Path]) -> Sequence[Question]:
    """What is in the question files."""
    if not files:
        held = [entry.path for entry in corpus.skipped if entry.reason == QUESTIONS][:_NAMED]
        if held:
            raise BadInput(
                f"{settings.corpus} has no questions.jsonl, but {' and '.join(held)} there may be "
                "questions: name the file with -q FILE; or run it instead of the folder, if it is "
                "a published set that brings its documents"
            )
        raise BadInput(
            f"{settings.corpus} has no questions: build some in the app (8, or ctrl+g in New run), "
            "put a questions.jsonl into it, or name a file with -q FILE; or go without any: "
            f"chunkbench-tui diagnose {shlex.quote(settings.corpus)}, or the box Without questions "
            "of a new run"
        )
    return load_questions(files, corpus, skip_bad=settings.skip_bad_questions)


def _with_judge(
    settings: Settings, questions: Sequence[Question], files: Sequence[Path]
) -> Settings:
    """Choose the judge where none is named, and the models it asks."""
    try:
        judge = choose_judge(settings.judge, questions)
    except BadInput as error:
        raise BadInput(f"{', '.join(map(str, files))}: {error}") from error
    asked = judge_models(judge, settings.judge_models)
    return replace(settings, judge=judge, judge_models=asked)


def load_code(strategies: Sequence[ConfiguredStrategy]) -> str:
    """Import what the strategies name of other people's code; the folder it is looked for in.

    The folder is the working one, and "" where nothing of that kind is named: what lies there by
    chance is not to be taken for one of our own modules.
    """
    folder = os.getcwd()
    if foreign_code((configured.strategy for configured in strategies), folder):
        make_importable(folder)
    else:
        folder = ""
    load_foreign(configured.strategy for configured in strategies)
    return folder


def checked_settings(settings: Settings, strategies: Sequence[ConfiguredStrategy]) -> Settings:
    """The settings with what they leave open chosen; `BadInput` for what cannot be used."""
    settings = _with_retrieval(settings)
    settings = _with_models(settings, any(s.needs_vectors for s in strategies))
    return _with_servers(settings)


def named_strategies(specs: Sequence[str]) -> list[ConfiguredStrategy]:
    """Every strategy that the specs name, once each."""
    strategies = {s.label: s for spec in specs or PAPER for s in parse_specs(spec)}
    return list(strategies.values())


def _with_retrieval(settings: Settings) -> Settings:
    """Check the ways of retrieving, and choose the reranker where none is named."""
    for name in settings.retrieval:
        if name not in RETRIEVALS:
            raise BadInput(f"--retrieval {name} is none of {', '.join(RETRIEVALS)}")
    if not settings.retrieval:
        raise BadInput("no retrieval is named: give one with --retrieval")
    settings = replace(settings, retrieval=tuple(dict.fromkeys(settings.retrieval)))
    if "rerank" not in settings.retrieval:
        if settings.reranker:
            raise BadInput("--reranker is of use only with --retrieval rerank: add that")
        return settings
    settings = replace(settings, reranker=settings.reranker or DEFAULT_RERANKER)
    try:
        find_reranker(settings.reranker)
    except Unavailable as error:
        raise BadInput(str(error)) from error
    return settings


def _with_models(settings: Settings, chunker_model_needed: bool) -> Settings:
    """Check the models' names, and choose the chunkers' own; words alone need no model."""
    if settings.retrieval == ("lexical",):
        settings = replace(settings, models=())
    elif not settings.models:
        raise BadInput("no embedding model is named: give one with --model")
    elif len(set(settings.models)) < len(settings.models):
        raise BadInput("an embedding model is named twice with --model: name each once")
    ready = _ready_models()
    chunker_model = settings.chunker_model or choose_chunker_model()
    wanted = [*settings.models, *([chunker_model] if chunker_model_needed else [])]
    for name in dict.fromkeys(wanted):
        if name not in ready:
            try:
                load_embedder(name)
            except Unavailable as error:
                raise BadInput(str(error)) from error
    return replace(settings, chunker_model=chunker_model)


def _with_servers(settings: Settings) -> Settings:
    """The Ollama servers as URLs; whether they answer is seen when a strategy's turn comes."""
    if not settings.ollama or not settings.language_model:
        raise BadInput("no language model is named: leave --ollama and --language-model out")
    urls = dict.fromkeys(server_url(address) for address in settings.ollama)
    return replace(settings, ollama=tuple(urls))


def choose_chunker_model() -> str:
    """The embedding model inside semantic strategies, where none is named."""
    return PREFERRED_CHUNKER_MODEL if PREFERRED_CHUNKER_MODEL in _ready_models() else DEFAULT_MODEL


def _ready_models() -> set[str]:
    return {model.name for model in models() if model.state == "ready"}


def _question_row(question: Question) -> QuestionRow:
    evidence = tuple(
        EvidenceRow(slot, alternative, passage.document, passage.start, passage.end)
        for slot, passages in enumerate(question.evidence)
        for alternative, passage in enumerate(passages)
    )
    return QuestionRow(
        0,
        question.id,
        question.text,
        question.category,
        question.split,
        question.answers,
        evidence,
    )


def _manifest(
    settings: Settings,
    corpus: Corpus,
    questions: Sequence[QuestionRow],
    strategies: Sequence[ConfiguredStrategy],
) -> dict[str, Any]:
    """What another run must share to be comparable, and what made this one."""
    return {
        "corpus": corpus.sha256,
        "documents": summary.summarise(corpus),
        "understood": corpus.understood,
        "questions": hashlib.sha256(repr(list(questions)).encode()).hexdigest(),
        "strategies": {s.label: s.parameters for s in strategies},
        "code": {
            code.target: code.digest
            for code in foreign_code((s.strategy for s in strategies), settings.folder)
            if code.digest
        },
        "tokenizer": "cl100k_base",
        "chunker_model": settings.chunker_model,
        "language_model": settings.language_model
        if any(s.needs_language_model for s in strategies)
        else "",
        "models": {},  # ids with the weights' hashes, put in when they are loaded
        # of the language models, their digests are put in when they are asked
        "judge": " ".join([settings.judge, *settings.judge_models]),
        "retrieval": {
            "kinds": list(settings.retrieval),
            "distance": "cosine",
            "exact": True,
            "k": 0 if settings.budget else settings.k,
            "budget": settings.budget,
            "index": f"qdrant server {settings.qdrant}" if settings.qdrant else "qdrant embedded",
            "lexical": lexical.DESCRIPTION,
            "fusion": f"reciprocal ranks + {hybrid.RANK_CONSTANT}, depth {hybrid.DEPTH}",
            "reranker": settings.reranker,
        },
        "latency": {"repeat": settings.repeat, "concurrency": settings.concurrency},
        "seed": settings.seed,
        "packages": {name: version for name in _PACKAGES if (version := _version(name))},
        "machine": {
            "system": platform.platform(),
            "processor": platform.machine(),
            "cores": psutil.cpu_count(),
            "memory": psutil.virtual_memory().total,
            "python": platform.python_version(),
        },
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _remarks(
    corpus: Corpus, questions: Sequence[Question], judge: str, by_default: bool
) -> list[str]:
    """What a person should know before believing the numbers."""
    remarks = []
    if judge == SUPPORT:
        why = "no question has evidence, so " if by_default else ""
        remarks.append(f"{why}hits are graded {PROXY}; --judge ollama asks a language model")
    if missing := left_out(judge, questions):
        remarks.append(missing)
    answerable = sum(1 for question in questions if question.answerable)
    if 0 < answerable < 30:
        remarks.append(
            f"{answerable} answerable questions are few: one of them is {100 / answerable:.1f} "
            "points of a share; 30 or more are advised"
        )
    if synthetic := sum(question.synthetic for question in questions):
        remarks.append(
            f"{synthetic} of {len(questions)} questions were proposed by a language model"
        )
    return remarks + summary.remarks(corpus)


def main(arguments: list[str]) -> int:
    """`STORE SETTINGS-AS-JSON`: prints the id of the run; exit status 2 with a sentence."""
    try:
        with open_store(Path(arguments[0])) as store:
            print(plan_run(store, settings_from(json.loads(arguments[1]))))
    except (BadInput, Unavailable, StoreError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
