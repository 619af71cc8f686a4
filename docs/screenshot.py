"""Draws the picture in the README from a real run.

chunkbench-tui run sample_corpus --db shot.db
python docs/screenshot.py shot.db 1 docs/live.svg
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from chunkbench_tui.app import ChunkbenchApp

SIZE = (132, 40)
SETTLING_SECONDS = 3.0


async def draw(store: Path, run: int, target: Path) -> None:
    """Save the live screen of a run as SVG."""
    app = ChunkbenchApp(store)
    async with app.run_test(size=SIZE) as pilot:
        await app.show_run(run)
        await pilot.pause(SETTLING_SECONDS)
        app.save_screenshot(target.name, str(target.parent))


if __name__ == "__main__":
    asyncio.run(draw(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])))
