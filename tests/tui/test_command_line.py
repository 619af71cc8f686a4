"""The command line, as a person types it: real processes, a real run."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONSTITUTION = ROOT / "sample_corpus" / "constitution"
SECONDS = 120


def _tui(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from chunkbench_tui.cli import main; main()", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        cwd=cwd,
    )


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A database with one finished run, and what `run` printed."""
    path = tmp_path_factory.mktemp("command-line") / "store.db"
    arguments = ("-s", "PGC", "-s", "FC(token_size=50|100)", "-s", "LCSI", "--repeat", "1")
    done = _tui("run", CONSTITUTION, *arguments, "--db", path)
    assert done.returncode == 0, done.stderr
    assert "1 document: 1 Markdown; beside them 1 with questions" in done.stderr
    return path, done.stdout


def test_run_ends_with_the_leaderboard(finished: tuple[Path, str]) -> None:
    _, printed = finished
    for expected in ("PGC", "FC", "FC(token_size=100)", "nDCG@5", "ceiling", "32 questions"):
        assert expected in printed
    assert "Chunking took" in printed
    assert "sharing nothing, would have taken" in printed
    assert "late pooling needs a model with token vectors" in printed


def test_report_as_json_holds_the_whole_run(finished: tuple[Path, str]) -> None:
    path, _ = finished
    report = json.loads(_tui("report", "1", "--to", "json", "--db", path).stdout)
    assert report["run"]["state"] == "finished"
    assert not report["provisional"]
    assert report["manifest"]["tokenizer"] == "cl100k_base"
    assert report["manifest"]["packages"]["numpy"]
    assert report["manifest"]["models"]["wordllama-256"] != "wordllama-256", "the weights' hash"
    rows = {row["label"]: row for row in report["configurations"]}
    assert set(rows) == {"PGC", "FC", "FC(token_size=100)", "LCSI"}
    measure = rows["PGC"]["measures"]["nDCG@5"]
    assert 0 < measure["low"] <= measure["value"] <= measure["high"] <= 1


def test_report_as_csv_has_a_row_for_each_configuration(finished: tuple[Path, str]) -> None:
    path, _ = finished
    printed = _tui("report", "1", "--to", "csv", "--db", path).stdout
    rows = list(csv.DictReader(io.StringIO(printed)))
    by_rank = sorted(rows, key=lambda row: int(row["rank"]))
    assert [row["rank"] for row in by_rank] == [str(n) for n in range(1, len(rows) + 1)]
    scores = [float(row["nDCG@5"]) for row in by_rank]
    assert scores == sorted(scores, reverse=True)
    assert [row["strategy"] for row in rows] == ["PGC", "FC", "FC(token_size=100)", "LCSI"]
    assert float(rows[0]["nDCG@5 low"]) <= float(rows[0]["nDCG@5"])


def test_report_as_markdown_ranks_the_strategies(finished: tuple[Path, str]) -> None:
    path, _ = finished
    text = _tui("report", "1", "--db", path).stdout
    ranked = [line for line in text.splitlines() if line.startswith("| 1 |")]
    assert len(ranked) == 1
    assert text.startswith("# Run 1: constitution")


def test_runs_lists_the_run(finished: tuple[Path, str]) -> None:
    path, _ = finished
    (row,) = json.loads(_tui("runs", "--json", "--db", path).stdout)
    assert (row["id"], row["state"], row["strategies"]) == (1, "finished", 4)
    assert "constitution" in _tui("runs", "--db", path).stdout


