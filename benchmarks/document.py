"""A document of 5 MB with 20,000 overlapping chunks: opening it, and paging through it.

    python benchmarks/document.py [MEGABYTES]

Index: lines of 70 cells, made in one go. Sweep: what covers which stretch of the text. First
screen: from opening the document until its first lines are painted. Page: a key pressed, and
every line of a screen of 160 × 48 made anew (no line is painted twice). All of it is processor
time of one thread, so that what else the machine does is not counted.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from array import array
from pathlib import Path
from statistics import median, quantiles

from textual.screen import Screen

from chunkbench_store.boundaries import ChunkSpans
from chunkbench_tui.app import ChunkbenchApp
from chunkbench_tui.document.coverage import chunking, merged
from chunkbench_tui.document.lines import index_lines
from chunkbench_tui.document.painting import Layers
from chunkbench_tui.widgets.document_view import DocumentView

CHUNKS = 20_000
PAGES = 200
_ENGLISH = [
    *("the", "of", "is", "at", "and", "where", "that", "chunk", "text", "cut", "one", "begins"),
    *("another", "thought", "boundary", "retrieval"),
]
_MIXED = [*_ENGLISH, "“quoted”", "naïve", "漢字仮名", "это", "e\u0301te\u0301", "👨‍👩‍👧", "a\tb"]


def prose(size: int, words: list[str], *, paragraphs: bool) -> str:
    """Text of so many bytes of UTF-8."""
    choice = random.Random(0)
    parts: list[str] = []
    written = 0
    while written < size:
        word = choice.choice(words)
        end = "\n\n" if paragraphs and choice.random() < 0.01 else " "
        parts.append(word + end)
        written += len((word + end).encode())
    return "".join(parts)


def overlapping(length: int) -> ChunkSpans:
    """Equal chunks, each of which has a third in common with the next."""
    step = length / CHUNKS
    starts = array("i", (int(n * step) for n in range(CHUNKS)))
    ends = array("i", (min(int((n + 1.33) * step) + 1, length) for n in range(CHUNKS)))
    nothing = array("i", [-1] * CHUNKS)
    return ChunkSpans(starts, ends, array("i", [100] * CHUNKS), nothing, nothing)


async def paging(text: str, layers: Layers, folder: Path) -> tuple[float, list[float]]:
    """Seconds to the first screen, and of each page."""
    app = ChunkbenchApp(folder / "bench.db")
    async with app.run_test(size=(160, 48)) as pilot:
        view = DocumentView()
        await app.push_screen(Screen())
        await app.screen.mount(view)
        await pilot.pause()
        begun = time.thread_time()
        view.open(text)
        view.show(layers)
        for y in range(view.size.height):
            view.render_line(y)
        first = time.thread_time() - begun
        while not view.indexed:
            await pilot.pause(0.05)
        pages = []
        for _ in range(PAGES):
            begun = time.thread_time()
            view.action_page(1)
            for y in range(view.size.height):
                view.render_line(y)
            pages.append(time.thread_time() - begun)
        return first, pages


def main() -> None:
    size = int(float(sys.argv[1] if len(sys.argv) > 1 else 5) * 1_000_000)
    texts = {
        "English": prose(size, _ENGLISH, paragraphs=True),
        "one line": prose(size, _ENGLISH, paragraphs=False),
        "mixed": prose(size, _MIXED, paragraphs=True),
    }
    print(f"{size / 1e6:g} MB, {CHUNKS:,} overlapping chunks; milliseconds")
    print(f"{'text':<10}{'index':>8}{'sweep':>8}{'first screen':>14}{'page p50':>10}{'p95':>8}")
    for name, text in texts.items():
        begun = time.thread_time()
        index_lines(text, 70)
        index = time.thread_time() - begun
        begun = time.thread_time()
        made = chunking("bench", 1, overlapping(len(text)))
        sweep = time.thread_time() - begun
        evidence = merged((n, n + 80) for n in range(0, len(text) - 80, 20_000))
        with tempfile.TemporaryDirectory() as folder:
            first, pages = asyncio.run(paging(text, Layers(made, evidence), Path(folder)))
        slow = quantiles(pages, n=20)[-1]
        figures = (index, sweep, first, median(pages), slow)
        widths = (8, 8, 14, 10, 8)
        print(
            f"{name:<10}"
            + "".join(f"{1000 * s:>{w}.1f}" for s, w in zip(figures, widths, strict=True))
        )


if __name__ == "__main__":
    main()
