"""The files that each screen is written into."""

from __future__ import annotations

import csv
import io
import json
import re
from functools import partial
from typing import TYPE_CHECKING

from chunkbench_tui.exporting import Export, command_output

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from chunkbench_store.live import BoardRow
    from chunkbench_store.questions import Passage, QuestionDetail, QuestionEntry
    from chunkbench_store.strategies import StrategyEntry
    from chunkbench_tui.boundaries_view import BoundariesView
    from chunkbench_tui.document.coverage import Chunking


def run_exports(store: Path, run: int, *, page: bool) -> list[Export]:
    """The leaderboard, as `report` prints it.

    Args:
        page: the report to hand on too, which a run without questions has not.
    """
    kinds = [("leaderboard", "csv"), ("leaderboard", "md"), ("report", "html")]
    return [
        Export(
            f"run-{run}-{what}.{to}",
            partial(command_output, "report", str(run), "--to", to, "--db", str(store)),
        )
        for what, to in kinds[: 3 if page else 2]
    ]


def list_exports(store: Path) -> list[Export]:
    """The list of runs, as `runs` prints it."""
    return [Export("runs.json", partial(command_output, "runs", "--json", "--db", str(store)))]


def strategy_exports(run: int, row: BoardRow) -> list[Export]:
    """The measures of a configuration."""
    rows = [(name, m.value, m.low, m.high) for name, m in sorted(row.measures.items())]
    make = partial(_csv, ("measure", "value", "low", "high"), rows)
    return [Export(f"run-{run}-{named(row.label)}-measures.csv", make)] if rows else []


def chunks_exports(view: BoundariesView) -> list[Export]:
    """The chunks of a document, with the fields of `chunk`; a file for each strategy shown."""
    shown = ((view.choice.strategy, view.chunking), (view.second, view.second_chunking))
    return [
        Export(
            f"run-{view.choice.summary.id}-{named(view.document.name)}"
            f"-{named(entry.label)}-chunks.jsonl",
            partial(_chunks, view.document.name, view.text, made),
        )
        for entry, made in shown
        if entry is not None and made is not None
    ]


def questions_exports(
    run: int,
    entries: Sequence[QuestionEntry],
    detail: QuestionDetail | None,
    hits_of: Sequence[tuple[StrategyEntry, QuestionDetail]],
) -> list[Export]:
    """The list of questions as it is shown; the chosen one with its evidence and hits."""
    rows = [(q.key, q.text, q.category, q.answerable, q.hit, q.ndcg) for q in entries]
    headings = ("id", "question", "category", "answerable", "hit", "ndcg")
    exports = [Export(f"run-{run}-questions.csv", partial(_csv, headings, rows))]
    if detail is not None:
        name = f"run-{run}-question-{named(detail.key)}.json"
        exports.append(Export(name, partial(_question, detail, hits_of)))
    return exports


def named(text: str) -> str:
    """A text as part of a file's name."""
    return re.sub(r"[^\w.=-]+", "-", text).strip("-.")[:60] or "unnamed"


def _csv(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return output.getvalue()


def _chunks(document: str, text: str, made: Chunking) -> str:
    spans, lines = made.spans, []
    for place, (start, end) in enumerate(zip(spans.starts, spans.ends, strict=True)):
        row: dict[str, object] = {"document": document, "start": start, "end": end}
        context = spans.context_starts[place], spans.context_ends[place]
        if context[0] >= 0:
            row["context"] = list(context)
        row["tokens"] = spans.tokens[place]
        row["text"] = text[start:end]
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(lines)


def _question(
    detail: QuestionDetail, hits_of: Sequence[tuple[StrategyEntry, QuestionDetail]]
) -> str:
    def place(passage: Passage) -> dict[str, object]:
        return {
            "document": passage.name,
            "start": passage.start,
            "end": passage.end,
            "text": passage.text,
        }

    content = {
        "id": detail.key,
        "question": detail.text,
        "category": detail.category,
        "answer": list(detail.answers),
        "evidence": [
            {"slot": one.slot, "alternative": one.alternative, **place(one.passage)}
            for one in detail.evidence
        ],
        "hits": {
            f"{entry.label} ({entry.experiment})": [
                {
                    "rank": hit.rank,
                    "score": hit.score,
                    "grade": hit.grade,
                    "reason": hit.reason,
                    **place(hit.passage),
                }
                for hit in found.hits
            ]
            for entry, found in hits_of
        },
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
