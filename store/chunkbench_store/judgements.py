"""Judgements of all judges over what a run retrieved. Writes happen inside `write()`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkbench_store.database import Store

_PASSAGES = """
WITH passage AS (
    SELECT DISTINCT question, document, judged_start AS start, judged_end AS "end"
    FROM hit WHERE config IN (SELECT id FROM config WHERE run = ?)
)
"""

# The timing of a configuration's queries is written with its state.
_RETRIEVED = "EXISTS (SELECT 1 FROM latency WHERE latency.config = config.id)"


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A passage that was retrieved for a question, as a judge is given it."""

    question: int
    document: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two judges on the passages that both graded.

    `counts[i][j]` is the number of passages to which the first gave i and the second j.
    """

    first: str
    second: str
    counts: tuple[tuple[int, ...], ...]


def passages_of(store: Store, run: int) -> list[PassageRow]:
    """The different passages that a run has retrieved, by question and place."""
    return [
        PassageRow(*row)
        for row in store.rows(
            f'{_PASSAGES} SELECT * FROM passage ORDER BY question, document, start, "end"',  # noqa: S608
            (run,),
        )
    ]


def graded_passages(store: Store, run: int, judge: str) -> list[tuple[PassageRow, int, str]]:
    """Everything that a judge has graded of a run's questions, with grade and reason; by document.

    Also passages that another run over the same questions retrieved.
    """
    return [
        (PassageRow(*row[:4]), row[4], row[5])
        for row in store.rows(
            'SELECT j.question, j.document, j.start, j."end", grade, j.reason FROM judgement j'
            " JOIN question ON question.id = j.question"
            " JOIN run ON run.question_set = question.question_set"
            " WHERE run.id = ? AND judge = ? AND grade IS NOT NULL ORDER BY j.document, j.start",
            (run, judge),
        )
    ]


def failures_of(store: Store, config: int, judge: str) -> list[str]:
    """Why a judge failed on passages of a configuration: one reason a passage."""
    return [
        row[0]
        for row in store.rows(
            "SELECT reason FROM judgement j WHERE judge = ? AND grade IS NULL AND EXISTS ("
            " SELECT 1 FROM hit WHERE config = ? AND hit.question = j.question"
            " AND hit.document = j.document AND judged_start = j.start"
            ' AND judged_end = j."end") ORDER BY question, document, start',
            (judge, config),
        )
    ]


def judges_of(store: Store, run: int) -> list[str]:
    """Judges that have graded any passage of a run."""
    return [
        row[0]
        for row in store.rows(
            f"{_PASSAGES} SELECT DISTINCT judge FROM judgement"  # noqa: S608
            ' JOIN passage USING (question, document, start, "end")'
            " WHERE grade IS NOT NULL ORDER BY judge",
            (run,),
        )
    ]


def pairs_of(store: Store, run: int) -> Iterator[Pair]:
    """Every two judges of a run that graded a passage in common."""
    tables: dict[tuple[str, str], list[list[int]]] = {}
    for first, second, one, other, count in store.rows(
        f"{_PASSAGES} SELECT a.judge, b.judge, a.grade, b.grade, count(*) FROM judgement a"  # noqa: S608
        ' JOIN judgement b USING (question, document, start, "end")'
        ' JOIN passage USING (question, document, start, "end")'
        " WHERE a.judge < b.judge AND a.grade IS NOT NULL AND b.grade IS NOT NULL"
        " GROUP BY a.judge, b.judge, a.grade, b.grade ORDER BY a.judge, b.judge",
        (run,),
    ):
        table = tables.setdefault((first, second), [[0] * 3 for _ in range(3)])
        table[one][other] = count
    for (first, second), table in tables.items():
        yield Pair(first, second, tuple(map(tuple, table)))


def is_retrieved(store: Store, config: int) -> bool:
    """Whether every question has its hits, timed: all that is left is to judge them."""
    return bool(store.value(f"SELECT {_RETRIEVED} FROM config WHERE id = ?", (config,)))  # noqa: S608


def judge_again(store: Store, run: int) -> None:
    """Make what was retrieved, and not judged to the end, wait for its judge again."""
    store.execute(
        "UPDATE config SET state = 'retrieved', reason = '' WHERE run = ?"  # noqa: S608
        f" AND state IN ('failed', 'unavailable') AND {_RETRIEVED}",
        (run,),
    )


def set_judge(store: Store, run: int, judge: str) -> None:
    """Record whose grades a run's measures are made of."""
    store.execute(
        "UPDATE run SET manifest = json_set(manifest, '$.judge', ?) WHERE id = ?", (judge, run)
    )
