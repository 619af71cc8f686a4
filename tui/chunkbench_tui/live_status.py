"""The one line that says how a run stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from chunkbench_engine.judges.choice import SUPPORT
from chunkbench_tui.board import ENDED_WITHOUT_RESULT
from chunkbench_tui.quantities import HEARTBEAT_NOTICED_SECONDS, duration_text, remaining_seconds
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkbench_store.live import LiveRun


def status_text(live: LiveRun, remarks: Sequence[str]) -> Content:
    """The state of the run first, then the remarks, then what can be cut off at the end."""
    summary = live.summary
    parts: list[str | tuple[str, str]] = [(f"Run {summary.id} ", "bold"), shown(summary.corpus)]
    parts += [" · ", (_state(live), "bold"), f" · {_finished(live)}"]
    if (verdict := verdict_text(live)) and not remarks:
        parts.append(f" · {verdict}")
    left = seconds_left(live)
    if left is not None:
        parts.append(f" · {duration_text(left)} left")
    parts += [f" · {remark}" for remark in remarks]
    if summary.judge == SUPPORT:
        parts += [" · ", ("proxy judge", "bold")]
    if live.provisional:
        parts += [" · ", ("provisional", "bold")]
    if without := sum(row.state in ENDED_WITHOUT_RESULT for row in live.board):
        parts.append(f" · {without} without result")
    if live.provisional:
        parts.append(" · scores can still fall as strategies finish")
    return Content.assemble(*parts)


def verdict_text(live: LiveRun) -> str:
    """What the verdict comes to, in a few words; "" before it is reached, or for several models.

    The sentences are among the events, and on the strategy screen.
    """
    if len(live.verdicts) != 1 or live.summary.state != "finished":
        return ""
    content = live.verdicts[0].content
    leader = shown(content["leader"])
    if content["named"]:
        return f"best: {leader}"
    tied = sum(bool(row.tied) for row in live.board)
    return f"no winner: {tied} tied with {leader}" if tied else f"no winner: {leader} leads"


def seconds_left(live: LiveRun) -> float | None:
    """Time the run still needs at its pace so far, None if it does not run.

    The stages overlap, so it is the longest of theirs, not the sum.
    """
    if live.summary.state != "running":
        return None
    left = [remaining_seconds(stage.fraction, stage.busy_seconds) for stage in live.stages]
    known = [seconds for seconds in left if seconds is not None]
    return max(known) if known else None


def _state(live: LiveRun) -> str:
    summary = live.summary
    if summary.state == "lost":
        return "engine gone, P starts it again"
    if summary.state == "pending":
        return "starting"
    if summary.state == "failed" and summary.reason:
        return f"failed: {shown(summary.reason)}"
    if summary.state == "running" and (summary.heartbeat_age or 0) > HEARTBEAT_NOTICED_SECONDS:
        return f"running, silent for {duration_text(summary.heartbeat_age or 0)}"
    return summary.state


def _finished(live: LiveRun) -> str:
    done = sum(row.state == "finished" for row in live.board)
    return f"{done} of {len(live.board)} done"
