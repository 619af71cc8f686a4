"""`spot-check`: a person grades a random, blind sample, and sees how far the judges agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from chunkbench_engine.errors import BadInput
from chunkbench_engine.judges.choice import YOU
from chunkbench_engine.run.spot_check import answers_of, keep_grade, spots_of
from chunkbench_store.database import default_path, open_store
from chunkbench_store.runs import run_of
from chunkbench_tui.commands.agreement import print_agreement
from chunkbench_tui.commands.options import Db, Run
from chunkbench_tui.console import console, say
from chunkbench_tui.safe_text import shown_lines

if TYPE_CHECKING:
    from chunkbench_engine.run.spot_check import Spot

_SCALE = "0 = not relevant, 1 = partially, 2 = fully; q leaves, what is graded is kept"


def spot_check(
    number: Run,
    count: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="Size of the sample.")
    ] = 30,
    db: Db = None,
) -> None:
    """Grade a sample of a run's passages yourself.

    It is drawn at random; the judges are compared with you.
    """
    with open_store(db or default_path(), create=False) as store:
        run = run_of(store, number)
        if run is None:
            raise BadInput(f"there is no run {number}: see chunkbench-tui runs")
        spots = spots_of(store, run, count)
        if not spots:
            raise BadInput(_nothing(number, answers=bool(answers_of(store, run))))
        say(f"Does the passage support the answer? {_SCALE}.")
        for place, spot in enumerate(spots, start=1):
            _show(spot, place, len(spots))
            grade = _ask()
            if grade is None:
                break
            keep_grade(store, spot, grade)
        else:
            say("The sample is graded.")
        print_agreement(store, number, YOU)


def _nothing(run: int, *, answers: bool) -> str:
    if answers:
        return f"you have graded all of this sample of run {run}: --count asks for a larger one"
    return (
        f"run {run} has nothing for you to grade: a passage is graded by a reference answer, and "
        "none of its questions has one"
    )


def _show(spot: Spot, place: int, total: int) -> None:
    say("")
    say(f"--- {place} of {total} ---")
    for answer in spot.answers:
        say(f"Answer: {answer}")
    say("Passage:")
    console.print(shown_lines(spot.text), markup=False, soft_wrap=True)


def _ask() -> int | None:
    """The grade that is typed; None to leave."""
    while True:
        try:
            typed = input("0, 1, 2 or q: ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            say("")
            return None
        if typed in ("0", "1", "2"):
            return int(typed)
        if typed in ("q", "quit"):
            return None
