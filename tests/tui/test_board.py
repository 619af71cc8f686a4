"""The leaderboard's order and texts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chunkbench_store.live import BoardRow, Measured
from chunkbench_tui.board import (
    DIFFERENCE,
    MAIN,
    Column,
    Order,
    columns,
    direction_mark,
    headings,
    interval_text,
    lines,
    main_measures,
    ordered,
    state_text,
)


def row(config: int, label: str, **values: object) -> BoardRow:
    empty = BoardRow(
        config=config,
        chunk_set=config,
        label=label,
        family="fixed",
        model="m",
        retrieval="dense",
        state="finished",
        reason="",
        note="",
        done=0,
        total=0,
        chunks=10,
        own_seconds=1.0,
        charged_seconds=0.0,
        paid_seconds=0.0,
        peak_bytes=5_000_000,
        index_bytes=2_000_000,
        embed_seconds=0.1,
        same_as="",
        measures={},
    )
    return replace(empty, **values)  # type: ignore[arg-type]


def test_with_several_experiments_a_column_names_them() -> None:
    one = row(1, "FC")
    other = [
        row(2, "FC", model="", retrieval="lexical"),
        row(3, "FC", retrieval="hybrid"),
        row(4, "FC", retrieval="rerank"),
    ]
    assert "model" not in {c.key for c in columns([one, row(5, "RC")], "nDCG@5", "5")}
    model = column([one, *other], "model")
    texts = [model.text(entry) for entry in [one, *other]]
    assert texts == ["m", "lexical", "m + lexical", "m, reranked"]


def with_ndcg(config: int, label: str, value: float, **values: object) -> BoardRow:
    return row(config, label, measures={"nDCG@5": Measured(value, 0.1, 0.9, False)}, **values)


def column(rows: list[BoardRow], key: str) -> Column:
    return next(c for c in columns(rows, "nDCG@5", "5") if c.key == key)


def labels(rows: list[BoardRow], key: str, *, reverse: bool = False) -> list[str]:
    return [r.label for r in ordered(rows, column(rows, key), Order(key, reverse))]


ROWS = [
    with_ndcg(1, "low", 0.2, own_seconds=9.0),
    with_ndcg(2, "high", 0.8, own_seconds=3.0),
    with_ndcg(3, "middle", 0.5, own_seconds=1.0),
]


def test_the_highest_score_comes_first() -> None:
    assert labels(ROWS, MAIN) == ["high", "middle", "low"]


def test_the_lowest_cost_comes_first() -> None:
    assert labels(ROWS, "cold") == ["middle", "high", "low"]


def test_reversing_puts_the_worst_first_and_the_mark_follows_the_values() -> None:
    assert labels(ROWS, MAIN, reverse=True) == ["low", "middle", "high"]
    assert labels(ROWS, "cold", reverse=True) == ["low", "high", "middle"]
    marks = [
        direction_mark(column(ROWS, key), Order(key, reverse))
        for key in (MAIN, "cold")
        for reverse in (False, True)
    ]
    assert marks == ["▼", "▲", "▲", "▼"]


@pytest.mark.parametrize("reverse", [False, True])
def test_rows_without_a_value_come_last_either_way(reverse: bool) -> None:
    rows = [
        row(7, "failed", state="failed"),
        row(8, "waiting", state="waiting"),
        row(9, "judged", state="judged"),
        *ROWS,
    ]
    assert labels(rows, MAIN, reverse=reverse)[3:] == ["judged", "waiting", "failed"]


@pytest.mark.parametrize("reverse", [False, True])
def test_equal_values_stay_in_the_order_of_the_plan(reverse: bool) -> None:
    rows = [with_ndcg(n, f"s{n}", 0.5) for n in range(4)]
    assert labels(rows, MAIN, reverse=reverse) == ["s0", "s1", "s2", "s3"]


def test_only_rows_with_a_value_have_a_place() -> None:
    rows = [*ROWS, row(9, "waiting", state="waiting")]
    board = lines(columns(rows, "nDCG@5", "5"), rows, Order())
    assert [line.cells[0] for line in board] == ["1", "2", "3", ""]


def test_a_failed_row_says_why_over_the_empty_columns() -> None:
    rows = [row(1, "TBC", state="failed", reason="took \x1b[2J too long")]
    line = lines(columns(rows, "nDCG@5", "5"), rows, Order())[0]
    assert line.cells[line.spans_from] == "failed: took \\x1b[2J too long"


def test_a_strategy_with_the_same_chunks_as_another_says_so() -> None:
    assert state_text(row(1, "HRC", same_as="RC", note="plain vectors")) == (
        "same chunks as RC; plain vectors"
    )


def test_progress_is_shown_while_it_lasts() -> None:
    assert state_text(row(1, "RC", state="embedding", done=1, total=4)) == "embedding 25%"
    assert state_text(row(1, "RC", state="retrieved")) == "retrieved"
    assert state_text(row(1, "RC", state="retrieved", done=3, total=4)) == "judging 75%"


def test_the_model_is_a_column_only_where_there_are_several() -> None:
    keys = [c.key for c in columns(ROWS, "nDCG@5", "5")]
    assert "model" not in keys
    keys = [c.key for c in columns([*ROWS, row(9, "x", model="other")], "nDCG@5", "5")]
    assert keys.index("model") == 1


def test_cutoffs_are_those_of_the_run() -> None:
    assert main_measures("3") == (
        "nDCG@3", "Hit@3", "MRR@3", "P@1", "Recall@1", "Recall@3", "Ceiling",
    )  # fmt: skip


@pytest.mark.parametrize("main", main_measures("5"))
def test_every_measure_is_there_once_whichever_is_first(main: str) -> None:
    titles = [heading.title for heading in headings(columns(ROWS, main, "5"), ROWS, Order())]
    for start in ("nDCG@5", "Hit@5", "MRR@5", "P@1"):
        assert sum(title.startswith(start) for title in titles) == 1


def test_a_share_is_in_per_cent_and_its_heading_says_so() -> None:
    rows = [row(1, "a", measures={"Hit@5": Measured(0.625, None, None, False)})]
    hit = column(rows, "Hit@5")
    assert (hit.title, hit.text(rows[0])) == ("Hit@5 %", "62.5")


@pytest.mark.parametrize(
    ("name", "low", "high", "text"),
    [
        ("nDCG@5", 0.551, 0.668, "0.55–0.67"),
        ("Hit@5", 0.524, 0.7, "52–70"),
        ("Tokens@5", 424.89, 1451.2, "425–1,451"),
    ],
)
def test_an_interval_is_in_the_unit_of_its_measure(
    name: str, low: float, high: float, text: str
) -> None:
    measured = row(1, "a", measures={name: Measured((low + high) / 2, low, high, False)})
    assert interval_text(name, measured) == text


def test_a_zero_that_was_measured_is_shown_as_zero() -> None:
    rows = [with_ndcg(1, "a", 0.0, peak_bytes=0)]
    assert column(rows, MAIN).text(rows[0]).startswith("0.000")
    assert column(rows, "peak").text(rows[0]) == "0.0"


def test_a_board_without_rows_has_headings() -> None:
    assert headings(columns([], "nDCG@5", "5"), [], Order())
    assert lines(columns([], "nDCG@5", "5"), [], Order()) == []


def test_with_a_budget_the_recall_is_within_it_and_no_rank_is_named() -> None:
    assert main_measures("2000t") == (
        "nDCG@2000t",
        "Hit@2000t",
        "MRR@2000t",
        "Recall@2000t",
        "Ceiling",
    )


def test_differences_are_to_the_baseline_within_its_experiment() -> None:
    rows = [*ROWS, with_ndcg(4, "else", 0.9, model="n"), row(5, "none")]
    found = next(c for c in columns(rows, "nDCG@5", "5", ROWS[2]) if c.key == DIFFERENCE)
    assert [found.text(entry) for entry in rows] == ["-0.300", "+0.300", "baseline", "", ""]
    assert DIFFERENCE not in {c.key for c in columns(rows, "nDCG@5", "5")}
