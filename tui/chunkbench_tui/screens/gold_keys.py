"""The keys of the gold builder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

if TYPE_CHECKING:
    from textual.binding import BindingType

    from chunkbench_tui.gold_session import GoldSession

KEYS: list[BindingType] = [
    Binding("enter", "ask", "Question", tooltip="The question it answers", id="gold.ask"),
    Binding(
        "a",
        "ask_without",
        "Without passage",
        show=False,
        tooltip="A question without a passage: unanswerable, or its evidence is yet to be found",
        id="gold.ask_without",
    ),
    Binding(
        "x",
        "extend",
        "Extend",
        show=False,
        tooltip="Extend the selection until its text occurs only once",
        id="gold.extend",
    ),
    Binding("f", "find", "Find", tooltip="Find evidence for the question", id="gold.find"),
    Binding(
        "A",
        "accept",
        "Accept",
        tooltip="Accept the passage, or the question proposed",
        id="gold.accept",
    ),
    Binding(
        "M",
        "suggest",
        "Suggest",
        show=False,
        tooltip="Have a language model propose questions",
        id="gold.suggest",
    ),
    Binding("R", "reject", "Reject", tooltip="Not this one; propose another", id="gold.reject"),
    # While something is sought, these two keys go through what was found instead.
    Binding("n", "step(1)", "Next", show=False, tooltip="The next candidate", id="gold.next"),
    Binding(
        "N",
        "step(-1)",
        "Previous",
        show=False,
        tooltip="The candidate before",
        id="gold.previous",
    ),
    Binding("e", "edit", "Edit", tooltip="Edit the question in the list", id="gold.edit"),
    Binding(
        "D,delete", "delete", "Delete", show=False, tooltip="Delete the question", id="gold.delete"
    ),
    Binding("u", "undo", "Undo", tooltip="Undo the last change of the file", id="gold.undo"),
    Binding("d", "documents", "Document", tooltip="Choose a document", id="gold.documents"),
    Binding(
        "comma",
        "document(-1)",
        "Document before",
        show=False,
        tooltip="The document before",
        id="gold.document_back",
    ),
    Binding(
        "full_stop",
        "document(1)",
        "Next document",
        show=False,
        tooltip="The next document",
        id="gold.document_next",
    ),
    Binding("o", "choose", "Open", tooltip="Other documents or another file", id="gold.open"),
    Binding("ctrl+r", "run", "Run", tooltip="A new run with these questions", id="gold.run"),
    Binding(
        "ctrl+w", "written", "Written", show=False, tooltip="What is in the file", id="gold.written"
    ),
    Binding("escape", "back", "Back", show=False, tooltip="Drop, or back", id="gold.back"),
]

_OURS = {binding.action.split("(")[0] for binding in KEYS if isinstance(binding, Binding)}


def is_possible(action: str, session: GoldSession | None, offered: str) -> bool:
    """Whether an action does something now; its key is not shown otherwise.

    Args:
        offered: `Review`, `Suggestion`, or "" where nothing is to be accepted.
    """
    if action not in _OURS or action in ("back", "choose"):
        return True
    if session is None:
        return False
    match action:
        case "undo":
            return bool(session.edits)
        case "accept":
            return offered != ""
        case "reject":
            return offered == "Suggestion"
        case "step":
            return offered == "Review"
        case "find":
            return any(row.lacks_evidence for row in session.rows)
        case "edit":
            return bool(session.rows) or offered == "Suggestion"
        case "delete":
            return bool(session.rows)
        case "run":
            return any(not row.problem for row in session.rows)
        case "document" | "documents":
            return len(session.documents) > 1
    return True
