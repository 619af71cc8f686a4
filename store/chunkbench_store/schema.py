"""The schema, as numbered migrations, forward only.

The database is the user's: any SQLite tool reads it, and the views `leaderboard` and
`question_scores` answer the usual questions. Conventions:

* times are UTC, ISO 8601; durations are seconds; sizes are bytes;
* spans are half-open ranges of characters, `[start, end)`, of a document's canonical text;
* text lies once, in `document_text`; chunks and hits are spans.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_store.migrations.m002_addition import m002_addition
from chunkbench_store.migrations.m003_analysis import m003_analysis
from chunkbench_store.migrations.m004_diagnosis import m004_diagnosis
from chunkbench_store.migrations.m005_budget import m005_budget
from chunkbench_store.migrations.m006_cold_run import m006_cold_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlite_utils.db import Database

MIGRATION_SET = "chunkbench"

_TABLES = """
CREATE TABLE corpus (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,            -- over the documents' names and hashes
    documents INTEGER NOT NULL,
    characters INTEGER NOT NULL,
    skipped TEXT NOT NULL DEFAULT '[]',  -- JSON list of [path, reason]
    UNIQUE (path, sha256)
) STRICT;

CREATE TABLE document_text (
    sha256 TEXT PRIMARY KEY,
    text TEXT NOT NULL               -- canonical text
) STRICT, WITHOUT ROWID;

CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    corpus INTEGER NOT NULL REFERENCES corpus ON DELETE CASCADE,
    position INTEGER NOT NULL,       -- order in the corpus, from 0
    name TEXT NOT NULL,              -- path relative to the corpus folder
    sha256 TEXT NOT NULL REFERENCES document_text,
    characters INTEGER NOT NULL,
    encoding TEXT NOT NULL,
    undecodable INTEGER NOT NULL,    -- bytes that were no valid text
    note TEXT NOT NULL,
    UNIQUE (corpus, name),
    UNIQUE (corpus, position)
) STRICT;

CREATE TABLE question_set (
    id INTEGER PRIMARY KEY,
    corpus INTEGER NOT NULL REFERENCES corpus ON DELETE CASCADE,
    sha256 TEXT NOT NULL,
    files TEXT NOT NULL,             -- JSON list of paths
    UNIQUE (corpus, sha256)
) STRICT;

CREATE TABLE question (
    id INTEGER PRIMARY KEY,
    question_set INTEGER NOT NULL REFERENCES question_set ON DELETE CASCADE,
    position INTEGER NOT NULL,
    key TEXT NOT NULL,               -- the id in the question file
    text TEXT NOT NULL,
    category TEXT NOT NULL,
    split TEXT NOT NULL,
    answers TEXT NOT NULL,           -- JSON list
    UNIQUE (question_set, key)
) STRICT;

CREATE TABLE evidence (              -- all slots are needed; any alternative of a slot will do
    question INTEGER NOT NULL REFERENCES question ON DELETE CASCADE,
    slot INTEGER NOT NULL,
    alternative INTEGER NOT NULL,
    document INTEGER NOT NULL REFERENCES document,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    PRIMARY KEY (question, slot, alternative)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    corpus INTEGER NOT NULL REFERENCES corpus,
    question_set INTEGER NOT NULL REFERENCES question_set,
    state TEXT NOT NULL CHECK (state IN
        ('pending', 'running', 'paused', 'stopped', 'finished', 'failed')),
    reason TEXT NOT NULL DEFAULT '', -- why it failed
    settings TEXT NOT NULL,          -- JSON
    manifest TEXT NOT NULL,          -- JSON: hashes, versions, machine
    created_at TEXT NOT NULL,
    started_at TEXT,
    finished_at TEXT,
    worker INTEGER,                  -- process id of the engine
    heartbeat_at TEXT,
    worker_rss INTEGER NOT NULL DEFAULT 0,
    busy_seconds REAL NOT NULL DEFAULT 0 -- time a worker was at it, over all its lives
) STRICT;

