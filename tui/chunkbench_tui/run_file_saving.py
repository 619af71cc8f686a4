"""Saving the settings of a run as a file, from the app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.errors import BadInput
from chunkbench_engine.run.run_file import free_name, write_run_file

if TYPE_CHECKING:
    from pathlib import Path

    from chunkbench_engine.run.settings import Settings


def save_run_file(settings: Settings, folder: Path) -> str:
    """Save the settings under a name that is free; a sentence on what came of it."""
    path = free_name(folder)
    try:
        text = write_run_file(settings, folder)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except BadInput as error:
        return f"Not saved: {error}"
    except OSError as error:
        return f"{path} cannot be written: {error.strerror}"
    return f"Saved {path}. Run it with: chunkbench-tui run {path.name}"
