"""A store as a run leaves it, filled through the store's own typed writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.run.settings import Settings
from chunkbench_store.corpora import NewDocument, QuestionRow, put_corpus, put_questions
from chunkbench_store.database import Store, open_store
from chunkbench_store.results import (
    ChunkRow,
    IndexCost,
    MeasureRow,
    Metering,
    put_chunk_unit,
    put_measures,
    put_samples,
    set_chunk_set_state,
    set_config_progress,
    set_config_state,
    set_index_cost,
)
from chunkbench_store.runs import (
    NewModel,
    NewStrategy,
    add_event,
    add_stage_seconds,
    beat,
    put_run,
    set_run_state,
    set_stage,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

MOMENT = "2026-03-01T12:00:00.000+00:00"
MEGABYTE = 1_000_000


@dataclass
class Bench:
    """A store on disk and a second connection that plays the engine."""

    path: Path
    engine: Store
    configs: dict[tuple[str, str], int] = field(default_factory=dict)
    chunk_sets: dict[str, int] = field(default_factory=dict)

    def new_run(
        self, labels: Sequence[str], models: Sequence[str] = ("wordllama-256",), name: str = "notes"
    ) -> int:
        """The plan of a run over two small documents and three questions."""
        documents = [
            NewDocument(f"{n}.md", f"hash-{n}", f"Text {n}.", "utf-8", 0, "") for n in "ab"
        ]
        questions = [
            QuestionRow(0, f"q{n}", f"Question {n}?", "direct", "test", (), ()) for n in range(3)
        ]
        store = self.engine
        with store.write():
            corpus = put_corpus(store, f"/corpora/{name}", name, f"sha-{name}", documents, [])
            question_set = put_questions(store, corpus, "sha-q", ["questions.jsonl"], questions)
            strategies = [NewStrategy(label, label, "fixed", {}) for label in labels]
            run = put_run(
                store,
                corpus,
                question_set,
                Settings(f"/corpora/{name}", models=tuple(models)).as_dict(),
                {},
                strategies,
                [NewModel(model) for model in models],
            )
        for row in store.rows(
            "SELECT config.id, chunk_set, label, model FROM config"
            " JOIN chunk_set ON chunk_set.id = config.chunk_set WHERE config.run = ?",
            (run,),
        ):
            self.configs[row["label"], row["model"]] = row["id"]
            self.chunk_sets[row["label"]] = row["chunk_set"]
        return run

    def begin(self, run: int) -> None:
        with self.engine.write():
            set_run_state(self.engine, run, "running")
            beat(self.engine, run, 4242, 312 * MEGABYTE, 12.0)

    def end(self, run: int, state: str = "finished", reason: str = "") -> None:
        with self.engine.write():
            set_run_state(self.engine, run, state, reason)

    def stages(self, run: int, *parts: tuple[str, float, float, float]) -> None:
        with self.engine.write():
            for name, done, total, seconds in parts:
                set_stage(self.engine, run, name, done, total)
                add_stage_seconds(self.engine, run, name, seconds)

    def chunked(
        self, label: str, chunks: int, seconds: float, peak: float, digest: str | None = None
    ) -> None:
        """A strategy that has chunked its documents."""
        chunk_set = self.chunk_sets[label]
        documents = [
            row[0]
            for row in self.engine.rows(
                "SELECT document.id FROM document JOIN run ON run.corpus = document.corpus"
                " JOIN chunk_set ON chunk_set.run = run.id WHERE chunk_set.id = ?",
                (chunk_set,),
            )
        ]
        rows = [ChunkRow(n, documents[0], n, n + 1, None, None, "", 1, 1) for n in range(chunks)]
        size = int(peak * MEGABYTE)
        with self.engine.write():
            put_chunk_unit(
                self.engine,
                chunk_set,
                documents[0],
                rows,
                Metering(
                    own_seconds=seconds * 0.75,
                    charged_seconds=seconds * 0.25,
                    paid_seconds=seconds * 0.75,
                    base_rss=0,
                    peak_rss=size,
                    kernel_peak_rss=size,
                    diagnostics={},
                ),
            )
            put_samples(
                self.engine,
                chunk_set,
                [(seconds * n / 40, int(size * min(n, 60 - n) / 30)) for n in range(41)],
            )
            set_chunk_set_state(self.engine, chunk_set, "done", digest=digest or f"digest {label}")

    def measured(
        self,
        label: str,
        ndcg: float,
        hit: float = 0.5,
        latency: float = 0.002,
        model: str = "wordllama-256",
        *,
        provisional: bool = False,
    ) -> None:
        """A configuration with all its measures."""
        config = self.configs[label, model]
        rows = [
            MeasureRow("nDCG@5", ndcg, ndcg - 0.06, ndcg + 0.05),
            MeasureRow("Hit@5", hit),
            MeasureRow("MRR@5", hit * 0.8),
            MeasureRow("P@1", hit * 0.7),
            MeasureRow("Recall@1", hit * 0.6),
            MeasureRow("Recall@3", hit * 0.75),
            MeasureRow("Recall@5", hit * 0.9),
            MeasureRow("Ceiling", 0.9),
            MeasureRow("Latency-median", latency),
            MeasureRow("ChunkTokens-mean", 84.0),
        ]
        with self.engine.write():
            put_measures(self.engine, config, rows, provisional=provisional)
            set_index_cost(self.engine, config, IndexCost(0.4, 0.1, 3 * MEGABYTE, 0), "")
            set_config_state(self.engine, config, "finished")

    def embedding(self, label: str, done: int, total: int, model: str = "wordllama-256") -> None:
        with self.engine.write():
            set_config_state(self.engine, self.configs[label, model], "embedding")
            set_config_progress(self.engine, self.configs[label, model], done, total)

    def failed(self, label: str, state: str, reason: str) -> None:
        with self.engine.write():
            set_chunk_set_state(self.engine, self.chunk_sets[label], state, reason)

    def say(self, run: int, text: str, level: str = "info") -> None:
        with self.engine.write():
            add_event(self.engine, run, text, level)

    def demo(self) -> int:
        """A run in the middle of its work, with a row in each kind of state."""
        labels = [
            "FC", "OFC", "RC", "SBC", "SGC", "PGC", "HRC", "PCC", "DFC", "SEBC",
            "RC(chunk_size=800, overlap=80)", "LBDC", "TBC", "LCSI", "CSC",
        ]  # fmt: skip
        run = self.new_run(labels)
        self.begin(run)
        for place, label in enumerate(labels[:8]):
            digest = "equal" if label in ("PGC", "HRC") else None
            self.chunked(label, 20 + 10 * place, 0.2 + place * 0.4, 8 + 7 * place, digest)
            self.measured(
                label,
                0.48 + (place * 37 % 11) / 40,
                0.5 + (place * 5 % 7) / 20,
                0.001 + place / 2500,
                provisional=True,
            )
        self.chunked("DFC", 64, 0.9, 12)
        self.embedding("DFC", 32, 64)
        self.chunked("RC(chunk_size=800, overlap=80)", 15, 0.3, 9)
        with self.engine.write():
            set_chunk_set_state(self.engine, self.chunk_sets["SEBC"], "running")
        self.failed("LBDC", "unavailable", "no Ollama server answers: start one with ollama serve")
        self.failed("TBC", "failed", "b.md took longer than 600 s")
        self.stages(
            run,
            ("chunk", 22, 30, 41.0),
            ("embed", 8.5, 15, 9.0),
            ("retrieve", 8, 15, 4.0),
            ("judge", 8, 15, 1.5),
        )
        self.say(run, "RC: 40 chunks in 1.0 s")
        self.say(run, "TBC failed on b.md: longer than 600 s", "error")
        self.say(run, "a.md: 3 bytes are no valid utf-8", "warning")
        return run


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with open_store(tmp_path / "bench.db") as store:
        yield Bench(tmp_path / "bench.db", store)


@pytest.fixture
def fixed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every stored moment is noon, and every heartbeat has just been."""
    monkeypatch.setenv("TZ", "UTC")
    for module in ("runs", "results", "database"):
        monkeypatch.setattr(f"chunkbench_store.{module}.now", lambda: MOMENT)
    for module in ("runs", "live"):
        monkeypatch.setattr(f"chunkbench_store.{module}.seconds_since", lambda _: 0.5)
