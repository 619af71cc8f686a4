"""The view `leaderboard` says which cutoff its measures have: `5`, or `2000t` with a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_store.cutoff import CUTOFF

if TYPE_CHECKING:
    from sqlite_utils.db import Database

_LEADERBOARD = """
CREATE VIEW leaderboard AS
SELECT config.run, config.id AS config, chunk_set.label AS strategy, config.model,
       config.retrieval, config.state,
       CASE WHEN coalesce(json_extract(run.settings, '$.budget'), 0) = 0
            THEN json_extract(run.settings, '$.k') END AS k,
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
       max(measure.provisional) AS provisional,
       {cutoff} AS cutoff
FROM config
JOIN run ON run.id = config.run
JOIN chunk_set ON chunk_set.id = config.chunk_set
LEFT JOIN measure ON measure.config = config.id
LEFT JOIN standing ON standing.config = config.id
GROUP BY config.id"""


def m005_budget(db: Database) -> None:
    db.conn.execute("DROP VIEW leaderboard")
    db.conn.execute(_LEADERBOARD.format(cutoff=CUTOFF))
