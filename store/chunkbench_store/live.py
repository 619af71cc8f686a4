"""Read models of the screens: one frozen snapshot a question, each a handful of queries."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chunkbench_store.cutoff import cutoff_name
from chunkbench_store.diagnosis import diagnoses_of
from chunkbench_store.experiments import experiment_name
from chunkbench_store.runs import LOST_AFTER_SECONDS, seconds_since

if TYPE_CHECKING:
    import sqlite3

    from chunkbench_store.database import Store


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One line of the list of runs.

    `state` is the stored one, or `lost` where the engine has gone without a word.
    `progress` is between 0 and 1; `judge` is the kind of judge, as in the settings. `budget` is
    the number of context tokens that ends a ranked list; 0 where k passages do.
    `best_provisional` says that the score of the best can still fall, or could when it was left.
    """

    id: int
    state: str
    reason: str
    corpus: str
    documents: int
    questions: int
    strategies: int
    models: tuple[str, ...]
    progress: float
    best: str
    best_ndcg: float | None
    created_at: str
    heartbeat_age: float | None
    busy_seconds: float
    k: int
    judge: str
    budget: int = 0
    best_provisional: bool = False

    @property
    def cutoff(self) -> str:
        """What stands behind the `@` of the run's measures."""
        return cutoff_name(self.k, self.budget)

    @property
    def alive(self) -> bool:
        return self.state in ("running", "paused")


@dataclass(frozen=True, slots=True)
class Stage:
    name: str
    done: float
    total: float
    busy_seconds: float

    @property
    def fraction(self) -> float:
        return self.done / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    value: float
    low: float | None
    high: float | None
    provisional: bool


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One line of the leaderboard: a configuration with what is known of it so far.

    Three are None until the experiment's verdict is reached: the share of the bootstrap
    resamples in which it is best, the Holm-corrected p of its difference to the leader (None for
    the leader itself), and whether it cannot be told apart from the leader. `diagnosis` has counts
    of what ails its chunks, empty until they are known.

    `cold_seconds` is what the strategy's chunking is charged with, `cold_run_seconds` what it took
    where it was really run alone; None where that was not asked for, or cannot be done.
    """

    config: int
    chunk_set: int
    label: str
    family: str
    model: str
    retrieval: str
    state: str
    reason: str
    note: str
    done: int
    total: int
    chunks: int
    own_seconds: float
    charged_seconds: float
    paid_seconds: float
    peak_bytes: int
    index_bytes: int
    embed_seconds: float
    same_as: str
    measures: dict[str, Measured]
    selection: float | None = None
    p_leader: float | None = None
    tied: bool | None = None
    cold_run_seconds: float | None = None
    diagnosis: dict[str, float] = field(default_factory=dict)

    @property
    def experiment(self) -> str:
        """Name of the model and retrieval it is under: rows are compared within one."""
        return experiment_name(self.model, self.retrieval)

    @property
    def cold_seconds(self) -> float:
        return self.own_seconds + self.charged_seconds

    def value(self, measure: str) -> float | None:
        found = self.measures.get(measure)
        return None if found is None else found.value


@dataclass(frozen=True, slots=True)
class Event:
    id: int
    at: str
    level: str
    text: str


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """The verdict over an experiment's configurations; the engine knows what its content means."""

    model: str
    retrieval: str
    content: dict[str, Any]

    @property
    def experiment(self) -> str:
        return experiment_name(self.model, self.retrieval)


@dataclass(frozen=True, slots=True)
class LiveRun:
    """All that the live screen shows, read in one go. Verdicts are there once the pool is closed,
    in the order of the experiments."""

    summary: RunSummary
    stages: tuple[Stage, ...]
    board: tuple[BoardRow, ...]
    events: tuple[Event, ...]
    worker_rss: int
    verdicts: tuple[VerdictRow, ...] = ()

    @property
    def experiments(self) -> tuple[str, ...]:
        """Names of the experiments, in the order of the plan."""
        return tuple(dict.fromkeys(row.experiment for row in self.board))

    @property
    def provisional(self) -> bool:
        return any(m.provisional for row in self.board for m in row.measures.values())


_SUMMARY = """
SELECT run.id, run.state, run.reason, corpus.name AS corpus, corpus.documents,
       (SELECT count(*) FROM question WHERE question.question_set = run.question_set)
           AS questions,
       (SELECT count(*) FROM chunk_set WHERE chunk_set.run = run.id) AS strategies,
       run.settings, run.created_at, run.heartbeat_at, run.busy_seconds, run.worker_rss
FROM run JOIN corpus ON corpus.id = run.corpus
"""


def _summary(store: Store, row: sqlite3.Row) -> RunSummary:
    stages = stages_of(store, row["id"])
    total = sum(1 for stage in stages if stage.total)
    best = store.row(
        "SELECT strategy, ndcg, EXISTS (SELECT 1 FROM measure WHERE measure.config ="
        " leaderboard.config AND provisional) AS provisional"
        " FROM leaderboard WHERE run = ? AND ndcg IS NOT NULL"
        " ORDER BY ndcg DESC, config LIMIT 1",
        (row["id"],),
    )
    age = seconds_since(row["heartbeat_at"])
    settings = json.loads(row["settings"])
    lost = row["state"] in ("running", "paused") and (age is None or age > LOST_AFTER_SECONDS)
    return RunSummary(
        id=row["id"],
        state="lost" if lost else row["state"],
        reason=row["reason"],
        corpus=row["corpus"],
        documents=row["documents"],
        questions=row["questions"],
        strategies=row["strategies"],
        models=tuple(settings["models"]),
        progress=sum(stage.fraction for stage in stages) / total if total else 0.0,
        best=best["strategy"] if best else "",
        best_ndcg=best["ndcg"] if best else None,
        created_at=row["created_at"],
        heartbeat_age=age,
        busy_seconds=row["busy_seconds"],
        k=settings["k"],
        judge=settings["judge"],
        budget=settings.get("budget", 0),
        best_provisional=bool(best and best["provisional"]),
    )


