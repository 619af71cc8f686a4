"""Two runs side by side: what the command `compare` says of them."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from chunkbench_tui.copying import Copied
from chunkbench_tui.exporting import Export
from chunkbench_tui.safe_text import shown_lines
from chunkbench_tui.widgets.key_line import KeyLine
from chunkbench_tui.widgets.quiet import show_text

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.worker import Worker

    from chunkbench_tui.app import ChunkbenchApp


class CompareScreen(ModalScreen[None]):
    """A run compared with an earlier one."""

    app: ChunkbenchApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Close", id="compare.close"),
        Binding("x", "swap", "Swap", tooltip="The other way round", id="compare.swap"),
        Binding("y", "app.copy", "Copy", tooltip="Copy the comparison", id="compare.copy"),
        Binding("e", "app.export", "Export", tooltip="Write it into a file", id="compare.export"),
    ]

    def __init__(self, base: int, run: int) -> None:
        super().__init__()
        self._base, self._run = base, run
        self._said = ""

    def compose(self) -> ComposeResult:
        yield Static(id="title", classes="status", markup=False)
        with VerticalScroll():
            yield Static(id="said", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
        self._compare()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        self.app.say_failure(event)

    def action_swap(self) -> None:
        self._base, self._run = self._run, self._base
        self._compare()

    @work(exclusive=True, group="compare", exit_on_error=False)
    async def _compare(self) -> None:
        show_text(self.query_one("#title", Static), f"Run {self._run} compared with {self._base}")
        show_text(self.query_one("#said", Static), "Comparing…")
        self._said = ""
        self._said = await compared(self.app.feed.path, self._base, self._run)
        show_text(self.query_one("#said", Static), shown_lines(self._said))
        self.refresh_bindings()

    def copied(self) -> Copied | None:
        return Copied("the comparison", self._said) if self._said else None

    def exports(self) -> list[Export]:
        said = self._said
        name = f"run-{self._run}-compared-with-{self._base}.txt"
        return [Export(name, lambda: f"{said}\n")] if said else []


async def compared(db: Path, base: int, run: int) -> str:
    """What `compare` says, asked of a process of its own: this one computes nothing."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-c",
        "from chunkbench_tui.cli import main; main()",
        "compare",
        str(base),
        str(run),
        "--db",
        str(db.absolute()),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        output, errors = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        raise
    return (output or errors).decode(errors="replace").strip()
