"""What a person decides about a run."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from chunkbench_engine.language.address import DEFAULT_LANGUAGE_MODEL, DEFAULT_URLS
from chunkbench_store.cutoff import cutoff_name

DEFAULT_MODEL = "wordllama-256"
DEFAULT_K = 5
RETRIEVALS = ("dense", "lexical", "hybrid", "rerank")
"""By vectors; by words; both lists fused; the first of the dense list through a cross-encoder."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a run, as stored with it.

    Attributes:
        corpus: folder or file of documents.
        questions: question files; empty for those found in the corpus folder.
        include: patterns, as in `.gitignore`, of the only files that are documents; empty for all.
        exclude: patterns of files that are not.
        strategies: specs, as `RC(chunk_size=400)`; empty for the paper's.
        models: embedding models for retrieval.
        chunker_model: the embedding model inside semantic strategies; "" for the best installed.
        retrieval: of `RETRIEVALS`, those to run, each an experiment of its own.
        reranker: the cross-encoder of `rerank`; "" for a small one of the hub.
        k: number of passages retrieved for a question.
        budget: context tokens that end a ranked list instead of k (see `budget.py`); 0 for k.
        repeat: timed passes over all questions.
        concurrency: queries under way at a time while they are timed.
        cold: also run each strategy's chunking alone, sharing nothing, to check its charge.
        pool: `published`, or `distinct` to count each passage once in the ideal of nDCG.
        skip_bad_questions: go on without the rows of a question file that fail their checks.
        qdrant: URL of a Qdrant server; "" for the embedded engine.
        ollama: URLs of the Ollama servers that are asked in turn.
        language_model: the model asked there, by strategies that need one; by default Llama 3.2
            with 3 billion parameters, which is small and often there.
        judge: of `JUDGES`; "" for evidence where the questions have any, else support.
        judge_models: language models that the judges ollama and panel ask.
        seed: of the bootstrap.
        document_seconds: longest a strategy may take over one document; it begins again with
            each answer of a model.
        folder: where modules of one's own chunkers are looked for: where the run was planned; ""
            if it has none.
        diagnose: without questions: chunk, embed and index, and say what ails the chunks.
    """

    corpus: str
    questions: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    models: tuple[str, ...] = (DEFAULT_MODEL,)
    chunker_model: str = ""
    retrieval: tuple[str, ...] = ("dense",)
    reranker: str = ""
    k: int = DEFAULT_K
    budget: int = 0
    repeat: int = 3
    concurrency: int = 1
    cold: bool = False
    pool: Literal["published", "distinct"] = "published"
    skip_bad_questions: bool = False
    qdrant: str = ""
    ollama: tuple[str, ...] = DEFAULT_URLS
    language_model: str = DEFAULT_LANGUAGE_MODEL
    judge: str = ""
    judge_models: tuple[str, ...] = ()
    seed: int = 0
    document_seconds: float = 600.0
    folder: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    diagnose: bool = False

    @property
    def experiments(self) -> list[tuple[str, str]]:
        """(model, retrieval) of every experiment; `lexical` has no model, and so is only one."""
        return [
            (model, retrieval)
            for retrieval in self.retrieval
            for model in (("",) if retrieval == "lexical" else self.models)
        ]

    @property
    def cutoff(self) -> str:
        """What stands behind the `@` of the measures' names: `5`, or `2000t` with a budget."""
        return cutoff_name(self.k, self.budget)

    def as_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def settings_from(values: dict[str, Any]) -> Settings:
    """The settings as they were stored."""
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }
    return Settings(**fields)
