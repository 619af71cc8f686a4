"""What differs between two manifests, in plain words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chunkbench_engine.compare.side import Experiment, Side

_LISTED = 5
_KIND_OF = {"lexical": ("lexical", "hybrid"), "fusion": ("hybrid",), "reranker": ("rerank",)}
"""Retrieval settings that only some ways of retrieving have."""


@dataclass(frozen=True, slots=True)
class Unlike:
    """Something that differs between two sides.

    Attributes:
        what: documents, questions, model, judge, retrieval, chunkers, versions, machine or seed.
        said: a sentence.
        matters: whether two runs that differ in it are not comparable.
    """

    what: str
    said: str
    matters: bool


def unlike(base: Side, run: Side, experiments: Iterable[Experiment]) -> list[Unlike]:
    """What differs between two sides, within the experiments that both have.

    Two runs are comparable if documents, questions, model, judge and retrieval agree.
    """
    both = list(experiments)
    found = [
        *_documents(base, run),
        *_questions(base, run),
        *_models(base, run, both),
        *_judge(base, run),
        *_retrieval(base, run, both),
        *_chunkers(base, run),
        *_versions(base, run),
        *_machine(base, run),
    ]
    if _of(base, "seed") != _of(run, "seed"):
        found.append(Unlike("seed", f"Seeds: {_of(base, 'seed')}, now {_of(run, 'seed')}.", False))
    return found


def _of(side: Side, *path: str) -> Any:  # noqa: ANN401 - JSON
    value: Any = side.manifest
    for name in path:
        value = value.get(name, "") if isinstance(value, dict) else ""
    return value


def _documents(base: Side, run: Side) -> list[Unlike]:
    if _of(base, "corpus") == _of(run, "corpus"):
        return []
    old, new = base.document_hashes, run.document_hashes
    detail = f"{base.documents} documents, now {run.documents}"
    if old and new:
        changed = [name for name in new if name in old and old[name] != new[name]]
        parts = [
            f"{len(names)} {how} ({_listed(names)})"
            for how, names in (
                ("changed", changed),
                ("new", [name for name in new if name not in old]),
                ("gone", [name for name in old if name not in new]),
            )
            if names
        ]
        detail = "; ".join(parts) or "in another order"
    return [
        Unlike(
            "documents",
            f"The documents differ: {detail}. A difference below may come from them and not from "
            "the strategies.",
            True,
        )
    ]


def _questions(base: Side, run: Side) -> list[Unlike]:
    old, new = base.questions, run.questions
    parts = [
        f"{len(keys)} {how} ({_listed(keys)})"
        for how, keys in (
            (f"only in {base.name}", [key for key in old if key not in new]),
            (f"only in {run.name}", [key for key in new if key not in old]),
            (
                "with another wording, answer or evidence",
                [key for key in new if key in old and old[key] != new[key]],
            ),
        )
        if keys
    ]
    if not parts:
        return []
    said = f"The questions differ: {'; '.join(parts)}. Only those that are the same are compared."
    return [Unlike("questions", said, True)]


def _models(base: Side, run: Side, experiments: list[Experiment]) -> list[Unlike]:
    found = []
    for model in dict.fromkeys(e.model for e in experiments if e.model):
        old, new = _of(base, "models", model), _of(run, "models", model)
        if old != new:
            said = f"The weights of {model} differ: {old or 'unknown'}, now {new or 'unknown'}."
            found.append(Unlike("model", said, True))
    return found


def _judge(base: Side, run: Side) -> list[Unlike]:
    old, new = _of(base, "judge"), _of(run, "judge")
    if old == new:
        return []
    said = (
        f"The judges differ: {old}, now {new}. Only measures that rest on no grade of theirs are "
        "compared."
    )
    return [Unlike("judge", said, True)]


def _retrieval(base: Side, run: Side, experiments: list[Experiment]) -> list[Unlike]:
    kinds = {experiment.retrieval for experiment in experiments}
    old, new = _of(base, "retrieval") or {}, _of(run, "retrieval") or {}
    found = []
    for name in dict.fromkeys([*old, *new]):
        if name == "kinds" or not kinds & set(_KIND_OF.get(name, kinds)):
            continue
        before, now = old.get(name, ""), new.get(name, "")
        if before != now:
            title = {"k": "passages retrieved", "budget": "context tokens"}.get(name, name)
            said = f"Retrieval differs: {title} {before}, now {now}."
            found.append(Unlike("retrieval", said, True))
    return found


def _chunkers(base: Side, run: Side) -> list[Unlike]:
    """What the strategies themselves are made with: it may be just what is to be compared."""
    found = []
    for name, title in (
        ("chunker_model", "The chunkers' own model"),
        ("language_model", "The language model of the strategies"),
        ("tokenizer", "The tokenizer"),
    ):
        old, new = _of(base, name), _of(run, name)
        if old and new and old != new:
            found.append(Unlike("chunkers", f"{title} differs: {old}, now {new}.", False))
    own = _of(run, "chunker_model")
    old, new = _of(base, "models", own), _of(run, "models", own)
    if own == _of(base, "chunker_model") and old and new and old != new:
        said = f"The weights of the chunkers' own model differ: {old}, now {new}."
        found.append(Unlike("chunkers", said, False))
    old, new = _of(base, "code") or {}, _of(run, "code") or {}
    for target in dict.fromkeys([*old, *new]):
        if target in old and target in new and old[target] != new[target]:
            said = f"The code of {target} has changed: {old[target]}, now {new[target]}."
            found.append(Unlike("chunkers", said, False))
    return found


def _versions(base: Side, run: Side) -> list[Unlike]:
    old, new = _of(base, "packages") or {}, _of(run, "packages") or {}
    changed = [
        f"{name} {old.get(name, 'absent')}, now {new.get(name, 'absent')}"
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]
    return [Unlike("versions", f"Versions differ: {'; '.join(changed)}.", False)] if changed else []


def _machine(base: Side, run: Side) -> list[Unlike]:
    old, new = _of(base, "machine") or {}, _of(run, "machine") or {}
    changed = [
        f"{name} {old.get(name, 'unknown')}, now {new.get(name, 'unknown')}"
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]
    if not changed:
        return []
    said = f"The machines differ, so times are not comparable: {'; '.join(changed)}."
    return [Unlike("machine", said, False)]


def _listed(names: list[str]) -> str:
    rest = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {rest} more" if rest > 0 else "")
