"""Judges within a run: what is asked, what is kept, what fails, and what comes of a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from chunkbench_engine.errors import BadInput
from chunkbench_engine.run.plan import plan_run
from chunkbench_engine.run.settings import Settings
from chunkbench_store.database import Store, open_store
from chunkbench_store.judgements import judges_of, pairs_of
from chunkbench_store.runs import ask

from ...ollama_server import OllamaServer, free_port, ollama_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SECONDS = 120
STRATEGIES = ("SBC", "PBC", "SGC(sentences=2)")
TEXTS = {
    "a.md": "# Cats\n\nCats purr. They sleep a lot.\n\nThey eat fish.\n\nRead on below.\n",
    "b.md": "# Banks\n\nBanks lend. Some fail.\n\nThen savers run.\n\nRead on below.\n",
}
QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "q1",
        "question": "What do cats eat?",
        "answer": "Fish.",
        "evidence": [{"document": "a.md", "text": "They eat fish."}],
    },
    {
        "id": "q2",
        "question": "Who runs when a bank fails?",
        "answer": ["Savers.", "Depositors."],
        "evidence": [{"document": "b.md", "text": "Then savers run."}],
    },
    {"id": "q3", "question": "What colour is fear?", "category": "unanswerable", "answer": "None."},
]


def write_corpus(folder: Path, rows: list[dict[str, Any]]) -> Path:
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def without(field: str, *ids: str) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in row.items() if key != field or row["id"] not in ids}
        for row in QUESTIONS
    ]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "corpus", QUESTIONS)


def plan(store: Store, corpus: Path, url: str = "", **settings: Any) -> int:  # noqa: ANN401
    values: dict[str, Any] = {"strategies": STRATEGIES, "repeat": 1, **settings}
    if url:
        values |= {"judge": "ollama", "judge_models": ("tiny",), "ollama": (url,), **settings}
    return plan_run(store, Settings(str(corpus), **values))


def start(store: Store, run: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "chunkbench_engine.run.worker", str(store.path), str(run)]
    )


def work(store: Store, run: int) -> None:
    assert start(store, run).wait(SECONDS) == 0


def states(store: Store) -> dict[str, tuple[str, str]]:
    rows = store.rows(
        "SELECT label, config.state, config.reason FROM config"
        " JOIN chunk_set ON chunk_set.id = chunk_set"
    )
    return {row[0]: (row[1], row[2]) for row in rows}


def measures(store: Store) -> dict[tuple[str, str], float]:
    rows = store.rows(
        "SELECT label, name, value FROM measure JOIN config ON config.id = config"
        " JOIN chunk_set ON chunk_set.id = chunk_set"
        " WHERE name NOT GLOB 'Latency*' AND name NOT GLOB 'Search*'"
    )
    return {(row[0], row[1]): row[2] for row in rows}


def judge_of(store: Store) -> str:
    return str(store.value("SELECT json_extract(manifest, '$.judge') FROM run"))


def judgements(store: Store, judge: str) -> list[tuple[Any, ...]]:
    return [
        tuple(row)
        for row in store.rows(
            'SELECT question, document, start, "end", grade, reason FROM judgement'
            " WHERE judge GLOB ? ORDER BY 1, 2, 3, 4",
            (judge,),
        )
    ]


def by_words(body: dict[str, Any]) -> str:
    """A judge that looks for the answer's first letters in the chunk."""
    _, _, rest = body["messages"][0]["content"].partition("Reference Answer:\n")
    answer, _, rest = rest.partition("\n\nRetrieved Chunk:\n")
    chunk = rest.partition("\n\nAssign a relevance score:")[0].lower()
    grade = 2 if answer[:4].lower() in chunk else 1 if "fail" in chunk else 0
    return json.dumps({"score": grade, "reason": f"{answer} in it" if grade else "not in it"})


