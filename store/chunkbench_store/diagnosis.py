"""What ails the chunks: counts and findings, written by the engine, read by all that show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chunkbench_store.database import Store

MOST_OF_A_KIND = 200
"""Findings of one kind that are kept of a strategy."""


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A place that something ails; see the schema. Documents are ids in the store."""

    kind: str
    document: int
    start: int
    end: int
    line: int
    chunk: int | None
    value: float
    other_document: int | None = None
    other_line: int | None = None


@dataclass(frozen=True, slots=True)
class PlacedFinding:
    """A finding as it is shown: documents by name, and some of its text.

    Attributes:
        other: `document:line` of another of a group of duplicates, "" where there is none.
        beginning: of its text, white space in one, with `…` where it is cut.
        ending: likewise.
    """

    kind: str
    document: int
    name: str
    start: int
    end: int
    line: int
    chunk: int | None
    value: float
    other: str
    beginning: str
    ending: str

    @property
    def place(self) -> str:
        return f"{self.name}:{self.line}"


def put_findings(store: Store, chunk_set: int, model: str, rows: Sequence[FindingRow]) -> None:
    """Keep findings until there are `MOST_OF_A_KIND` of a kind, inside `write()`."""
    room = {
        kind: MOST_OF_A_KIND
        - store.value(
            "SELECT count(*) FROM finding WHERE chunk_set = ? AND model = ? AND kind = ?",
            (chunk_set, model, kind),
        )
        for kind in {row.kind for row in rows}
    }
    kept = []
    for row in rows:
        if room[row.kind] > 0:
            room[row.kind] -= 1
            kept.append(row)
    store.insert_many(
        "INSERT OR REPLACE INTO finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                chunk_set,
                model,
                row.kind,
                row.document,
                row.start,
                row.end,
                row.line,
                row.chunk,
                row.value,
                row.other_document,
                row.other_line,
            )
            for row in kept
        ],
    )


def put_diagnosis(store: Store, chunk_set: int, model: str, counts: Mapping[str, float]) -> None:
    """Keep the counts, inside `write()`."""
    store.insert_many(
        "INSERT OR REPLACE INTO diagnosis VALUES (?, ?, ?, ?)",
        [(chunk_set, model, name, value) for name, value in counts.items()],
    )


def is_diagnosed(store: Store, chunk_set: int, model: str) -> bool:
    """Whether the counts are known; model "" for those without vectors."""
    return bool(
        store.value(
            "SELECT count(*) FROM diagnosis WHERE chunk_set = ? AND model = ?", (chunk_set, model)
        )
    )


def diagnoses_of(store: Store, run: int) -> dict[int, dict[str, float]]:
    """The counts of every configuration of a run that has any, by its id."""
    counts: dict[int, dict[str, float]] = {}
    for config, name, value in store.rows(
        "SELECT config.id, name, value FROM config JOIN diagnosis"
        " ON diagnosis.chunk_set = config.chunk_set AND diagnosis.model IN ('', config.model)"
        " WHERE config.run = ?",
        (run,),
    ):
        counts.setdefault(config, {})[name] = value
    return counts


def findings_of(
    store: Store, config: int, most: int = MOST_OF_A_KIND, excerpt: int = 80
) -> list[PlacedFinding]:
    """What was found of a configuration, by kind, the worst first.

    Args:
        most: findings of a kind.
        excerpt: most characters of the beginning, and of the ending, of a finding's text.
    """
    rows = store.rows(
        "SELECT * FROM (SELECT kind, finding.document, document.name, start,"
        ' finding."end" AS "end", line, chunk, value, other.name AS other, other_line,'
        " document.sha256, row_number() OVER (PARTITION BY kind"
        # of these a smaller value is worse
        "  ORDER BY CASE WHEN kind IN ('fragments', 'orphans') THEN value ELSE -value END,"
        "  document.position, start) AS place"
        " FROM config JOIN finding"
        " ON finding.chunk_set = config.chunk_set AND finding.model IN ('', config.model)"
        " JOIN document ON document.id = finding.document"
        " LEFT JOIN document AS other ON other.id = finding.other_document"
        " WHERE config.id = ?) WHERE place <= ? ORDER BY kind, place",
        (config, most),
    )
    texts = _excerpts(store, {(row["sha256"], row["start"], row["end"]) for row in rows}, excerpt)
    return [
        PlacedFinding(
            row["kind"],
            row["document"],
            row["name"],
            row["start"],
            row["end"],
            row["line"],
            row["chunk"],
            row["value"],
            f"{row['other']}:{row['other_line']}" if row["other"] else "",
            *texts[row["sha256"], row["start"], row["end"]],
        )
        for row in rows
    ]


def _excerpts(
    store: Store, places: Iterable[tuple[str, int, int]], most: int
) -> dict[tuple[str, int, int], tuple[str, str]]:
    """The first and the last characters of each place; each text is read once."""
    excerpts: dict[tuple[str, int, int], tuple[str, str]] = {}
    read, text = "", ""
    reach = 4 * most  # enough for the white space that is left out
    for sha256, start, end in sorted(places):
        if sha256 != read:
            read = sha256
            text = store.value("SELECT text FROM document_text WHERE sha256 = ?", (sha256,))
        first = " ".join(text[start : min(end, start + reach)].split())
        last = " ".join(text[max(start, end - reach) : end].split())
        excerpts[sha256, start, end] = (
            first if len(first) <= most else f"{first[:most]}…",
            last if len(last) <= most else f"…{last[-most:]}",
        )
    return excerpts
