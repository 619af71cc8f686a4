"""The keys of the boundaries screen, and when each does something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

if TYPE_CHECKING:
    from textual.binding import BindingType

    from chunkbench_tui.boundaries_view import BoundariesView

KEYS: list[BindingType] = [
    Binding("r", "reset", "Reset", tooltip="Back to the setting of the run", id="boundaries.reset"),
    Binding("S", "add", "Add to run", tooltip="Add this setting to the run", id="boundaries.add"),
    # While something is sought, these two keys go through what was found instead.
    Binding("n", "step(1)", "Next", tooltip="Next chunk", id="boundaries.next"),
    Binding(
        "N", "step(-1)", "Previous", show=False, tooltip="Previous chunk", id="boundaries.back"
    ),
    Binding(
        "left_square_bracket",
        "strategy(-1)",
        "Strategy",
        key_display="[",
        show=False,
        tooltip="The strategy before, by score",
        id="boundaries.strategy_back",
    ),
    Binding(
        "right_square_bracket",
        "strategy(1)",
        "Strategy",
        key_display="]",
        tooltip="The next strategy, by score",
        id="boundaries.strategy_next",
    ),
    Binding("a", "beside", "A/B", tooltip="Two strategies side by side", id="boundaries.beside"),
    Binding("d", "documents", "Document", tooltip="Choose a document", id="boundaries.documents"),
    Binding(
        "comma",
        "document(-1)",
        "Document before",
        show=False,
        tooltip="The document before",
        id="boundaries.document_back",
    ),
    Binding(
        "full_stop",
        "document(1)",
        "Next document",
        show=False,
        tooltip="The next document",
        id="boundaries.document_next",
    ),
    Binding(
        "O",
        "next_overlap",
        "Next overlap",
        show=False,
        tooltip="Go to the next overlap",
        id="boundaries.next_overlap",
    ),
    Binding(
        "U",
        "next_evidence",
        "Next evidence",
        show=False,
        tooltip="Go to the next evidence",
        id="boundaries.next_evidence",
    ),
    Binding(
        "w", "wrap", "Wrap", show=False, tooltip="Wrap long lines or not", id="boundaries.wrap"
    ),
    Binding(
        "colon",
        "ask_place",
        "Go to",
        show=False,
        key_display=":",
        tooltip="Go to an offset, a share or a chunk",
        id="boundaries.place",
    ),
    Binding(
        "plus,equals_sign",
        "vary(1, 0)",
        "Larger",
        key_display="+",
        tooltip="What if the chunks were larger",
        id="boundaries.larger",
    ),
    Binding(
        "minus",
        "vary(-1, 0)",
        "Smaller",
        key_display="-",
        show=False,
        tooltip="What if the chunks were smaller",
        id="boundaries.smaller",
    ),
    Binding(
        "greater_than_sign",
        "vary(0, 1)",
        "More overlap",
        key_display=">",
        show=False,
        tooltip="What if they overlapped more",
        id="boundaries.more_overlap",
    ),
    Binding(
        "less_than_sign",
        "vary(0, -1)",
        "Less overlap",
        key_display="<",
        show=False,
        tooltip="What if they overlapped less",
        id="boundaries.less_overlap",
    ),
    Binding(
        "p",
        "parameters",
        "Parameters",
        tooltip="What if any parameter were another: chunked anew as you type",
        id="boundaries.parameters",
    ),
    Binding("o", "overlaps", "Overlap", tooltip="Show or hide overlap", id="boundaries.overlaps"),
    Binding("u", "evidence", "Evidence", tooltip="Show or hide evidence", id="boundaries.evidence"),
    Binding(
        "escape", "back", "Back", tooltip="Back to where you came from", id="boundaries.back_out"
    ),
]

_ACTIONS = ("strategy", "document", "step", "overlaps", "evidence", "wrap", "reset")


def is_possible(action: str, view: BoundariesView | None, *, what_if: bool = False) -> bool:
    """Whether an action does something now; its key is not shown otherwise.

    Args:
        what_if: another setting than the run's is shown.
    """
    if action == "back":
        return True
    if view is None:
        return False
    if action in ("reset", "add"):
        return what_if
    if action in ("document", "documents"):
        return len(view.documents) > 1
    if action in ("strategy", "beside"):
        return len({entry.chunk_set for entry in view.choice.strategies}) > 1
    if action == "step":
        return view.chunking is not None and len(view.chunking.spans) > 0
    if action in ("overlaps", "next_overlap"):
        made = (view.chunking, view.second_chunking)
        return any(one is not None and one.overlapping for one in made)
    if action in ("evidence", "next_evidence"):
        return bool(view.evidence)
    return True


def possible(view: BoundariesView | None, *, what_if: bool) -> tuple[bool, ...]:
    """Which actions do something now: the footer changes with it."""
    return tuple(is_possible(action, view, what_if=what_if) for action in _ACTIONS)
