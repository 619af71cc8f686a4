"""What if the setting were another: what is wished for, and what would change, in words."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from chunkbench_engine.run.preview import PreviewRequest
from chunkbench_tui.safe_text import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chunkbench_engine.run.preview import Diagnosis, Preview


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


def heading_text(wish: Wish, preview: Preview | None, *, known: bool) -> Content:
    """That this is no setting of the run, which one it is, and what can be done with it.

    Args:
        known: the run has this setting too.
    """
    label = shown(wish.spec if preview is None else preview.label)
    parts: list[str | tuple[str, str]] = [(" WHAT IF ", "bold reverse"), " "]
    if preview is None or preview.label == wish.label:
        parts.append(f"{label}: nothing is changed yet")
    else:
        parts += [(label, "bold"), f" instead of {shown(wish.label)}"]
        parts.append(" · in the run too" if known else " · S adds it to the run")
        parts.append(" · r resets")
    return Content.assemble(*parts)


def change_text(before: Diagnosis | None, after: Diagnosis, width: int) -> str:
    """What the change does to the document: as much as there is room for, the weightiest first.

    Args:
        before: None where the run's strategy has not chunked the document.
    """
    text = ""
    for part in _changes(before, after):
        longer = f"{text} · {part}" if text else part
        if cell_len(longer) > width:
            break
        text = longer
    return text


def _changes(before: Diagnosis | None, after: Diagnosis) -> list[str]:
    def number(name: str, form: str) -> str:
        return _arrow(
            None if before is None else form.format(getattr(before, name)),
            form.format(getattr(after, name)),
        )

    def part(cut: str, of: str) -> str:
        def words(diagnosis: Diagnosis) -> str:
            return f"{getattr(diagnosis, cut)}/{getattr(diagnosis, of)}"

        return _arrow(None if before is None else words(before), words(after))

    changes = [
        f"chunks {number('chunks', '{:,}')}",
        f"tokens {number('mean_tokens', '{:.0f}')}",
        f"cut sentences {number('inside', '{:.0%}')}",
    ]
    if after.evidence:
        changes.append(f"evidence whole {part('evidence_whole', 'evidence')}")
    if after.tables:
        changes.append(f"tables cut {part('tables_cut', 'tables')}")
    if after.fences:
        changes.append(f"code cut {part('fences_cut', 'fences')}")
    spread = None if before is None else f"{before.shortest}–{before.longest}"
    changes += [
        f"shortest–longest {_arrow(spread, f'{after.shortest}–{after.longest}')}",
        f"median {number('median_tokens', '{:.0f}')}",
        f"begin inside a sentence {number('begin_inside', '{:.0%}')}",
        f"end inside one {number('end_inside', '{:.0%}')}",
    ]
    return changes


def _arrow(before: str | None, after: str) -> str:
    return after if before is None else f"{before} → {after}"
