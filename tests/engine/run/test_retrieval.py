"""Each way of retrieving is an experiment of its own within a run."""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.errors import BadInput
from chunkbench_engine.index.hybrid import DEPTH, fuse
from chunkbench_engine.index.lexical import LexicalBuilder
from chunkbench_engine.run.plan import plan_run
from chunkbench_engine.run.settings import Settings
from chunkbench_store.database import open_store
from chunkbench_store.live import live_run
from chunkbench_store.results import chunks_of, hits_of

from ...cross_encoder import save_cross_encoder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkbench_store.database import Store
    from chunkbench_store.live import BoardRow, LiveRun

BIOLOGY = Path(__file__).parents[3] / "sample_corpus" / "biology"
STRATEGIES = ("FC", "RC", "LCSI")
MODELS = ("wordllama-256", "wordllama-64")
RETRIEVAL = ("dense", "lexical", "hybrid")
EXPERIMENTS = (*MODELS, "lexical", *(f"{model} + lexical" for model in MODELS))
SECONDS = 120


def carry_out(path: Path, corpus: Path = BIOLOGY, **settings: object) -> None:
    with open_store(path) as store:
        plan = Settings(str(corpus), strategies=STRATEGIES, repeat=1, **settings)  # type: ignore[arg-type]
        run = plan_run(store, plan)
        work = [sys.executable, "-m", "chunkbench_engine.run.worker", str(path), str(run)]
        assert subprocess.run(work, timeout=SECONDS, check=False).returncode == 0


def live(store: Store) -> LiveRun:
    found = live_run(store, 1)
    assert found is not None
    return found


def texts_of(store: Store) -> dict[int, str]:
    query = "SELECT document.id, text FROM document JOIN document_text USING (sha256)"
    return {row[0]: row[1] for row in store.rows(query)}


def rows_of(store: Store, experiment: str) -> dict[str, BoardRow]:
    return {row.label: row for row in live(store).board if row.experiment == experiment}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path = tmp_path_factory.mktemp("retrieval") / "store.db"
    carry_out(path, models=MODELS, retrieval=RETRIEVAL)
    with open_store(path) as store:
        yield store


def test_every_strategy_is_run_under_every_experiment_once(finished: Store) -> None:
    assert live(finished).summary.state == "finished"
    assert live(finished).experiments == EXPERIMENTS
    for experiment in EXPERIMENTS:
        assert tuple(rows_of(finished, experiment)) == STRATEGIES
    lexical = rows_of(finished, "lexical")
    assert {row.model for row in lexical.values()} == {""}, "one, however many models there are"
    assert {row.retrieval for row in live(finished).board} == set(RETRIEVAL)


def test_pools_are_of_one_experiment_each(finished: Store) -> None:
    """The protocol's formula once more, over the lists of one experiment only."""
    grades: dict[tuple[str, str, str, int], list[int]] = {}
    for model, retrieval, label, question, grade in finished.rows(
        "SELECT model, retrieval, label, hit.question, grade FROM hit"
        " JOIN judgement j ON j.question = hit.question AND j.document = hit.document"
        ' AND j.start = judged_start AND j."end" = judged_end'
        " JOIN config ON config.id = hit.config JOIN chunk_set ON chunk_set.id = chunk_set"
        " ORDER BY config.id, hit.question, rank"
    ):
        grades.setdefault((model, retrieval, label, question), []).append(grade)
    questions = sorted({key[3] for key in grades})

    def dcg(gains: Sequence[int]) -> float:
        return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))

    values = set()
    for row in live(finished).board:
        total = 0.0
        for question in questions:
            lists = [
                grades.get((row.model, row.retrieval, label, question), []) for label in STRATEGIES
            ]
            ideal = dcg(sorted((g for gains in lists for g in gains), reverse=True)[:5])
            own = grades.get((row.model, row.retrieval, row.label, question), [])
            total += dcg(own) / ideal if ideal else 0.0
        assert row.value("nDCG@5") == pytest.approx(total / len(questions), abs=1e-12)
        values.add(round(total, 6))
    assert len(values) > len(STRATEGIES), "the experiments differ"