def test_a_leaderboard_can_be_recomputed_from_the_stored_hits_and_grades(
    finished: tuple[Path, str],
) -> None:
    """The protocol's formulas once more, in plain Python over plain SQL."""
    import math
    import sqlite3

    path, _ = finished
    database = sqlite3.connect(path)
    grades: dict[tuple[str, int], list[int]] = {}
    for label, question, grade in database.execute(
        "SELECT label, hit.question, grade FROM hit JOIN judgement j ON j.question = hit.question"
        ' AND j.document = hit.document AND j.start = judged_start AND j."end" = judged_end'
        " JOIN config ON config.id = hit.config JOIN chunk_set ON chunk_set.id = chunk_set"
        " ORDER BY label, hit.question, rank"
    ):
        grades.setdefault((label, question), []).append(grade)
    labels = {label for label, _ in grades}
    questions = sorted({question for _, question in grades})

    def dcg(gains: list[int]) -> float:
        return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))

    for label in labels:
        total = hits = 0.0
        for question in questions:
            pool = sorted((g for other in labels for g in grades[other, question]), reverse=True)
            ideal = dcg(pool[:5])
            total += dcg(grades[label, question]) / ideal if ideal else 0.0
            hits += 2 in grades[label, question]
        stored = dict(
            database.execute(
                "SELECT name, value FROM measure JOIN config ON config.id = config"
                " JOIN chunk_set ON chunk_set.id = chunk_set WHERE label = ?",
                (label,),
            )
        )
        assert stored["nDCG@5"] == pytest.approx(total / len(questions), abs=1e-12)
        assert stored["Hit@5"] == pytest.approx(hits / len(questions), abs=1e-12)


def test_chunk_prints_spans_that_are_the_text(tmp_path: Path) -> None:
    document = tmp_path / "a.md"
    text = "# Title\r\n\r\nFirst sentence. Second <|endoftext|> sentence.\r\n\r\nThird.\r\n"
    document.write_bytes(text.encode())
    done = _tui("chunk", document, "-s", "SBC")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 4
    assert all(row["text"] == text[row["start"] : row["end"]] for row in rows)


def test_chunk_shows_a_document_with_its_boundaries(tmp_path: Path) -> None:
    document = tmp_path / "a.md"
    document.write_text("One two three. Four five six.\n\n\x1b[31mSeven [/] eight.\n")
    done = _tui("chunk", document, "-s", "SGC(sentences=2, overlap=1)", "--show")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ("⟦1One two three. ⟦2Four five six.1⟧\n\n\\x1b[31mSeven [/] eight.2⟧\n\n")


def test_chunk_says_what_the_chunks_cut(tmp_path: Path) -> None:
    document = tmp_path / "a.md"
    document.write_text("# Title\n\n```\n" + "code " * 200 + "\n```\n\nA sentence that ends.\n")
    done = _tui("chunk", document, "-s", "FC(token_size=100)", "--stats")
    assert done.returncode == 0, done.stderr
    figures = {line[:46].strip(): line[46:].strip() for line in done.stdout.splitlines()}
    assert figures["chunks"] == "3"
    assert figures["code fences cut"] == "1 of 1"
    assert figures["tokens, shortest and longest"].endswith(" and 100")


