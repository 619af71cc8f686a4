"""A store as a run leaves it, filled through the store's own typed writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.run.settings import Settings
from chunkbench_store.corpora import (
    EvidenceRow,
    NewDocument,
    QuestionRow,
    put_corpus,
    put_questions,
)
from chunkbench_store.database import Store, open_store
from chunkbench_store.results import (
    ChunkRow,
    HitRow,
    IndexCost,
    JudgementRow,
    MeasureRow,
    Metering,
    put_chunk_unit,
    put_hits,
    put_judgements,
    put_measures,
    put_samples,
    put_scores,
    set_chunk_set_state,
    set_config_progress,
    set_config_state,
    set_index_cost,
)
from chunkbench_store.runs import (
    NewExperiment,
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
                [NewExperiment(model) for model in models],
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


HOSTILE = (
    "[/] [bold]not markup[/bold] {curly}\n"
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 bell \x00 nul \x9b2J\n"
    "tab\tone\t\ttwo\n"
    "漢字仮名交じり文 한국어 ｆｕｌｌ\n"
    "👨‍👩‍👧 ❤️ 👍🏽 🇩🇪 e\u0301 \u0301alone\n"
    "שלום עולם مرحبا \u202eoverride\u202c\r\n"
    "line\u2028separator \ufeffmark a\u200db\n"
)
GUIDE = "".join(
    f"## Part {part}\n\nSentence {part} says where the answer to question {part} stands. "
    f"It goes on for a while, so that a chunk of a hundred characters cuts it.\n\n"
    for part in range(60)
)


def _cut(text: str, size: int, step: int) -> list[tuple[int, int]]:
    """Spans of so many characters, one every `step`."""
    return [(start, min(start + size, len(text))) for start in range(0, len(text), step)]


@dataclass
class Study:
    """A finished run with chunks, hits and grades over a long and a hostile document.

    `FC` cuts every 100 characters, `OFC` the same with 30 in common; `SBC` has not begun, `TBC`
    has failed. Question 1 asks for two passages, 2 has no answer, 3 is missed by both.
    """

    bench: Bench
    run: int
    documents: dict[str, int]
    questions: dict[str, int]


@pytest.fixture
def study(bench: Bench) -> Study:
    store = bench.engine
    labels = ["FC", "OFC", "SBC", "TBC"]
    texts = {"guide.md": GUIDE, "hostile [/].md": HOSTILE}

    def evidence(slot: int, alternative: int, part: int) -> EvidenceRow:
        start = GUIDE.index(f"Sentence {part} says")
        return EvidenceRow(slot, alternative, "guide.md", start, GUIDE.index("stands.", start) + 7)

    asked = [
        ("q0", "Where does the answer stand?", "direct", (evidence(0, 0, 1), evidence(0, 1, 2))),
        (
            "q1",
            "Which two [/b] \x1b[1m parts?",
            "multi-part",
            (evidence(0, 0, 7), evidence(1, 0, 9)),
        ),
        ("q2", "What does nobody say?", "unanswerable", ()),
        ("q3", "What is said at the end?", "direct", (evidence(0, 0, 59),)),
    ]
    with store.write():
        corpus = put_corpus(
            store,
            "/corpora/study",
            "study",
            "sha-study",
            [NewDocument(n, f"hash-{n}", text, "utf-8", 0, "") for n, text in texts.items()],
            [],
        )
        question_set = put_questions(
            store,
            corpus,
            "sha-q",
            ["questions.jsonl"],
            [QuestionRow(0, k, t, c, "test", ("yes",) if e else (), e) for k, t, c, e in asked],
        )
        run = put_run(
            store,
            corpus,
            question_set,
            Settings("/corpora/study", models=("wordllama-256",)).as_dict(),
            {"judge": "evidence"},
            [NewStrategy(label, label, "fixed", {}) for label in labels],
            [NewExperiment("wordllama-256")],
        )
    for row in store.rows(
        "SELECT config.id, chunk_set, label FROM config"
        " JOIN chunk_set ON chunk_set.id = config.chunk_set WHERE config.run = ?",
        (run,),
    ):
        bench.configs[row["label"], "wordllama-256"] = row["id"]
        bench.chunk_sets[row["label"]] = row["chunk_set"]
    documents = {row[1]: row[0] for row in store.rows("SELECT id, name FROM document")}
    questions = {row[1]: row[0] for row in store.rows("SELECT id, key FROM question")}
    bench.begin(run)
    for label, step, ndcg in (("FC", 100, 0.4), ("OFC", 70, 0.6)):
        config, chunk_set = bench.configs[label, "wordllama-256"], bench.chunk_sets[label]
        ordinal = 0
        for name, text in texts.items():
            spans = _cut(text, 100, step)
            rows = [
                ChunkRow(ordinal + n, documents[name], *span, None, None, "", 20 + n % 9, 20)
                for n, span in enumerate(spans)
            ]
            ordinal += len(rows)
            counts = {
                "chunks": len(rows), "begin_inside": len(rows) - 1, "end_inside": len(rows) // 2,
                "inside": len(rows) - 1, "tables": 2, "tables_cut": 1, "fences": 0,
                "fences_cut": 0, "headings_left": 3,
            }  # fmt: skip
            size = 3 * MEGABYTE
            with store.write():
                put_chunk_unit(
                    store,
                    chunk_set,
                    documents[name],
                    rows,
                    Metering(0.2, 0.1, 0.2, 0, size, size, counts),
                )
        with store.write():
            put_samples(store, chunk_set, [(n / 100, n * 50_000) for n in range(40)])
            set_chunk_set_state(store, chunk_set, "done", digest=label)
            for key, question in questions.items():
                spans = _cut(GUIDE, 100, step)[1:6]
                hits = [
                    HitRow(question, rank, documents["guide.md"], *span, *span, 20, 0.9 - rank / 10)
                    for rank, span in enumerate(spans, 1)
                ]
                put_hits(store, config, question, hits)
                put_judgements(
                    store,
                    "evidence",
                    [
                        JudgementRow(
                            question,
                            hit.document,
                            hit.start,
                            hit.end,
                            2 if key in ("q0", "q1") and hit.rank == 2 else 0,
                            "holds [/it] \x1b[0m" if hit.rank == 2 else "no evidence in it",
                        )
                        for hit in hits[:4]
                    ],
                )
            answerable = {"q0": ndcg, "q1": ndcg / 2, "q3": 0.0}
            put_scores(store, config, "nDCG@5", {questions[k]: v for k, v in answerable.items()})
            put_scores(
                store,
                config,
                "Hit@5",
                {questions[k]: float(v > 0) for k, v in answerable.items()},
            )
        bench.measured(label, ndcg)
    bench.failed("TBC", "failed", "guide.md took longer than 600 s")
    return Study(bench, run, documents, questions)


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
