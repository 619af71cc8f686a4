"""What a run produces: chunks, hits, judgements, measures. Writes happen inside `write()`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunkbench_store.analysis import ANALYSED
from chunkbench_store.database import now

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chunkbench_store.database import Store


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A stored chunk; `document` is the document's id in the store."""

    ordinal: int
    document: int
    start: int
    end: int
    context_start: int | None
    context_end: int | None
    prefix: str
    tokens: int
    context_tokens: int


@dataclass(frozen=True, slots=True)
class Metering:
    """What chunking one document cost: seconds, and resident sets in bytes.

    `cold_seconds` are those of a run of its own that shared nothing; None where there was none.
    """

    own_seconds: float
    charged_seconds: float
    paid_seconds: float
    base_rss: int
    peak_rss: int
    kernel_peak_rss: int
    diagnostics: dict[str, object]
    cold_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class IndexCost:
    """What an index cost: seconds, bytes, and how many chunks the model's window cuts."""

    embed_seconds: float
    upsert_seconds: float
    size: int
    over_window: int


@dataclass(frozen=True, slots=True)
class HitRow:
    question: int
    rank: int
    document: int
    start: int
    end: int
    judged_start: int
    judged_end: int
    tokens: int
    score: float


@dataclass(frozen=True, slots=True)
class JudgementRow:
    """What a judge says of a passage; a `grade` of None is a failure, with its reason."""

    question: int
    document: int
    start: int
    end: int
    grade: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class StandingRow:
    """Where a configuration stands in its experiment's verdict; see the schema."""

    config: int
    selection: float
    p_leader: float | None
    tied: bool


@dataclass(frozen=True, slots=True)
class MeasureRow:
    name: str
    value: float
    low: float | None = None
    high: float | None = None


def put_chunk_unit(
    store: Store, chunk_set: int, document: int, chunks: Sequence[ChunkRow], metering: Metering
) -> None:
    """Keep the chunks of one document: the unit is then finished and never done again."""
    store.insert_many(
        'INSERT INTO chunk (chunk_set, ordinal, document, start, "end",'
        " context_start, context_end, prefix, tokens, context_tokens)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                chunk_set,
                chunk.ordinal,
                chunk.document,
                chunk.start,
                chunk.end,
                chunk.context_start,
                chunk.context_end,
                chunk.prefix,
                chunk.tokens,
                chunk.context_tokens,
            )
            for chunk in chunks
        ],
    )
    store.execute(
        "INSERT INTO chunk_unit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            chunk_set,
            document,
            len(chunks),
            metering.own_seconds,
            metering.charged_seconds,
            metering.paid_seconds,
            metering.base_rss,
            metering.peak_rss,
            metering.kernel_peak_rss,
            json.dumps(metering.diagnostics),
            now(),
            metering.cold_seconds,
        ),
    )
    store.execute(
        "UPDATE chunk_set SET documents = documents + 1, chunks = chunks + ?,"
        " own_seconds = own_seconds + ?, charged_seconds = charged_seconds + ?,"
        " paid_seconds = paid_seconds + ?,"
        " peak_bytes = max(peak_bytes, ?), kernel_peak_bytes = max(kernel_peak_bytes, ?)"
        " WHERE id = ?",
        (
            len(chunks),
            metering.own_seconds,
            metering.charged_seconds,
            metering.paid_seconds,
            metering.peak_rss - metering.base_rss,
            metering.kernel_peak_rss - metering.base_rss,
            chunk_set,
        ),
    )


def chunked_documents(store: Store, chunk_set: int) -> set[int]:
    """Ids of the documents that this strategy has finished."""
    return {
        row[0]
        for row in store.rows("SELECT document FROM chunk_unit WHERE chunk_set = ?", (chunk_set,))
    }


def chunks_of(store: Store, chunk_set: int, first: int = 0, limit: int = -1) -> list[ChunkRow]:
    """Chunks in order, from ordinal `first` on, at most `limit` (-1: all)."""
    return [
        ChunkRow(*row)
        for row in store.rows(
            'SELECT ordinal, document, start, "end", context_start, context_end, prefix,'
            " tokens, context_tokens FROM chunk WHERE chunk_set = ? AND ordinal >= ?"
            " ORDER BY ordinal LIMIT ?",
            (chunk_set, first, limit),
        )
    ]