CREATE TABLE chunk_set (             -- one strategy with its parameters over the corpus
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    position INTEGER NOT NULL,
    label TEXT NOT NULL,             -- as written, e.g. 'RC(chunk_size=400)'
    abbreviation TEXT NOT NULL,
    family TEXT NOT NULL,
    parameters TEXT NOT NULL,        -- JSON, all of them
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN
        ('waiting', 'running', 'done', 'failed', 'unavailable', 'cancelled')),
    reason TEXT NOT NULL DEFAULT '',
    documents INTEGER NOT NULL DEFAULT 0,  -- chunked so far
    chunks INTEGER NOT NULL DEFAULT 0,
    own_seconds REAL NOT NULL DEFAULT 0,      -- the strategy's own work
    charged_seconds REAL NOT NULL DEFAULT 0,  -- shared annotations it reads
    paid_seconds REAL NOT NULL DEFAULT 0,     -- own, and the annotations made for it first
    peak_bytes INTEGER NOT NULL DEFAULT 0,    -- highest resident set above the start, sampled
    kernel_peak_bytes INTEGER NOT NULL DEFAULT 0, -- the same by the kernel's own count
    digest TEXT,                     -- equal digests: equal chunk sets
    UNIQUE (run, label)
) STRICT;

CREATE TABLE chunk_unit (            -- one strategy over one document, finished
    chunk_set INTEGER NOT NULL REFERENCES chunk_set ON DELETE CASCADE,
    document INTEGER NOT NULL REFERENCES document,
    chunks INTEGER NOT NULL,
    own_seconds REAL NOT NULL,
    charged_seconds REAL NOT NULL,
    paid_seconds REAL NOT NULL,
    base_rss INTEGER NOT NULL,
    peak_rss INTEGER NOT NULL,
    kernel_peak_rss INTEGER NOT NULL,
    diagnostics TEXT NOT NULL,       -- JSON: counts of cut sentences, tables, ...; remarks
    done_at TEXT NOT NULL,
    PRIMARY KEY (chunk_set, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE chunk (
    chunk_set INTEGER NOT NULL REFERENCES chunk_set ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,        -- in document order, from 0
    document INTEGER NOT NULL REFERENCES document,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    context_start INTEGER,           -- what a reader is given, if not the chunk itself
    context_end INTEGER,
    prefix TEXT NOT NULL,            -- embedded before the slice
    tokens INTEGER NOT NULL,         -- cl100k_base tokens of the slice
    context_tokens INTEGER NOT NULL, -- of what a reader is given
    PRIMARY KEY (chunk_set, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE config (                -- a chunk set under one embedding model and retrieval
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    chunk_set INTEGER NOT NULL REFERENCES chunk_set ON DELETE CASCADE,
    model TEXT NOT NULL,             -- '' for lexical retrieval, which has none
    retrieval TEXT NOT NULL CHECK (retrieval IN ('dense', 'lexical', 'hybrid', 'rerank')),
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN
        ('waiting', 'embedding', 'indexed', 'retrieving', 'retrieved', 'judged', 'finished',
         'failed', 'unavailable', 'cancelled')),
    reason TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',   -- what a reader of its numbers should know
    done INTEGER NOT NULL DEFAULT 0, -- of the stage it is in
    total INTEGER NOT NULL DEFAULT 0,
    embed_seconds REAL NOT NULL DEFAULT 0,   -- what its vectors cost when they were computed
    upsert_seconds REAL NOT NULL DEFAULT 0,  -- of filling the index
    index_bytes INTEGER NOT NULL DEFAULT 0,
    over_window INTEGER NOT NULL DEFAULT 0,  -- chunks longer than the model's window: it cuts them
    finished_at TEXT,
    UNIQUE (chunk_set, model, retrieval)
) STRICT;

CREATE TABLE hit (
    config INTEGER NOT NULL REFERENCES config ON DELETE CASCADE,
    question INTEGER NOT NULL REFERENCES question,
    rank INTEGER NOT NULL,           -- from 1
    document INTEGER NOT NULL REFERENCES document,
    start INTEGER NOT NULL,          -- the retrieved passage
    "end" INTEGER NOT NULL,
    judged_start INTEGER NOT NULL,   -- what the judge and the reader are given
    judged_end INTEGER NOT NULL,
    tokens INTEGER NOT NULL,         -- cl100k_base tokens of the judged span
    score REAL NOT NULL,             -- cosine, BM25, fused reciprocal ranks, or a reranker's
    PRIMARY KEY (config, question, rank)
) STRICT, WITHOUT ROWID;

CREATE TABLE retrieval (             -- one question against one configuration, finished
    config INTEGER NOT NULL REFERENCES config ON DELETE CASCADE,
    question INTEGER NOT NULL REFERENCES question,
    done_at TEXT NOT NULL,
    PRIMARY KEY (config, question)
) STRICT, WITHOUT ROWID;

CREATE TABLE latency (
    config INTEGER NOT NULL REFERENCES config ON DELETE CASCADE,
    question INTEGER NOT NULL REFERENCES question,
    pass INTEGER NOT NULL,
    embed_seconds REAL NOT NULL,     -- the question's embedding
    search_seconds REAL NOT NULL,    -- vector or words in, ranked list out
    PRIMARY KEY (config, question, pass)
) STRICT, WITHOUT ROWID;

CREATE TABLE judgement (             -- equal passages are judged once by a judge
    judge TEXT NOT NULL,
    question INTEGER NOT NULL REFERENCES question ON DELETE CASCADE,
    document INTEGER NOT NULL REFERENCES document,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    grade INTEGER CHECK (grade IN (0, 1, 2)),  -- NULL: it failed, and the reason says why
    reason TEXT NOT NULL,
    done_at TEXT NOT NULL,
    PRIMARY KEY (judge, question, document, start, "end")
) STRICT, WITHOUT ROWID;

CREATE TABLE score (                 -- a measure for one question
    config INTEGER NOT NULL REFERENCES config ON DELETE CASCADE,
    question INTEGER NOT NULL REFERENCES question,
    measure TEXT NOT NULL,
    value REAL NOT NULL,
    PRIMARY KEY (config, question, measure)
) STRICT, WITHOUT ROWID;

CREATE TABLE measure (
    config INTEGER NOT NULL REFERENCES config ON DELETE CASCADE,
    name TEXT NOT NULL,
    value REAL NOT NULL,
    low REAL,                        -- 95 % bootstrap interval, where it has one
    high REAL,
    provisional INTEGER NOT NULL,    -- 1 until the pool of the run is closed
    PRIMARY KEY (config, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE verdict (               -- over one model and retrieval, the pool being closed
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    model TEXT NOT NULL,
    retrieval TEXT NOT NULL,
    content TEXT NOT NULL,           -- JSON
    PRIMARY KEY (run, model, retrieval)
) STRICT, WITHOUT ROWID;

CREATE TABLE standing (              -- of a configuration in its experiment's verdict
    config INTEGER PRIMARY KEY REFERENCES config ON DELETE CASCADE,
    selection REAL NOT NULL,         -- share of the bootstrap resamples in which it is best
    p_leader REAL,                   -- Holm; of its difference to the leader, NULL for that
    tied INTEGER NOT NULL            -- 1: cannot be told apart from the leader
) STRICT;

CREATE TABLE stage (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    done REAL NOT NULL,
    total REAL NOT NULL,
    busy_seconds REAL NOT NULL,      -- time spent in it
    PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE sample (                -- resident set of a chunking process while it runs
    chunk_set INTEGER NOT NULL REFERENCES chunk_set ON DELETE CASCADE,
    elapsed REAL NOT NULL,           -- seconds of that strategy's own chunking
    bytes INTEGER NOT NULL           -- above its start
) STRICT;
CREATE INDEX sample_by_chunk_set ON sample (chunk_set, elapsed);

-- What points at a document or a question, so that a run is forgotten without reading all others.
CREATE INDEX chunk_by_document ON chunk (document, chunk_set);
CREATE INDEX chunk_unit_by_document ON chunk_unit (document);
CREATE INDEX evidence_by_document ON evidence (document);
CREATE INDEX hit_by_document ON hit (document);
CREATE INDEX hit_by_question ON hit (question);
CREATE INDEX retrieval_by_question ON retrieval (question);
CREATE INDEX latency_by_question ON latency (question);
CREATE INDEX score_by_question ON score (question);
CREATE INDEX judgement_by_document ON judgement (document);
CREATE INDEX judgement_by_question ON judgement (question);

CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    at TEXT NOT NULL,
    level TEXT NOT NULL CHECK (level IN ('info', 'warning', 'error')),
    text TEXT NOT NULL
) STRICT;
CREATE INDEX event_by_run ON event (run, id);

CREATE TABLE control (               -- what a person asks of the engine
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    at TEXT NOT NULL,
    command TEXT NOT NULL CHECK (command IN ('pause', 'resume', 'stop', 'cancel', 'retry')),
    chunk_set INTEGER REFERENCES chunk_set ON DELETE CASCADE,  -- for cancel and retry
    handled_at TEXT
) STRICT;
"""

_VIEWS = """
CREATE VIEW leaderboard AS
SELECT config.run, config.id AS config, chunk_set.label AS strategy, config.model,
       config.retrieval, config.state,
       json_extract(run.settings, '$.k') AS k,
       max(CASE WHEN measure.name GLOB 'nDCG@*' THEN value END) AS ndcg,
       max(CASE WHEN measure.name GLOB 'nDCG@*' THEN low END) AS ndcg_low,
       max(CASE WHEN measure.name GLOB 'nDCG@*' THEN high END) AS ndcg_high,
       max(CASE WHEN measure.name GLOB 'Hit@*' THEN value END) AS hit,
       max(CASE WHEN measure.name GLOB 'MRR@*' THEN value END) AS mrr,
       max(CASE measure.name WHEN 'P@1' THEN value END) AS p1,
       max(CASE measure.name WHEN 'Ceiling' THEN value END) AS ceiling,
       chunk_set.chunks,
       chunk_set.own_seconds + chunk_set.charged_seconds AS cold_seconds,
       standing.selection, standing.p_leader, standing.tied,
       max(measure.provisional) AS provisional
FROM config
JOIN run ON run.id = config.run
JOIN chunk_set ON chunk_set.id = config.chunk_set
LEFT JOIN measure ON measure.config = config.id
LEFT JOIN standing ON standing.config = config.id
GROUP BY config.id;

CREATE VIEW question_scores AS
SELECT config.run, config.id AS config, chunk_set.label AS strategy, config.model,
       config.retrieval, question.key AS question, question.category, score.measure, score.value
FROM score
JOIN config ON config.id = score.config
JOIN chunk_set ON chunk_set.id = config.chunk_set
JOIN question ON question.id = score.question;
"""


def _execute(db: Database, script: str) -> None:
    """Run the statements one by one: `executescript` would commit the migration's transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if line.split("--")[0].rstrip().endswith(";"):
            db.conn.execute(statement)
            statement = ""


def m001_first_schema(db: Database) -> None:
    _execute(db, _TABLES)
    _execute(db, _VIEWS)


MIGRATIONS: tuple[Callable[[Database], None], ...] = (
    m001_first_schema,
    m002_addition,
    m003_analysis,
    m004_diagnosis,
    m005_budget,
    m006_cold_run,
)
"""In order; one that was released is never edited."""
