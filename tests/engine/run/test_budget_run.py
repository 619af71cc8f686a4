"""A run with a budget of context tokens compares strategies at equal context."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from chunkbench_engine.run.plan import plan_run
from chunkbench_engine.run.settings import Settings
from chunkbench_store.categories import category_means
from chunkbench_store.database import open_store
from chunkbench_store.live import live_run
from chunkbench_tui.command_line import command_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkbench_store.database import Store

BIOLOGY = Path(__file__).parents[3] / "sample_corpus" / "biology"
BUDGET = 600


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path = tmp_path_factory.mktemp("budget") / "store.db"
    with open_store(path) as store:
        strategies = ("SBC", "FC(token_size=400)", "LCSI", "PCC", "DOC")
        run = plan_run(
            store,
            Settings(
                str(BIOLOGY),
                strategies=strategies,
                retrieval=("dense", "lexical"),
                repeat=1,
                budget=BUDGET,
            ),
        )
        work = [sys.executable, "-m", "chunkbench_engine.run.worker", str(path), str(run)]
        assert subprocess.run(work, timeout=120, check=False).returncode == 0
        yield store


def test_every_dense_list_spends_the_budget_to_the_last_token(finished: Store) -> None:
    spent = finished.rows(
        "SELECT label, sum(tokens) FROM hit JOIN config ON config.id = hit.config"
        " JOIN chunk_set ON chunk_set.id = chunk_set WHERE retrieval = 'dense'"
        " GROUP BY config, question"
    )
    assert {row[0] for row in spent} == {"SBC", "FC(token_size=400)", "LCSI", "PCC", "DOC"}
    assert {row[1] for row in spent} == {BUDGET}


def test_no_list_is_longer_than_the_budget_also_where_words_find_little(finished: Store) -> None:
    sums = finished.rows("SELECT sum(tokens) FROM hit GROUP BY config, question")
    assert max(row[0] for row in sums) == BUDGET


def test_only_the_last_passage_is_cut_and_judged_as_it_was_cut(finished: Store) -> None:
    cut = finished.rows(
        "SELECT rank, (SELECT max(rank) FROM hit h WHERE h.config = hit.config"
        ' AND h.question = hit.question), start <= judged_start AND judged_end < "end"'
        " FROM hit JOIN config ON config.id = hit.config"
        " JOIN chunk_set ON chunk_set.id = config.chunk_set"
        " WHERE label != 'PCC' AND judged_end != \"end\""
    )
    assert cut
    assert all(rank == last and shorter for rank, last, shorter in cut)
    unjudged = finished.value(
        "SELECT count(*) FROM hit JOIN question ON question.id = hit.question WHERE NOT EXISTS ("
        " SELECT 1 FROM judgement j WHERE j.question = hit.question AND j.document = hit.document"
        ' AND j.start = judged_start AND j."end" = judged_end)'
        " AND category != 'unanswerable'"
    )
    assert unjudged == 0


def test_measures_are_named_by_the_budget_and_hits_are_those_within_it(finished: Store) -> None:
    live = live_run(finished, 1)
    assert live is not None
    assert live.summary.cutoff == "600t"
    for row in live.board:
        cutoffs = {name.split("@")[1] for name in row.measures if "@" in name}
        assert cutoffs == {"600t"}
        found = finished.value(
            "SELECT avg(full) FROM (SELECT max(coalesce(grade, 0) = 2) AS full FROM question"
            " LEFT JOIN hit ON hit.question = question.id AND hit.config = ?"
            " LEFT JOIN judgement j ON j.question = hit.question AND j.document = hit.document"
            ' AND j.start = judged_start AND j."end" = judged_end'
            " WHERE category != 'unanswerable' GROUP BY question.id)",
            (row.config,),
        )
        assert row.value("Hit@600t") == pytest.approx(found)
        assert 0 <= (row.value("nDCG@600t") or 0) <= 1
        assert 0 <= (row.value("nDCG-index@600t") or 0) <= 1


def test_the_view_says_that_there_is_no_k(finished: Store) -> None:
    rows = finished.rows("SELECT DISTINCT k, cutoff, ndcg IS NULL, p1 FROM leaderboard")
    assert [tuple(row) for row in rows] == [(None, "600t", 0, None)]


def test_the_report_names_the_budget(finished: Store) -> None:
    shown = CliRunner().invoke(command_line(), ["report", "1", "--db", str(finished.path)]).stdout
    assert "600 tokens of context" in shown
    assert "nDCG@600t" in shown
    assert "@5" not in shown


def test_the_means_by_category_weighted_are_the_mean_of_the_leaderboard(finished: Store) -> None:
    live = live_run(finished, 1)
    assert live is not None
    means = category_means(finished, 1)
    assert len({mean.category for mean in means}) > 2
    for row in live.board:
        for measure in ("nDCG@600t", "Hit@600t", "Recall@600t"):
            parts = [m for m in means if (m.config, m.measure) == (row.config, measure)]
            total = sum(part.questions for part in parts)
            weighted = sum(part.mean * part.questions for part in parts) / total
            assert weighted == pytest.approx(row.value(measure))


def test_the_report_has_a_table_by_category_for_each_main_measure(finished: Store) -> None:
    shown = CliRunner().invoke(command_line(), ["report", "1", "--db", str(finished.path)]).stdout
    assert shown.count("### By category of question") == 2, "one for each experiment"
    for measure in ("nDCG@600t", "Hit@600t", "MRR@600t", "Recall@600t", "Ceiling"):
        assert shown.count(f"| {measure} | ") >= 2
    content = json.loads(
        CliRunner()
        .invoke(command_line(), ["report", "1", "--to", "json", "--db", str(finished.path)])
        .stdout
    )
    assert content["configurations"][0]["by_category"]["direct"]["Hit@600t"]["questions"] > 0