def put_samples(store: Store, chunk_set: int, samples: Sequence[tuple[float, int]]) -> None:
    """Keep a memory curve, after the samples of earlier documents."""
    offset = store.value(
        "SELECT coalesce(max(elapsed), 0) FROM sample WHERE chunk_set = ?", (chunk_set,)
    )
    store.insert_many(
        "INSERT INTO sample (chunk_set, elapsed, bytes) VALUES (?, ?, ?)",
        [(chunk_set, offset + elapsed, size) for elapsed, size in samples],
    )


def set_chunk_set_state(
    store: Store, chunk_set: int, state: str, reason: str = "", digest: str | None = None
) -> None:
    store.execute(
        "UPDATE chunk_set SET state = ?, reason = ?, digest = coalesce(?, digest) WHERE id = ?",
        (state, reason, digest, chunk_set),
    )
    if state in ("failed", "unavailable", "cancelled"):
        store.execute(
            "UPDATE config SET state = ?, reason = ? WHERE chunk_set = ? AND state != 'finished'",
            (state, reason, chunk_set),
        )


def set_config_state(store: Store, config: int, state: str, reason: str = "") -> None:
    finished = now() if state == "finished" else None
    store.execute(
        "UPDATE config SET state = ?, reason = ?, done = 0, total = 0, finished_at = ?"
        " WHERE id = ?",
        (state, reason, finished, config),
    )


def advance_config(store: Store, config: int, state: str) -> bool:
    """Take a configuration on to its next state, inside `write()`.

    False, and nothing is changed, where it was cancelled (or has failed) meanwhile.
    """
    finished = now() if state == "finished" else None
    changed = store.connection.execute(
        "UPDATE config SET state = ?, reason = '', done = 0, total = 0, finished_at = ?"
        " WHERE id = ? AND state NOT IN ('failed', 'unavailable', 'cancelled')",
        (state, finished, config),
    )
    return changed.rowcount == 1


def set_config_progress(store: Store, config: int, done: int, total: int) -> None:
    store.execute("UPDATE config SET done = ?, total = ? WHERE id = ?", (done, total, config))


def set_index_cost(store: Store, config: int, cost: IndexCost, note: str) -> None:
    store.execute(
        "UPDATE config SET embed_seconds = ?, upsert_seconds = ?, index_bytes = ?,"
        " over_window = ?, note = ? WHERE id = ?",
        (cost.embed_seconds, cost.upsert_seconds, cost.size, cost.over_window, note, config),
    )


def put_hits(store: Store, config: int, question: int, hits: Sequence[HitRow]) -> None:
    """Keep the ranked list of one question: that unit is finished."""
    store.insert_many(
        "INSERT INTO hit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                config,
                question,
                hit.rank,
                hit.document,
                hit.start,
                hit.end,
                hit.judged_start,
                hit.judged_end,
                hit.tokens,
                hit.score,
            )
            for hit in hits
        ],
    )
    store.execute("INSERT INTO retrieval VALUES (?, ?, ?)", (config, question, now()))


def retrieved_questions(store: Store, config: int) -> set[int]:
    """Ids of the questions whose hits are known."""
    return {
        row[0] for row in store.rows("SELECT question FROM retrieval WHERE config = ?", (config,))
    }


def hits_of(store: Store, config: int) -> dict[int, list[HitRow]]:
    """The ranked lists of a configuration, by question."""
    lists: dict[int, list[HitRow]] = {}
    for row in store.rows(
        'SELECT question, rank, document, start, "end", judged_start, judged_end,'
        " tokens, score FROM hit WHERE config = ? ORDER BY question, rank",
        (config,),
    ):
        lists.setdefault(row[0], []).append(HitRow(*row))
    return lists


def put_latencies(store: Store, config: int, rows: Iterable[tuple[int, int, float, float]]) -> None:
    """Keep (question, pass, embedding seconds, search seconds) of a configuration."""
    store.execute("DELETE FROM latency WHERE config = ?", (config,))
    store.insert_many(
        "INSERT INTO latency VALUES (?, ?, ?, ?, ?)", [(config, *row) for row in rows]
    )


def latencies_of(store: Store, config: int) -> list[tuple[float, float]]:
    """(embedding seconds, search seconds) of every timed query."""
    return [
        (row[0], row[1])
        for row in store.rows(
            "SELECT embed_seconds, search_seconds FROM latency WHERE config = ?"
            " ORDER BY pass, question",
            (config,),
        )
    ]