def test_the_grades_of_a_language_model_are_what_is_measured(
    ollama: OllamaServer, corpus: Path, tmp_path: Path
) -> None:
    ollama.answer = by_words
    with open_store(tmp_path / "store.db") as store:
        run = plan(store, corpus, ollama.url)
        manifest = json.loads(store.value("SELECT manifest FROM run"))
        assert manifest["judge"] == "ollama tiny"
        # 3 strategies, the top 5, one answer and two
        assert manifest["judging"]["judgements"] == 3 * 5 * 3
        assert manifest["judging"]["seconds"] is None, "no judgement was ever timed"
        work(store, run)
        assert states(store) == dict.fromkeys(STRATEGIES, ("finished", ""))
        judge = judge_of(store)
        assert judge.startswith("ollama tiny:latest@0123456789ab prompt ")

        # by hand: the first grade 2 among the stored hits
        for label in STRATEGIES:
            ranks = {}
            for key, rank, text, start, end in store.rows(
                "SELECT key, rank, document_text.text, judged_start, judged_end FROM hit"
                " JOIN question ON question.id = question JOIN document ON document.id = document"
                " JOIN document_text USING (sha256) JOIN config ON config.id = config"
                " JOIN chunk_set ON chunk_set.id = chunk_set WHERE label = ? ORDER BY rank DESC",
                (label,),
            ):
                if {"q1": "fish", "q2": "save"}.get(key, "-") in text[start:end].lower():
                    ranks[key] = rank
            expected = sum(1 / ranks[key] if key in ranks else 0 for key in ("q1", "q2")) / 2
            assert measures(store)[label, "MRR@5"] == pytest.approx(expected)
            assert (label, "Recall@1") in measures(store), "evidence is measured too"

        # each text once for an answer, wherever it stands and whoever returned it
        prompts = [body["messages"][0]["content"] for body in ollama.asked]
        assert len(prompts) == len(set(prompts))
        assert "Read on below." in str(prompts), "it stands in both documents"
        shared = store.value(
            "SELECT count(*) FROM (SELECT question FROM judgement JOIN document_text d"
            " ON d.sha256 = (SELECT sha256 FROM document WHERE document.id = document)"
            " WHERE judge = ? AND substr(text, start + 1, \"end\" - start) = 'Read on below.'"
            " GROUP BY question HAVING count(*) = 2)",
            (judge,),
        )
        assert shared > 0
        assert not any("fear" in prompt or "What do" in prompt for prompt in prompts)
        told = [row[0] for row in store.rows("SELECT text FROM event")]
        assert any("different texts to be judged: equal ones once" in text for text in told)
        assert any("texts judged" in text and "at most" in text for text in told)
        assert judges_of(store, run) == ["evidence", judge]
        (pair,) = pairs_of(store, run)
        assert sum(map(sum, pair.counts)) > 5

        asked = len(ollama.asked)
        again = plan(store, corpus, ollama.url)
        work(store, again)
        assert len(ollama.asked) == asked, "another run over the same passages asks nothing"