def test_chunk_ends_quietly_when_nobody_reads_on(tmp_path: Path) -> None:
    document = tmp_path / "a.txt"
    document.write_text("A sentence. " * 20_000)
    command = f"{sys.executable} -c 'from chunkbench_tui.cli import main; main()'"
    done = subprocess.run(
        f"{command} chunk {document} -s SBC | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert json.loads(done.stdout)["text"] == "A sentence."
    assert done.stderr == ""


def test_strategies_and_models_are_listed() -> None:
    listed = json.loads(_tui("strategies", "--json").stdout)
    assert len([row for row in listed if row["source"] == "paper"]) >= 34
    assert "PGC" in _tui("strategies").stdout
    names = {row["name"]: row for row in json.loads(_tui("models", "--json").stdout)}
    assert names["wordllama-256"]["state"] == "ready"
    assert all(row["remedy"] for row in names.values() if row["state"] != "ready")


def test_doctor_says_what_is_there_and_what_mends_the_rest(tmp_path: Path) -> None:
    done = _tui("doctor", "--qdrant", "http://127.0.0.1:9", "--db", tmp_path / "store.db")
    assert done.returncode == 0, done.stderr
    assert "model wordllama-256: ready" in done.stdout
    assert "Qdrant server http://127.0.0.1:9: does not answer" in done.stdout
    assert "Ollama" in done.stdout


BAD_INPUT = {
    "a folder that is not there": (["run", "nowhere"], "nowhere does not exist"),
    "an empty folder": (["run", "empty"], "empty is empty"),
    "a folder without readable files": (["run", "unreadable"], "holds no readable document"),
    "a folder without questions": (["run", "bare"], "has no questions"),
    "a folder with questions of another name": (
        ["run", "named"],
        "named has no questions.jsonl, but asked.jsonl there may be questions",
    ),
    "wrong evidence": (["run", "wrong"], "questions.jsonl, row 1 (q1)"),
    "a wrong parameter": (["run", "good", "-s", "FC(size=5)"], "has no parameter 'size'"),
    "a value out of range": (
        ["run", "good", "-s", "OFC(token_size=50, overlap=60)"],
        "overlap=60 must be below token_size=50",
    ),
    "an unknown strategy": (["run", "good", "-s", "FCX"], "there is no strategy 'FCX'"),
    "an unknown model": (["run", "good", "-m", "wordlama"], "wordllama"),
    "a model named twice": (["run", "good", "-m", "wordllama-64", "-m", "wordllama-64"], "twice"),
    "a question file that is not there": (["run", "good", "-q", "no.jsonl"], "no.jsonl"),
    "a run that is not there": (["report", "9", "--db", "some.db"], "does not exist"),
    "an unknown format": (["report", "1", "--to", "pdf"], "--to pdf is none of"),
    "an unknown pool": (["run", "good", "--pool", "both"], "--pool both is neither"),
    "neither a command nor a folder": (["nonsense"], "nonsense is neither a command nor a folder"),
    "a document that is not there": (["chunk", "none.md", "-s", "FC"], "none.md is no file"),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("folders")
    for name in ("empty", "unreadable", "bare", "named", "wrong", "good"):
        (base / name).mkdir()
    (base / "unreadable" / "picture.png").write_bytes(b"\x89PNG")
    for name in ("bare", "named", "wrong", "good"):
        (base / name / "a.md").write_text("The answer is forty-two. The question is not known.\n")
    for name, passage in (("wrong", "The answer is fourty-two."), ("good", "forty-two")):
        row = {"id": "q1", "question": "What?", "evidence": [{"document": "a.md", "text": passage}]}
        (base / name / "questions.jsonl").write_text(json.dumps(row) + "\n")
    asked = {"question": "What?", "evidence": [{"document": "a.md", "text": "forty-two"}]}
    (base / "named" / "asked.jsonl").write_text(json.dumps(asked) + "\n")
    return base


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_gets_a_sentence_and_exit_status_2(case: str, folders: Path) -> None:
    arguments, sentence = BAD_INPUT[case]
    if arguments[0] == "run":
        arguments = [*arguments, "--db", "bad.db"]
    done = _tui(*arguments, cwd=folders)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_wrong_evidence_comes_with_the_text_to_paste(folders: Path) -> None:
    done = _tui("run", "wrong", "--db", "bad.db", cwd=folders)
    assert '"The answer is forty-two."' in done.stderr


def test_hostile_names_reach_the_terminal_escaped(tmp_path: Path) -> None:
    done = _tui("run", tmp_path / "a\x1b[31mred", "--db", tmp_path / "store.db")
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
    assert "\\x1b[31mred" in done.stderr


def test_interrupted_it_stops_the_engine_and_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from chunkbench_tui.cli import main; main()",
            "run",
            str(ROOT / "sample_corpus" / "biology"),
            "--repeat",
            "1",
            "--chunker-model",
            "wordllama-64",
            "--db",
            str(path),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    import sqlite3

    until = time.monotonic() + SECONDS
    while True:
        assert time.monotonic() < until
        assert process.poll() is None, process.communicate()
        try:
            database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
            if database.execute("SELECT count(*) FROM chunk_unit").fetchone()[0]:
                break
        except sqlite3.OperationalError:  # not made yet
            pass
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, errors
    assert "Go on with chunkbench-tui resume 1" in output
    (state,) = database.execute("SELECT state FROM run").fetchone()
    assert state == "stopped"
    resumed = _tui("resume", "1", "--db", path)
    assert resumed.returncode == 0, resumed.stderr
    assert "HCDC" in resumed.stdout
