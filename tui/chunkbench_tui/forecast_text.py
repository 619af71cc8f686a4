"""What a run will take, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkbench_engine.counted import counted
from chunkbench_engine.judges.choice import EVIDENCE, PROXY, SUPPORT
from chunkbench_tui.quantities import duration_text

if TYPE_CHECKING:
    from collections.abc import Mapping

_PROBLEMS = 8
"""Question rows that cannot be used, listed at most."""
_ADVISED = 30


def forecast_text(found: Mapping[str, Any]) -> str:
    """Sentences about the fields of a `Forecast`; the problems first, for they need the person."""
    lines = _problem_lines(found["problems"])
    lines.append(
        f"{counted(found['documents'], 'document')}, {found['characters']:,} characters; "
        f"{counted(found['questions'], 'question')}, {found['answerable']} of them answerable."
    )
    if not found["questions"]:
        lines.append("Without questions nothing can be ranked: name a file of them.")
    elif found["answerable"] < _ADVISED:
        lines.append(f"{_ADVISED} or more answerable questions are advised.")
    tried = found["strategies"] - len(found["unknown"])
    if tried:
        seconds = found["chunking_seconds"] + found["embedding_seconds"]
        lines.append(
            f"About {found['chunks']:,} chunks and {duration_text(seconds)} of chunking and "
            f"embedding for {tried} of {counted(found['strategies'], 'strategy', 'strategies')}, "
            f"from {found['sampled']:,} characters tried on this machine; searching comes on top."
        )
    reasons: dict[str, list[str]] = {}
    for label, reason in found["unknown"]:
        reasons.setdefault(reason, []).append(label)
    for reason, labels in reasons.items():
        lines.append(f"Unknown for {', '.join(labels)}: {reason}.")
    lines.append(_judge_line(found))
    return "\n".join(lines)


def _problem_lines(problems: list[str]) -> list[str]:
    if not problems:
        return []
    more = len(problems) - _PROBLEMS
    return [
        f"{counted(len(problems), 'question row')} cannot be used:",
        *problems[:_PROBLEMS],
        *([f"... and {more} more; chunkbench-tui run lists 20"] if more > 0 else []),
    ]


def _judge_line(found: Mapping[str, Any]) -> str:
    judge = found["judge"] or "unknown"
    if judge == EVIDENCE:
        return "The hits are graded by the evidence; no language model is asked."
    if judge == SUPPORT:
        return f"The hits are graded {PROXY}."
    return f"Judge {judge}: {found['judging'] or 'what it is asked is not known'}"
