"""What if the setting were another: what is wished for, and what would change, in words."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from chunkbench_engine.run.preview import PreviewRequest
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chunkbench_engine.run.preview import Diagnosis, Preview

_LINES = 2


@dataclass(frozen=True, slots=True)
class Wish:
    """Another setting for a strategy of a run, on one of its documents.

    Attributes:
        label: the strategy as the run has it; `chunk_set` is its.
        spec: what the steps and values count from: the label, or a setting tried before.
        size: steps up or down; `overlap` likewise.
        values: what is written for parameters, by their place.
    """

    run: int
    document: int
    label: str
    chunk_set: int
    spec: str
    size: int = 0
    overlap: int = 0
    values: Mapping[int, str] = field(default_factory=dict)

    @property
    def original(self) -> bool:
        """Whether nothing has been changed."""
        return self.spec == self.label and not (self.size or self.overlap or self.values)

    @property
    def request(self) -> PreviewRequest:
        return PreviewRequest(
            self.run,
            self.document,
            self.spec,
            self.size,
            self.overlap,
            dict(self.values),
            self.chunk_set,
        )

    def stepped(self, size: int, overlap: int) -> Wish:
        return replace(self, size=self.size + size, overlap=self.overlap + overlap)

    def written(self, spec: str, values: Mapping[int, str]) -> Wish:
        """The same with values written for the parameters of a setting."""
        return replace(self, spec=spec, size=0, overlap=0, values=dict(values))


def heading_text(wish: Wish, preview: Preview | None, width: int, *, known: bool) -> Content:
    """That this is no setting of the run, which one it is, and what can be done with it.

    Args:
        width: cells there are; what does not fit is left out from the end.
        known: the run has this setting too.
    """
    label = shown(wish.spec if preview is None else preview.label)
    parts: list[str | tuple[str, str]] = [(" WHAT IF ", "bold reverse"), " "]
    if preview is None or preview.label == wish.label:
        return Content.assemble(*parts, f"{label}: nothing is changed yet")
    parts += [(label, "bold"), f" instead of {shown(wish.label)}"]
    for hint in (" · in the run too" if known else " · S adds it", " · r resets"):
        if Content.assemble(*parts, hint).cell_length <= width:
            parts.append(hint)
    return Content.assemble(*parts)


def change_text(before: Diagnosis | None, after: Diagnosis, width: int) -> str:
    """What the change does to the document, the weightiest first, on at most two lines.

    Args:
        before: None where the run's strategy has not chunked the document.
    """
    lines = [""]
    for part in _changes(before, after):
        longer = f"{lines[-1]} · {part}" if lines[-1] else part
        if cell_len(longer) <= width:
            lines[-1] = longer
        elif len(lines) < _LINES:
            lines.append(part)
    return "\n".join(lines)


def _changes(before: Diagnosis | None, after: Diagnosis) -> list[str]:
    def change(name: str, words: Callable[[Diagnosis], str]) -> str:
        now = words(after)
        then = now if before is None else words(before)
        return f"{name} {now}" if then == now else f"{name} {then} → {now}"

    changes = [
        change("chunks", lambda d: f"{d.chunks:,}"),
        change("mean tokens", lambda d: f"{d.mean_tokens:.0f}"),
    ]
    if after.evidence:
        changes.append(change("evidence whole", lambda d: f"{d.evidence_whole}/{d.evidence}"))
    changes.append(change("cutting a sentence", lambda d: f"{d.inside:.0%}"))
    if after.tables:
        changes.append(change("tables cut", lambda d: f"{d.tables_cut}/{d.tables}"))
    if after.fences:
        changes.append(change("code cut", lambda d: f"{d.fences_cut}/{d.fences}"))
    return [
        *changes,
        change("tokens from", lambda d: f"{d.shortest} to {d.longest}"),
        change("median", lambda d: f"{d.median_tokens:.0f}"),
        change("begin inside a sentence", lambda d: f"{d.begin_inside:.0%}"),
        change("end inside one", lambda d: f"{d.end_inside:.0%}"),
    ]
