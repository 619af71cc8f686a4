"""Read model of the strategy screen: what one configuration of a run did, in detail."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunkbench_store.cutoff import CUTOFF
from chunkbench_store.experiments import experiment_name

if TYPE_CHECKING:
    from chunkbench_store.database import Store

MOST_QUESTIONS = 50
"""Worst questions of a configuration that are listed."""
_BUCKETS = 24


@dataclass(frozen=True, slots=True)
class StrategyEntry:
    """A configuration of a run.

    Attributes:
        chunk_state: how far its chunking is; `state` is of all of it.
        reason: why it has no result, "" if that is not so.
        ndcg: nDCG at the run's cutoff, None while it is not known.
    """

    config: int
    chunk_set: int
    label: str
    model: str
    retrieval: str
    state: str
    chunk_state: str
    reason: str
    ndcg: float | None

    @property
    def experiment(self) -> str:
        """Name of the model and retrieval it is under."""
        return experiment_name(self.model, self.retrieval)


@dataclass(frozen=True, slots=True)
class Histogram:
    """Chunk sizes in tokens: `counts[i]` chunks have from `i * width` to below `(i + 1) * width`.

    Attributes:
        width: of a bucket, in tokens.
    """

    width: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CutCounts:
    """How boundaries fall, over all documents that are chunked.

    Attributes:
        begin_inside: chunks that begin inside a sentence; `end_inside` likewise.
        inside: chunks that do either.
        headings_left: chunks whose last line is a heading.
    """

    chunks: int
    begin_inside: int
    end_inside: int
    inside: int
    tables: int
    tables_cut: int
    fences: int
    fences_cut: int
    headings_left: int


@dataclass(frozen=True, slots=True)
class WorstQuestion:
    """A question with its score under a configuration."""

    id: int
    key: str
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class StrategyDetail:
    """What the board does not say of a configuration.

    Attributes:
        documents: chunked so far.
        documents_total: of the corpus.
        upsert_seconds: of putting the vectors into the index.
        search_seconds: of all timed queries, embedding of the question included.
        over_window: chunks longer than the model's window.
        histogram: None while there is no chunk.
        cuts: None while there is no chunked document.
        worst: questions by nDCG at the run's cutoff, lowest first; empty while they are not scored.
    """

    documents: int
    documents_total: int
    upsert_seconds: float
    search_seconds: float
    over_window: int
    histogram: Histogram | None
    cuts: CutCounts | None
    worst: tuple[WorstQuestion, ...]


def latest_run(store: Store) -> int | None:
    """The newest run that is under way, else the newest."""
    found = store.value(
        "SELECT id FROM run ORDER BY state IN ('running', 'paused') DESC, id DESC LIMIT 1"
    )
    return None if found is None else int(found)


def strategies_of_run(store: Store, run: int) -> tuple[StrategyEntry, ...]:
    """The configurations of a run, the best first; those without a score in the plan's order."""
    return tuple(
        StrategyEntry(*row)
        for row in store.rows(
            "SELECT config.id, chunk_set.id, label, model, retrieval, config.state,"  # noqa: S608
            " chunk_set.state, config.reason, value"
            " FROM config JOIN chunk_set ON chunk_set.id = config.chunk_set"
            " JOIN run ON run.id = config.run"
            " LEFT JOIN measure ON measure.config = config.id"
            f" AND measure.name = 'nDCG@' || {CUTOFF}"
            " WHERE config.run = ? ORDER BY value DESC NULLS LAST, position, config.id",
            (run,),
        )
    )


def strategy_detail(store: Store, config: int, cutoff: str) -> StrategyDetail | None:
    """The detail of a configuration; None if there is none such."""
    row = store.row(
        "SELECT chunk_set.id, chunk_set.documents, corpus.documents, upsert_seconds, over_window"
        " FROM config JOIN chunk_set ON chunk_set.id = config.chunk_set"
        " JOIN run ON run.id = config.run JOIN corpus ON corpus.id = run.corpus"
        " WHERE config.id = ?",
        (config,),
    )
    if row is None:
        return None
    searched = store.value(
        "SELECT sum(embed_seconds + search_seconds) FROM latency WHERE config = ?", (config,)
    )
    return StrategyDetail(
        documents=row[1],
        documents_total=row[2],
        upsert_seconds=row[3],
        search_seconds=searched or 0.0,
        over_window=row[4],
        histogram=histogram_of(store, row[0]),
        cuts=_cuts(store, row[0]),
        worst=worst_questions(store, config, cutoff),
    )


def histogram_of(store: Store, chunk_set: int) -> Histogram | None:
    """The sizes of a strategy's chunks in buckets of 1, 2 or 5 times a power of ten tokens."""
    most = store.value("SELECT max(tokens) FROM chunk WHERE chunk_set = ?", (chunk_set,))
    if most is None:
        return None
    width, steps = 1, (2, 2.5, 2)
    step = 0
    while most // width >= _BUCKETS:
        width = int(width * steps[step % 3])
        step += 1
    counts = [0] * (most // width + 1)
    for bucket, count in store.rows(
        "SELECT tokens / ?, count(*) FROM chunk WHERE chunk_set = ? GROUP BY 1",
        (width, chunk_set),
    ):
        counts[bucket] = count
    return Histogram(width, tuple(counts))


def worst_questions(store: Store, config: int, cutoff: str) -> tuple[WorstQuestion, ...]:
    """The questions a configuration answers worst, by nDCG at k; at most `MOST_QUESTIONS`."""
    return tuple(
        WorstQuestion(*row)
        for row in store.rows(
            "SELECT question.id, key, text, value FROM score"
            " JOIN question ON question.id = score.question"
            " WHERE config = ? AND measure = ? ORDER BY value, position LIMIT ?",
            (config, f"nDCG@{cutoff}", MOST_QUESTIONS),
        )
    )


def _cuts(store: Store, chunk_set: int) -> CutCounts | None:
    names = CutCounts.__slots__
    sums = ", ".join(f"sum(json_extract(diagnostics, '$.{name}'))" for name in names)
    row = store.row(f"SELECT {sums} FROM chunk_unit WHERE chunk_set = ?", (chunk_set,))  # noqa: S608
    if row is None or row[0] is None:
        return None
    return CutCounts(*(count or 0 for count in row))


def parameters_of(store: Store, run: int) -> dict[int, tuple[str, dict[str, Any]]]:
    """Abbreviation and parameters of a run's strategies, by chunk set."""
    return {
        row["id"]: (row["abbreviation"], json.loads(row["parameters"]))
        for row in store.rows(
            "SELECT id, abbreviation, parameters FROM chunk_set WHERE run = ?", (run,)
        )
    }
