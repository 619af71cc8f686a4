"""The keys of the questions screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

if TYPE_CHECKING:
    from textual.binding import BindingType

KEYS: list[BindingType] = [
    Binding(
        "left_square_bracket",
        "strategy(-1)",
        "Strategy before",
        key_display="[",
        show=False,
        tooltip="The strategy before, by score",
        id="questions.back",
    ),
    Binding(
        "right_square_bracket",
        "strategy(1)",
        "Strategy",
        key_display="]",
        tooltip="The next strategy, by score",
        id="questions.next",
    ),
    Binding("a", "swap", "Swap A B", tooltip="A and B change places", id="questions.swap"),
    Binding(
        "F",
        "failures",
        "Failures",
        tooltip="Only questions without a hit, or all",
        id="questions.failures",
    ),
    Binding(
        "D",
        "differ",
        "Differ",
        tooltip="Only questions on which A and B score differently, or all",
        id="questions.differ",
    ),
    Binding("enter", "hits", "Hits", tooltip="To the hits of the question", id="questions.hits"),
    Binding(
        "enter",
        "boundaries",
        "In document",
        tooltip="The hit in its document",
        id="questions.boundaries",
    ),
    # Not k: that is up, as in every list.
    Binding("K", "grade", "Grade", tooltip="Grade the hit yourself", id="questions.grade"),
    Binding("escape", "back", "Back", tooltip="To the questions, then back", id="questions.out"),
]
