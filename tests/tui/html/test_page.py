"""The page says what the run says, needs nothing beside itself, and obeys no document."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.errors import BadInput
from chunkbench_store.analysis import Analysis, FrontierRow, put_analysis
from chunkbench_store.live import live_run
from chunkbench_store.question_scores import question_scores
from chunkbench_store.runs import run_of
from chunkbench_tui.html.page import html_page

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tui.conftest import Bench, Study

VOID = {"meta", "input", "br", "rect", "circle", "line", "path"}


class Page(HTMLParser):
    """The text of a page, its tags' addresses, and whether every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def page_of(bench: Bench, run: int, baseline: str = "") -> str:
    live, row = live_run(bench.engine, run), run_of(bench.engine, run)
    assert live is not None
    assert row is not None
    return html_page(bench.engine, live, row, baseline)


@pytest.fixture
def page(study: Study) -> str:
    return page_of(study.bench, study.run)


def test_every_tag_is_closed_and_nothing_is_fetched(page: str) -> None:
    read = Page(page)
    assert read.open == []
    assert [a for a in read.addresses if not a.startswith("#")] == []
    assert "default-src 'none'" in page
    assert "url(" not in page


def test_it_has_the_leaderboard_and_why_strategies_are_missing(page: str) -> None:
    text = " ".join("".join(Page(page).words).split())
    assert "0.600" in text
    assert "SBC: waiting" in text
    assert "TBC: failed, guide.md took longer than 600 s" in text


def test_it_shows_the_leader_beside_the_baseline_where_they_differ_most(page: str) -> None:
    assert page.index("<strong>OFC</strong>: 0.600") < page.index("<strong>FC</strong>: 0.400")
    assert "the evidence is in no chunk whole" in page


def test_documents_and_judges_are_quoted_not_obeyed(page: str) -> None:
    assert "\x1b" not in page
    assert "Which two [/b] \\x1b[1m parts?" in page
    assert "holds [/it] \\x1b[0m" in page


def test_another_baseline_can_be_named(study: Study) -> None:
    with pytest.raises(BadInput, match="has no strategy XYZ: FC, OFC, SBC, TBC"):
        page_of(study.bench, study.run, "XYZ")
    assert '<th class="number">FC</th>' in page_of(study.bench, study.run, "FC")


def test_a_run_in_the_middle_of_its_work_is_said_to_be_provisional(bench: Bench) -> None:
    page = page_of(bench, bench_run(bench))
    assert "every measure is provisional" in page
    assert "There is no verdict yet" in page


def bench_run(bench: Bench) -> int:
    run = bench.demo()
    with bench.engine.write():
        bench.engine.execute(
            'UPDATE run SET manifest = json(\'{"judge": "evidence"}\') WHERE id = ?', (run,)
        )
    return run


def test_questions_that_a_model_proposed_are_counted(bench: Bench) -> None:
    run = bench_run(bench)
    with bench.engine.write():
        bench.engine.execute(
            "UPDATE run SET manifest = json_set(manifest, '$.synthetic_questions', 2) WHERE id = ?",
            (run,),
        )
    assert "(2 of them proposed by a language model)" in page_of(bench, run)


def test_a_question_is_given_with_both_scores_and_how_many_found_it(study: Study) -> None:
    configs = study.bench.configs
    first, second = configs["OFC", "wordllama-256"], configs["FC", "wordllama-256"]
    rows = question_scores(study.bench.engine, first, second, "nDCG@5", "Hit@5")
    assert [(q.key, q.first, q.second, q.found, q.of) for q in rows] == [
        ("q0", 0.6, 0.4, 2, 2),
        ("q1", 0.3, 0.2, 2, 2),
        ("q2", None, None, 0, 0),
        ("q3", 0.0, 0.0, 0, 2),
    ]
    alone = question_scores(study.bench.engine, first, None, "nDCG@5", "Hit@5")
    assert {q.second for q in alone} == {None}


def report(study: Study, *words: str | Path) -> subprocess.CompletedProcess[str]:
    main = [sys.executable, "-c", "from chunkbench_tui.cli import main; main()"]
    return subprocess.run(
        [*main, "report", str(study.run), *map(str, words), "--db", str(study.bench.path)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_writes_a_file_and_says_so(study: Study, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    ended = report(study, "--to", "html", "--output", target)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "is written" in ended.stdout
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_place_that_cannot_be_written_is_named(study: Study, tmp_path: Path) -> None:
    ended = report(study, "--to", "html", "-o", tmp_path / "nowhere" / "report.html")
    assert ended.returncode == 2
    assert "report.html cannot be written: No such file or directory" in ended.stderr


def test_the_plots_are_in_the_page_and_labels_are_escaped_in_them(bench: Bench) -> None:
    run = bench.new_run(["RC", "<b>\x1b[31m"])
    for place, label in enumerate(("RC", "<b>\x1b[31m")):
        bench.chunked(label, 10, 1.0 + place, 8)
        bench.measured(label, 0.4 + place / 5)
    with bench.engine.write():
        bench.engine.execute(
            'UPDATE run SET manifest = json(\'{"judge": "evidence"}\') WHERE id = ?', (run,)
        )
        config = bench.configs["RC", "wordllama-256"]
        frontier = (FrontierRow(config, "nDCG@5", "cold_seconds"),)
        put_analysis(bench.engine, run, Analysis(frontier=frontier))
    page = page_of(bench, run)
    read = Page(page)
    assert read.open == []
    assert "nDCG@5 against chunking time alone" in read.words
    assert "RC: nDCG@5 0.400, chunking time alone 1.00 s, on the frontier" in read.words
    assert page.count('class="cb-point"') == 1
    assert "<b>" not in page
    assert "\x1b" not in page
