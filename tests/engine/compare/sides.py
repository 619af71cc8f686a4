"""Sides made by hand: a few strategies with a value for each of a few questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkbench_engine.compare.side import Configuration, Experiment, Measured, Side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EXPERIMENT = Experiment("wordllama-256", "dense")

MANIFEST: dict[str, Any] = {
    "corpus": "c0ffee",
    "judge": "evidence",
    "models": {"wordllama-256": "wordllama-256@77ade99f3f80"},
    "chunker_model": "wordllama-256",
    "retrieval": {"kinds": ["dense"], "k": 5, "index": "qdrant embedded"},
    "seed": 0,
    "packages": {"numpy": "2.4.6"},
    "machine": {"cores": 2},
}


def side(
    name: str,
    scores: Mapping[str, Mapping[str, Sequence[float]]],
    *,
    values: Mapping[str, float] | None = None,
    ideal: Sequence[float] | None = None,
    **other: Any,  # noqa: ANN401
) -> Side:
    """A side of what each measure of each strategy is, question by question."""
    number = max(len(row) for measures in scores.values() for row in measures.values())
    keys = [f"q{n}" for n in range(number)]
    fields: dict[str, Any] = {
        "name": name,
        "corpus": "notes",
        "documents": 3,
        "document_hashes": {"a.md": "1", "b.md": "2", "c.md": "3"},
        "cutoff": "5",
        "split": "",
        "manifest": MANIFEST,
        "questions": dict.fromkeys(keys, "same"),
        "finished": {
            Configuration(label, EXPERIMENT): Measured(
                {m: dict(zip(keys, row, strict=False)) for m, row in measures.items()},
                dict(values or {}),
            )
            for label, measures in scores.items()
        },
        "ideals": {EXPERIMENT: dict(zip(keys, ideal or [1.0] * number, strict=True))},
        "without_result": {},
        "provisional": False,
    }
    return Side(**{**fields, **other})