def test_each_experiment_has_its_verdict(finished: Store) -> None:
    verdicts = live(finished).verdicts
    assert tuple(verdict.experiment for verdict in verdicts) == EXPERIMENTS
    for verdict in verdicts:
        board = rows_of(finished, verdict.experiment).values()
        best = max(board, key=lambda row: row.value("nDCG@5") or 0.0)
        assert verdict.content["leader"] == best.label
        assert sum(row.p_leader is None for row in board) == 1
        assert sum(row.selection or 0.0 for row in board) == pytest.approx(1)


@pytest.mark.parametrize("label", ["FC", "RC"])
def test_hybrid_hits_are_the_fused_lists_of_the_other_two(label: str, finished: Store) -> None:
    """With indexes made here, of the stored chunks."""
    import numpy as np

    from chunkbench_engine.embedders.registry import load_embedder

    row = rows_of(finished, "wordllama-256 + lexical")[label]
    texts = texts_of(finished)
    chunks = chunks_of(finished, row.chunk_set)
    pieces = [texts[chunk.document][chunk.start : chunk.end] for chunk in chunks]
    builder = LexicalBuilder()
    builder.add(pieces)
    words = builder.write(Path(str(finished.path)).parent / f"words-{label}")
    embedder = load_embedder("wordllama-256")
    vectors = embedder.embed(pieces)
    stored = {
        name: hits_of(finished, rows_of(finished, name)[label].config)
        for name in ("wordllama-256", "lexical", "wordllama-256 + lexical")
    }
    for key, text in finished.rows("SELECT id, text FROM question"):
        cosines = np.round(vectors @ embedder.embed([text])[0], 6)
        order = np.argsort(-cosines, kind="stable")[:DEPTH]
        dense = [(int(ordinal), float(cosines[ordinal])) for ordinal in order]
        lexical = words.search(text, DEPTH)
        lists = (dense, lexical, fuse([dense, lexical]))
        for name, expected in zip(stored, lists, strict=True):
            found = [(hit.document, hit.start, hit.score) for hit in stored[name].get(key, [])]
            assert found == [
                (chunks[o].document, chunks[o].start, pytest.approx(score, abs=2e-6))
                for o, score in expected[:5]
            ], f"{name}: {text}"


def test_a_late_strategys_passages_are_made_of_the_units_that_were_found(finished: Store) -> None:
    for experiment in ("lexical", "wordllama-64 + lexical"):
        row = rows_of(finished, experiment)["LCSI"]
        units = {(u.document, u.start): u.end for u in chunks_of(finished, row.chunk_set)}
        merged = 0
        for hits in hits_of(finished, row.config).values():
            assert [hit.score for hit in hits] == sorted((h.score for h in hits), reverse=True)
            for hit in hits:
                assert (hit.document, hit.start) in units
                merged += hit.end != units[hit.document, hit.start]
        assert merged, "neighbouring units became one passage"


def test_words_need_no_embedding(finished: Store) -> None:
    for row in rows_of(finished, "lexical").values():
        assert row.embed_seconds == 0
        assert row.index_bytes > 0
        assert row.value("Search-median") == row.value("Latency-median")
        assert (row.value("Search-median") or 0) > 0
    for label, row in rows_of(finished, "wordllama-256 + lexical").items():
        parts = [rows_of(finished, name)[label] for name in ("wordllama-256", "lexical")]
        assert row.index_bytes == sum(part.index_bytes for part in parts)
        assert (row.value("Latency-median") or 0) > (row.value("Search-median") or 0)
        assert row.embed_seconds > 0


def test_nothing_is_left_of_the_indexes(finished: Store) -> None:
    folder = finished.path.parent / f"{finished.path.stem}-indexes"
    assert not list(folder.rglob("*lexical*"))


def test_lexical_alone_needs_no_model_and_repeats_exactly(finished: Store, tmp_path: Path) -> None:
    carry_out(tmp_path / "store.db", models=("no-such-model",), retrieval=("lexical",))
    with open_store(tmp_path / "store.db") as store:
        assert live(store).experiments == ("lexical",)
        assert live(store).summary.models == ()
        for label, row in rows_of(store, "lexical").items():
            before = rows_of(finished, "lexical")[label]
            assert hits_of(store, row.config) == hits_of(finished, before.config)
            assert row.measures["nDCG@5"] == before.measures["nDCG@5"]
            assert (row.selection, row.p_leader) == (before.selection, before.p_leader)