def test_without_a_server_all_is_unavailable_until_there_is_one(
    corpus: Path, tmp_path: Path
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    reason = f"no Ollama server at {url}: start it with ollama serve"
    with open_store(tmp_path / "store.db") as store:
        run = plan(store, corpus, url)
        work(store, run)
        assert states(store) == dict.fromkeys(STRATEGIES, ("unavailable", reason))
        assert measures(store) == {}
        assert store.value("SELECT reason FROM run") == (
            f"none of 3 configurations could be measured: {reason}"
        )
        told = [row[0] for row in store.rows("SELECT text FROM event WHERE level = 'error'")]
        assert told == [f"the judge is unavailable: {reason}"]

        before = store.rows("SELECT config, question, done_at FROM retrieval")
        with ollama_server(port) as server:
            server.answer = by_words
            work(store, run)  # as `resume` starts it
        assert states(store) == dict.fromkeys(STRATEGIES, ("finished", ""))
        after = store.rows("SELECT config, question, done_at FROM retrieval")
        assert [tuple(r) for r in before] == [tuple(r) for r in after], "retrieved once"


def test_a_strategy_with_failed_judgements_fails_alone_and_is_not_measured_as_zeros(
    ollama: OllamaServer, corpus: Path, tmp_path: Path
) -> None:
    stubborn = True

    def answer(body: dict[str, Any]) -> str:
        # only what holds two sentences of cats: a chunk of SGC and one of PBC
        chunk = body["messages"][0]["content"].partition("Retrieved Chunk:\n")[2]
        refused = stubborn and chunk.startswith("Cats purr. They sleep a lot.")
        return "I will not say." if refused else by_words(body)

    ollama.answer = answer
    with open_store(tmp_path / "store.db") as store:
        run = plan(store, corpus, ollama.url)
        work(store, run)
        found = states(store)
        assert found["SBC"] == ("finished", "")
        state, reason = found["PBC"]
        assert state == "failed"
        assert reason.startswith(("1 of ", "2 of "))
        assert reason.endswith("judgements failed: tiny gave no grade that can be read; retry")
        assert {label for label, _ in measures(store)} == {"SBC"}
        failed = [row for row in judgements(store, "ollama*") if row[4] is None]
        assert failed
        assert all(row[5] == "tiny gave no grade that can be read" for row in failed)

        stubborn = False
        asked = len(ollama.asked)
        for label in ("PBC", "SGC(sentences=2)"):
            ask(
                store,
                run,
                "retry",
                store.value("SELECT id FROM chunk_set WHERE label = ?", (label,)),
            )
        work(store, run)
        assert states(store) == dict.fromkeys(STRATEGIES, ("finished", ""))
        again = ollama.asked[asked:]
        assert all("Cats purr. They sleep" in str(body["messages"]) for body in again)
        assert not [row for row in judgements(store, "ollama*") if row[4] is None]


def test_what_passes_is_tried_again_and_leaves_no_trace(
    ollama: OllamaServer, corpus: Path, tmp_path: Path
) -> None:
    ollama.answer = by_words
    for fault in ("500", "reset", "truncated", "garbage", "nonsense", "slow"):
        ollama.faults.extend([fault, "", "", ""])
    with open_store(tmp_path / "store.db") as store:
        run = plan(store, corpus, ollama.url, strategies=("PBC", "SBC"))
        work(store, run)
        assert not any(ollama.faults)
        assert states(store) == dict.fromkeys(("PBC", "SBC"), ("finished", ""))


def test_killed_while_judging_it_loses_nothing_and_asks_nothing_twice(
    ollama: OllamaServer, corpus: Path, tmp_path: Path
) -> None:
    ollama.answer = by_words
    with open_store(tmp_path / "whole.db") as store:
        work(store, plan(store, corpus, ollama.url))
        whole = judgements(store, "*"), measures(store)
        needed = len(ollama.asked)
    ollama.asked.clear()
    ollama.delay = 0.15
    ollama.faults.extend(["slow"] * needed)
    with open_store(tmp_path / "store.db") as store:
        run = plan(store, corpus, ollama.url)
        worker = start(store, run)
        until = time.monotonic() + SECONDS
        while not store.value("SELECT count(*) >= 6 FROM judgement WHERE judge GLOB 'ollama*'"):
            assert time.monotonic() < until
            time.sleep(0.005)
        progress = store.row("SELECT done, total FROM config WHERE state = 'retrieved' AND done")
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        assert progress is not None
        assert 0 < progress[0] <= progress[1]
        kept = set(judgements(store, "ollama*"))
        assert 6 <= len(kept) < len(whole[0])
        (tmp_path / "store-answers.db").unlink()  # what is in the store is enough
        ollama.faults.clear()
        before = len(ollama.asked)
        work(store, run)
        assert (judgements(store, "*"), measures(store)) == whole
        assert kept <= set(judgements(store, "ollama*"))
        # only what was under way is asked again: four texts, of two reference answers each
        assert needed <= len(ollama.asked) <= needed + 4 * 2
        assert before < needed


def test_cancelled_while_judging_it_stays_cancelled(
    ollama: OllamaServer, corpus: Path, tmp_path: Path
) -> None:
    ollama.answer = by_words
    ollama.delay = 0.3
    ollama.faults.extend(["slow"] * 100)
    with open_store(tmp_path / "store.db") as store:
        run = plan(store, corpus, ollama.url, strategies=("PBC", "SBC"))
        worker = start(store, run)
        until = time.monotonic() + SECONDS
        while not ollama.asked:
            assert time.monotonic() < until
            time.sleep(0.005)
        first = store.value("SELECT chunk_set FROM config WHERE state = 'retrieved' AND total > 0")
        ask(store, run, "cancel", first)
        while store.value("SELECT state FROM config WHERE chunk_set = ?", (first,)) != "cancelled":
            assert time.monotonic() < until
            time.sleep(0.005)
        ollama.faults.clear()
        assert worker.wait(SECONDS) == 0
        found = sorted(state for state, _ in states(store).values())
        assert found == ["cancelled", "finished"]


def test_a_judge_that_has_changed_judges_all_again(
    ollama: OllamaServer, corpus: Path, tmp_path: Path
) -> None:
    ollama.answer = by_words
    with open_store(tmp_path / "store.db") as store:
        run = plan(store, corpus, ollama.url)
        work(store, run)
        first = judge_of(store)
        asked = len(ollama.asked)
        ollama.models["tiny:latest"] = "sha256:" + "f" * 64
        work(store, run)
        assert judge_of(store) == first.replace("0123456789ab", "f" * 12)
        assert len(ollama.asked) == 2 * asked
        assert states(store) == dict.fromkeys(STRATEGIES, ("finished", ""))
        assert any("all is judged again" in row[0] for row in store.rows("SELECT text FROM event"))


def test_a_panel_measures_the_median_and_keeps_what_each_member_said(
    ollama: OllamaServer, corpus: Path, tmp_path: Path
) -> None:
    names = ("kind", "strict", "tiny")
    for name in names[:2]:
        ollama.models[f"{name}:latest"] = "sha256:" + name[0] * 64
    grades = {"kind": 2, "strict": 0}
    ollama.answer = lambda body: (
        json.dumps({"score": grades[body["model"]], "reason": body["model"]})
        if body["model"] in grades
        else by_words(body)
    )
    with open_store(tmp_path / "store.db") as store:
        run = plan(store, corpus, ollama.url, judge="panel", judge_models=names)
        work(store, run)
        assert states(store) == dict.fromkeys(STRATEGIES, ("finished", ""))
        panel = judge_of(store)
        assert panel.startswith("panel of 3: ollama kind:latest@")
        assert len(judges_of(store, run)) == 5  # with the evidence judge
        # with one always at 2 and one always at 0, the third decides
        third = {row[:4]: row[4] for row in judgements(store, "ollama tiny*")}
        said = {row[:4]: row[4:] for row in judgements(store, "panel*")}
        assert {place: grade for place, (grade, _) in said.items()} == third
        assert all("they disagree" in reason for _, reason in said.values())
        # a server need not hold all models at once
        models = [body["model"] for body in ollama.asked]
        turns = 1 + sum(a != b for a, b in pairwise(models))
        assert turns <= len(STRATEGIES) * len(names)


def test_without_evidence_and_a_language_model_a_proxy_grades_and_says_so(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus", without("evidence", "q1", "q2"))
    with open_store(tmp_path / "store.db") as store:
        work(store, plan(store, corpus))
        assert states(store) == dict.fromkeys(STRATEGIES, ("finished", ""))
        assert judge_of(store).startswith("support wordllama-256@")
        names = {name for _, name in measures(store)}
        assert {"nDCG@5", "Hit@5", "MRR@5", "P@1", "P@5", "Tokens@5", "RepeatShare@5"} <= names
        assert not names & {"Recall@1", "Ceiling", "nDCG-index@5", "IoU@5", "EvidenceShare@5"}
        assert measures(store)["PBC", "Hit@5"] > 0
        told = [row[0] for row in store.rows("SELECT text FROM event WHERE level = 'warning'")]
        assert any(
            "graded by a proxy" in text and "no question has evidence" in text for text in told
        )
        assert store.value("SELECT count(*) FROM verdict") == 1


def test_questions_without_what_the_judge_needs_are_left_out_of_its_averages(
    ollama: OllamaServer, tmp_path: Path
) -> None:
    rows = without("answer", "q1")
    del rows[1]["evidence"]
    corpus = write_corpus(tmp_path / "corpus", rows)
    ollama.answer = by_words
    with open_store(tmp_path / "store.db") as store:
        work(store, plan(store, corpus, ollama.url, strategies=("PBC",)))
        counts = dict(
            store.rows(
                "SELECT measure, group_concat(key) FROM score"
                " JOIN question ON question.id = question GROUP BY measure"
            )
        )
        assert counts["Hit@5"] == counts["nDCG@5"] == counts["Tokens@5"] == "q2"
        assert counts["Recall@1"] == counts["nDCG-index@5"] == "q1"
        told = {row[0] for row in store.rows("SELECT text FROM event WHERE level = 'warning'")}
        assert (
            "1 of 2 answerable questions has no answer: left out of the averages, as the judge "
            "ollama needs it"
        ) in told


BAD: dict[str, tuple[dict[str, Any], str, Callable[[], list[dict[str, Any]]]]] = {
    "an unknown judge": ({"judge": "jury"}, "there is no judge 'jury'", lambda: QUESTIONS),
    "a panel of one": (
        {"judge": "panel", "judge_models": ("a", "a")},
        "a panel needs two models or more",
        lambda: QUESTIONS,
    ),
    "two models for one judge": (
        {"judge": "ollama", "judge_models": ("a", "b")},
        "take --judge panel",
        lambda: QUESTIONS,
    ),
    "a model for a judge without one": (
        {"judge_models": ("a",)},
        "--judge-model goes with",
        lambda: QUESTIONS,
    ),
    "no answers": (
        {"judge": "ollama"},
        "no question has an answer, which the judge ollama needs",
        lambda: without("answer", "q1", "q2"),
    ),
    "no evidence": (
        {"judge": "evidence"},
        "no question has evidence, which the judge evidence needs",
        lambda: without("evidence", "q1", "q2"),
    ),
    "nothing to judge by": (
        {},
        "no question has evidence or an answer",
        lambda: [{"id": "q", "question": "What?"}],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_judge_that_cannot_be_is_refused_before_the_run(case: str, tmp_path: Path) -> None:
    settings, sentence, rows = BAD[case]
    corpus = write_corpus(tmp_path / "corpus", rows())
    with (
        open_store(tmp_path / "store.db") as store,
        pytest.raises(BadInput, match=sentence),
    ):
        plan(store, corpus, **settings)