def put_judgements(store: Store, judge: str, rows: Iterable[JudgementRow]) -> None:
    """Keep judgements; a grade that is there already stays, a failure is replaced."""
    store.insert_many(
        "INSERT INTO judgement VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET grade = excluded.grade, reason = excluded.reason,"
        " done_at = excluded.done_at WHERE judgement.grade IS NULL",
        [
            (judge, row.question, row.document, row.start, row.end, row.grade, row.reason, now())
            for row in rows
        ],
    )


def unjudged_hits(store: Store, config: int, judge: str) -> list[HitRow]:
    """Hits of a configuration that this judge has not graded, or failed to; equal passages
    once."""
    return [
        HitRow(*row)
        for row in store.rows(
            'SELECT question, min(rank), document, start, "end", judged_start, judged_end,'
            " tokens, score FROM hit WHERE config = ? AND NOT EXISTS (SELECT 1 FROM judgement j"
            "  WHERE j.judge = ? AND j.question = hit.question AND j.document = hit.document"
            '  AND j.start = hit.judged_start AND j."end" = hit.judged_end'
            "  AND j.grade IS NOT NULL)"
            " GROUP BY question, document, judged_start, judged_end",
            (config, judge),
        )
    ]


def grades_of(store: Store, config: int, judge: str) -> dict[tuple[int, int], int]:
    """Grade by (question, rank) of a configuration's judged hits."""
    return {
        (row[0], row[1]): row[2]
        for row in store.rows(
            "SELECT hit.question, hit.rank, grade FROM hit JOIN judgement j"
            " ON j.question = hit.question AND j.document = hit.document"
            ' AND j.start = hit.judged_start AND j."end" = hit.judged_end'
            " WHERE hit.config = ? AND j.judge = ? AND grade IS NOT NULL",
            (config, judge),
        )
    }


def put_measures(
    store: Store, config: int, rows: Iterable[MeasureRow], *, provisional: bool
) -> None:
    store.insert_many(
        "INSERT OR REPLACE INTO measure VALUES (?, ?, ?, ?, ?, ?)",
        [(config, row.name, row.value, row.low, row.high, int(provisional)) for row in rows],
    )


def put_scores(store: Store, config: int, measure: str, values: Mapping[int, float]) -> None:
    """Keep a measure's value for each question."""
    store.insert_many(
        "INSERT OR REPLACE INTO score VALUES (?, ?, ?, ?)",
        [(config, question, measure, value) for question, value in values.items()],
    )


def scores_of(store: Store, config: int, measure: str) -> dict[int, float]:
    """A measure's value by question."""
    return {
        row[0]: row[1]
        for row in store.rows(
            "SELECT question, value FROM score WHERE config = ? AND measure = ?", (config, measure)
        )
    }


def put_verdict(
    store: Store,
    run: int,
    model: str,
    retrieval: str,
    content: dict[str, Any],
    standings: Iterable[StandingRow],
) -> None:
    """Keep the verdict over the configurations of a model and retrieval."""
    store.execute(
        "INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?)",
        (run, model, retrieval, json.dumps(content, ensure_ascii=False)),
    )
    store.insert_many(
        "INSERT OR REPLACE INTO standing VALUES (?, ?, ?, ?)",
        [(row.config, row.selection, row.p_leader, int(row.tied)) for row in standings],
    )


def forget_verdicts(store: Store, run: int) -> None:
    """A measure has changed: what was concluded no longer holds."""
    store.execute("DELETE FROM verdict WHERE run = ?", (run,))
    store.execute(
        "DELETE FROM standing WHERE config IN (SELECT id FROM config WHERE run = ?)", (run,)
    )


def forget_measures(store: Store, config: int) -> None:
    """Undo a configuration's measures, so that it can be judged again."""
    for table in ("score", "measure", "standing", *ANALYSED):
        store.execute(f"DELETE FROM {table} WHERE config = ?", (config,))  # noqa: S608


def forget_config_results(store: Store, config: int) -> None:
    """Undo a configuration's retrieval and measures, so that it can be tried again."""
    forget_measures(store, config)
    for table in ("hit", "retrieval", "latency"):
        store.execute(f"DELETE FROM {table} WHERE config = ?", (config,))  # noqa: S608