def test_a_question_that_shares_no_word_with_a_chunk_has_no_hit(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.md").write_text("Cats purr.\n\nThey eat fish.\n")
    passage = '"evidence": [{"document": "a.md", "text": "They eat fish."}]'
    (corpus / "questions.jsonl").write_text(
        f'{{"id": "known", "question": "Who will eat?", {passage}}}\n'
        f'{{"id": "strange", "question": "Wovon leben Katzen?", {passage}}}\n'
        '{"id": "none", "question": "Warum?", "category": "unanswerable"}\n'
    )
    with open_store(tmp_path / "store.db") as store:
        run = plan_run(
            store, Settings(str(corpus), strategies=("PGC",), retrieval=("lexical",), repeat=1)
        )
        work = [sys.executable, "-m", "chunkbench_engine.run.worker", str(store.path), str(run)]
        assert subprocess.run(work, timeout=SECONDS, check=False).returncode == 0
        (row,) = live(store).board
        assert (row.state, row.value("nDCG@5"), row.value("Hit@5")) == ("finished", 0.5, 0.5)
        assert row.value("AUC") == 0.75, "without a hit the top score is 0, as where no word fits"
        assert store.value("SELECT count(*) FROM retrieval") == 3


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"retrieval": ("sparse",)}, "--retrieval sparse is none of dense, lexical"),
        ({"retrieval": ()}, "no retrieval is named"),
        ({"reranker": "x/y"}, "--reranker is of use only with --retrieval rerank"),
    ],
)
def test_what_cannot_be_run_is_said(settings: dict[str, object], said: str, tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store, pytest.raises(BadInput, match=said):
        plan_run(store, Settings(str(BIOLOGY), **settings))  # type: ignore[arg-type]


def test_a_retrieval_named_twice_is_run_once(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        plan_run(store, Settings(str(BIOLOGY), strategies=("FC",), retrieval=("lexical",) * 2))
        assert store.value("SELECT count(*) FROM config") == 1


@pytest.mark.transformers
def test_reranked_hits_have_the_rerankers_scores(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    from chunkbench_engine.embedders.reranker import load_reranker

    folder = save_cross_encoder(tmp_path / "tiny")
    corpus = tmp_path / "biology"
    shutil.copytree(BIOLOGY, corpus)
    rows = (corpus / "questions.jsonl").read_text().splitlines()
    (corpus / "questions.jsonl").write_text("\n".join(rows[:4]) + "\n")
    carry_out(tmp_path / "store.db", corpus, retrieval=("rerank",), reranker=str(folder))
    model = load_reranker(str(folder))
    with open_store(tmp_path / "store.db") as store:
        assert live(store).experiments == ("wordllama-256, reranked",)
        board = rows_of(store, "wordllama-256, reranked")
        assert tuple(board) == STRATEGIES
        texts = texts_of(store)
        questions = dict(map(tuple, store.rows("SELECT id, text FROM question")))
        for label, row in board.items():
            assert row.state == "finished"
            hits = hits_of(store, row.config)
            assert len(hits) == len(questions)
            for question, ranked in hits.items():
                assert [hit.score for hit in ranked] == sorted(
                    (h.score for h in ranked), reverse=True
                )
                if label == "LCSI":
                    continue  # a passage has the score of one of its units
                for hit in ranked:
                    piece = texts[hit.document][hit.start : hit.end]
                    score = model.score(questions[question], [piece])[0]
                    assert hit.score == pytest.approx(score, abs=1e-4)


@pytest.mark.transformers
def test_a_reranker_that_has_gone_makes_its_experiment_unavailable(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    folder = tmp_path / "tiny"
    folder.mkdir()
    described = '{"architectures": ["BertForSequenceClassification"], "id2label": {"0": "good"}}'
    (folder / "config.json").write_text(described)
    path = tmp_path / "store.db"
    with open_store(path) as store:
        settings = Settings(
            str(BIOLOGY),
            strategies=("FC",),
            retrieval=("dense", "rerank"),
            reranker=str(folder),
            repeat=1,
        )
        run = plan_run(store, settings)
        shutil.rmtree(folder)
        work = [sys.executable, "-m", "chunkbench_engine.run.worker", str(path), str(run)]
        assert subprocess.run(work, timeout=SECONDS, check=False).returncode == 0
        states = {row.experiment: (row.state, row.reason) for row in live(store).board}
        assert states["wordllama-256"] == ("finished", "")
        state, reason = states["wordllama-256, reranked"]
        assert state == "unavailable"
        assert f"There is no folder '{folder}' with a reranker" in reason
