"""Text that is painted only when it is another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

if TYPE_CHECKING:
    from textual.widgets import Static


def show_text(widget: Static, content: Content | str) -> bool:
    """Put a text into a widget; nothing is sent to the terminal if it is there already.

    A string is shown as it is: it is never markup.
    """
    new = content if isinstance(content, Content) else Content(content)
    old = widget.content
    if isinstance(old, Content) and same_text(old, new):
        return False
    height = widget.styles.height
    widget.update(new, layout=height is None or height.is_auto)
    return True


def same_text(one: Content, other: Content) -> bool:
    """Whether texts and their styles are the same; `Content` compares the text alone."""
    return one.plain == other.plain and one.spans == other.spans
