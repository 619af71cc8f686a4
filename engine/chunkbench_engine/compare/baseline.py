"""A baseline: what a later run is compared with, as a small JSON file that can be committed.

Version 1 is an object with

* `format` ("chunkbench baseline"), `version` (1), `made_with`;
* `run`: `name`, `corpus`, `documents`, `cutoff`, `split`;
* `manifest`: as stored with the run, without what only the strategies left out needed;
* `questions`: [id, hash of wording, answers and evidence] of each question, in order;
* `experiments`: `model`, `retrieval`, and `ideal`: DCG of the ideal list for each question;
* `strategies`: `label`, `model`, `retrieval`, `values` (measures of the whole), and `scores`: by
  measure a list with a value for each question, null where the measure has none.
"""

from __future__ import annotations

import json
from importlib import metadata
from typing import TYPE_CHECKING, Any

from chunkbench_engine.compare.side import Configuration, Experiment, Measured, Side
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_MOST = 1e18
"""No measure is above it: bytes of an index, the largest, are far below. NaN is not either."""
FORMAT = "chunkbench baseline"
VERSION = 1
_KEPT = (
    "corpus",
    "questions",
    "judge",
    "models",
    "retrieval",
    "chunker_model",
    "language_model",
    "tokenizer",
    "code",
    "seed",
    "packages",
    "machine",
)


def baseline_text(side: Side, labels: Sequence[str] = ()) -> str:
    """The baseline of a run's strategies, as text.

    Args:
        labels: of the strategies to keep; empty for all that have a result.

    Raises:
        BadInput: one of them has no result, or the run is not finished.
    """
    if side.provisional:
        raise BadInput(f"{side.name} is not finished: a baseline is made of a finished run")
    known = {key.label for key in side.finished}
    for label in labels:
        if label not in known:
            raise BadInput(f"{side.name} has no result of {label}; it has {', '.join(known)}")
    kept = {key: m for key, m in side.finished.items() if not labels or key.label in labels}
    if not kept:
        raise BadInput(f"{side.name} has no strategy with a result")
    keys = list(side.questions)
    experiments = list(dict.fromkeys(key.experiment for key in kept))
    content = {
        "format": FORMAT,
        "version": VERSION,
        "made_with": f"chunkbench-tui {metadata.version('chunkbench-tui')}",
        "run": {
            "name": side.name,
            "corpus": side.corpus,
            "documents": side.documents,
            "cutoff": side.cutoff,
            "split": side.split,
        },
        "manifest": {name: side.manifest[name] for name in _KEPT if name in side.manifest},
        "questions": [[key, side.questions[key]] for key in keys],
        "experiments": [
            {
                "model": experiment.model,
                "retrieval": experiment.retrieval,
                "ideal": [side.ideals.get(experiment, {}).get(key) for key in keys],
            }
            for experiment in experiments
        ],
        "strategies": [
            {
                "label": key.label,
                "model": key.experiment.model,
                "retrieval": key.experiment.retrieval,
                "values": measured.values,
                "scores": {
                    name: [scores.get(question) for question in keys]
                    for name, scores in sorted(measured.scores.items())
                },
            }
            for key, measured in kept.items()
        ],
    }
    return _written(content) + "\n"


def read_baseline(path: Path) -> Side:
    """A baseline file as a side.

    Raises:
        BadInput: it cannot be read, is no baseline, or is of a later version.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    except RecursionError as error:
        raise BadInput(f"{path} is no JSON that a baseline could be: nested too deep") from error
    except ValueError as error:  # not UTF-8, not JSON, or a number of thousands of digits
        raise BadInput(f"{path} is no JSON: {error}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadInput(f"{path} is no baseline: make one with chunkbench-tui export-baseline")
    if content.get("version") != VERSION:
        raise BadInput(
            f"{path} is a baseline of version {content.get('version')}, and this reads version "
            f"{VERSION}: upgrade, or make it anew with chunkbench-tui export-baseline"
        )
    try:
        return _side(path.name, content)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadInput(
            f"{path} is a damaged baseline ({type(error).__name__}: {error}): make it anew with "
            "chunkbench-tui export-baseline"
        ) from error


def _side(name: str, content: dict[str, Any]) -> Side:
    run = content["run"]
    questions = {str(key): str(content_hash) for key, content_hash in content["questions"]}
    if len(questions) != len(content["questions"]):
        raise ValueError("a question is there twice")
    keys = list(questions)
    side = Side(
        name=name,
        corpus=str(run["corpus"]),
        documents=int(run["documents"]),
        document_hashes={},
        cutoff=str(run["cutoff"]),
        split=str(run["split"]),
        manifest=_manifest(content["manifest"]),
        questions=questions,
        finished={
            Configuration(str(entry["label"]), _experiment(entry)): Measured(
                {str(measure): _by_question(keys, row) for measure, row in entry["scores"].items()},
                {str(measure): _number(value) for measure, value in entry["values"].items()},
            )
            for entry in content["strategies"]
        },
        ideals={
            _experiment(entry): _by_question(keys, entry["ideal"])
            for entry in content["experiments"]
        },
        without_result={},
        provisional=False,
    )
    _check_ideals(side)
    return side


def _manifest(content: dict[str, Any]) -> dict[str, Any]:
    """The manifest, of which the entries that are objects in a run's are objects."""
    for name in ("models", "retrieval", "code", "packages", "machine"):
        if not isinstance(content.get(name, {}), dict):
            raise TypeError(f"{name} of the manifest is no object")
    return dict(content)


def _check_ideals(side: Side) -> None:
    """Pooled nDCG is compared by its ideals: what has gained anything must have one.

    Raises:
        ValueError: it has none.
    """
    for key, measured in side.finished.items():
        ideals = side.ideals.get(key.experiment, {})
        pooled = [row for name, row in measured.scores.items() if name.startswith("nDCG@")]
        for question, score in (pair for row in pooled for pair in row.items()):
            if question not in ideals or (score > 0 and ideals[question] <= 0):
                raise ValueError(f"nDCG of {key.label} has no ideal for {question!r}")


def _experiment(entry: dict[str, Any]) -> Experiment:
    return Experiment(str(entry["model"]), str(entry["retrieval"]))


def _by_question(keys: Sequence[str], row: Sequence[float | None]) -> dict[str, float]:
    pairs = zip(keys, row, strict=True)
    return {key: _number(value) for key, value in pairs if value is not None}


def _number(value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _MOST:
        raise ValueError(f"{str(value)[:40]} is no number that was measured")
    return float(value)


def _written(value: Any, indent: int = 0) -> str:  # noqa: ANN401 - JSON
    """JSON with what holds no further objects on one line, so that a change of it reads well."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if not any(isinstance(entry, dict | list) for entry in inner):
        return json.dumps(value, ensure_ascii=False)
    space = "  " * (indent + 1)
    if isinstance(value, dict):
        lines = [
            f"{json.dumps(name, ensure_ascii=False)}: {_written(entry, indent + 1)}"
            for name, entry in value.items()
        ]
    else:
        lines = [_written(entry, indent + 1) for entry in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    body = ",\n".join(space + line for line in lines)
    return f"{opening}\n{body}\n{'  ' * indent}{closing}"