def runs(store: Store) -> list[RunSummary]:
    """Every run, newest first."""
    return [_summary(store, row) for row in store.rows(_SUMMARY + " ORDER BY run.id DESC")]


def run_summary(store: Store, run: int) -> RunSummary | None:
    row = store.row(_SUMMARY + " WHERE run.id = ?", (run,))
    return None if row is None else _summary(store, row)


def stages_of(store: Store, run: int) -> tuple[Stage, ...]:
    return tuple(
        Stage(*row)
        for row in store.rows(
            "SELECT name, done, total, busy_seconds FROM stage WHERE run = ? ORDER BY position",
            (run,),
        )
    )


def board_of(store: Store, run: int) -> tuple[BoardRow, ...]:
    """The configurations of a run in the order of its plan, with their measures."""
    measures: dict[int, dict[str, Measured]] = {}
    for row in store.rows(
        "SELECT config, name, value, low, high, provisional FROM measure"
        " WHERE config IN (SELECT id FROM config WHERE run = ?)",
        (run,),
    ):
        measures.setdefault(row[0], {})[row[1]] = Measured(row[2], row[3], row[4], bool(row[5]))
    diagnoses = diagnoses_of(store, run)
    # The first strategy with the same chunks, where two of a run give the same.
    first: dict[str, str] = {}
    rows = []
    for row in store.rows(
        "SELECT config.id, config.chunk_set, label, family, model, retrieval, config.state,"
        " chunk_set.state AS chunk_state, config.reason, config.note, config.done, config.total,"
        " chunks, own_seconds, charged_seconds, paid_seconds, peak_bytes, index_bytes,"
        " embed_seconds, digest, selection, p_leader, tied,"
        # of some documents only it would say nothing: the sum of all, or none
        " (SELECT CASE WHEN count(*) = count(cold_seconds) THEN sum(cold_seconds) END"
        " FROM chunk_unit WHERE chunk_unit.chunk_set = chunk_set.id) AS cold_run_seconds"
        " FROM config JOIN chunk_set ON chunk_set.id = config.chunk_set"
        " LEFT JOIN standing ON standing.config = config.id"
        " WHERE config.run = ? ORDER BY chunk_set.position, config.id",
        (run,),
    ):
        state = row["state"]
        if state == "waiting" and row["chunk_state"] == "running":
            state = "chunking"
        same = first.setdefault(row["digest"], row["label"]) if row["digest"] else row["label"]
        rows.append(
            BoardRow(
                config=row["id"],
                chunk_set=row["chunk_set"],
                label=row["label"],
                family=row["family"],
                model=row["model"],
                retrieval=row["retrieval"],
                state=state,
                reason=row["reason"],
                note=row["note"],
                done=row["done"],
                total=row["total"],
                chunks=row["chunks"],
                own_seconds=row["own_seconds"],
                charged_seconds=row["charged_seconds"],
                paid_seconds=row["paid_seconds"],
                peak_bytes=row["peak_bytes"],
                index_bytes=row["index_bytes"],
                embed_seconds=row["embed_seconds"],
                same_as="" if same == row["label"] else same,
                measures=measures.get(row["id"], {}),
                selection=row["selection"],
                p_leader=row["p_leader"],
                tied=None if row["tied"] is None else bool(row["tied"]),
                cold_run_seconds=row["cold_run_seconds"],
                diagnosis=diagnoses.get(row["id"], {}),
            )
        )
    return tuple(rows)


def verdicts_of(store: Store, run: int) -> tuple[VerdictRow, ...]:
    """The verdicts of a run, in the order of its experiments."""
    return tuple(
        VerdictRow(row[0], row[1], json.loads(row[2]))
        for row in store.rows(
            "SELECT model, retrieval, content FROM verdict WHERE run = ? ORDER BY"
            " (SELECT min(id) FROM config WHERE config.run = verdict.run"
            " AND config.model = verdict.model AND config.retrieval = verdict.retrieval)",
            (run,),
        )
    )


def events_of(store: Store, run: int, limit: int = 200) -> tuple[Event, ...]:
    """The newest events of a run, oldest of them first."""
    rows = store.rows(
        "SELECT id, at, level, text FROM event WHERE run = ? ORDER BY id DESC LIMIT ?", (run, limit)
    )
    return tuple(Event(*row) for row in reversed(rows))


def live_run(store: Store, run: int) -> LiveRun | None:
    """Everything the live screen shows; None if there is no such run."""
    row = store.row(_SUMMARY + " WHERE run.id = ?", (run,))
    if row is None:
        return None
    summary = _summary(store, row)
    return LiveRun(
        summary=summary,
        stages=stages_of(store, run),
        board=board_of(store, run),
        events=events_of(store, run),
        worker_rss=row["worker_rss"],
        verdicts=verdicts_of(store, run),
    )


def memory_curve(store: Store, chunk_set: int) -> list[tuple[float, int]]:
    """(seconds of chunking, bytes above the start), in order."""
    return [
        (row[0], row[1])
        for row in store.rows(
            "SELECT elapsed, bytes FROM sample WHERE chunk_set = ? ORDER BY elapsed", (chunk_set,)
        )
    ]
