"""The tables by category of question."""

from __future__ import annotations

from typing import Any

from chunkbench_store.categories import CategoryMean
from chunkbench_store.live import BoardRow
from chunkbench_tui.commands.by_category import category_lines, category_tables


def row(config: int, label: str) -> BoardRow:
    fields: dict[str, Any] = dict.fromkeys(BoardRow.__dataclass_fields__, 0)
    return BoardRow(**{**fields, "config": config, "label": label, "measures": {}})


def test_a_column_a_category_with_its_questions_and_nothing_raw() -> None:
    means = [
        CategoryMean(1, "Hit@5", "", 3, 0.5),
        CategoryMean(1, "Hit@5", "a|b\x1b[31m", 2, 1.0),
        CategoryMean(2, "Hit@5", "", 3, 0.25),
        CategoryMean(9, "Hit@5", "of another experiment", 3, 0.25),
    ]
    lines = category_lines(category_tables([row(2, "RC"), row(1, "<b>")], means, "5"))
    assert lines[1].startswith("| Hit@5 | no category (3) | a\\|b")
    assert "\x1b" not in "".join(lines)
    assert lines[3:] == ["| RC | 0.250 |  |", "| &lt;b> | 0.500 | 1.000 |"]


def test_questions_of_one_category_need_no_table() -> None:
    assert category_tables([row(1, "RC")], [CategoryMean(1, "Hit@5", "direct", 3, 0.5)], "5") == []
