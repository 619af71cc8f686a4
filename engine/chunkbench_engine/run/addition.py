"""A strategy joins a run that was planned without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.chunkers.foreign import load_foreign
from chunkbench_engine.chunkers.imported import make_importable
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.errors import BadInput
from chunkbench_store.additions import labels_of, put_added_strategy
from chunkbench_store.runs import NewStrategy

if TYPE_CHECKING:
    from chunkbench_engine.chunkers.spec import ConfiguredStrategy
    from chunkbench_engine.run.settings import Settings
    from chunkbench_store.database import Store


def check_addition(store: Store, run: int, spec: str, folder: str) -> ConfiguredStrategy:
    """The strategy that a spec names, which the run does not have yet.

    Args:
        folder: where modules of one's own chunkers are.

    Raises:
        BadInput: it names none, or several, or one that the run has.
    """
    configured = parse_spec(spec)
    if configured.label in labels_of(store, run):
        raise BadInput(f"{configured.label} is in run {run} already: change a parameter first")
    if folder:
        make_importable(folder)
    load_foreign([configured.strategy])
    return configured


def add_strategy(store: Store, run: int, settings: Settings, spec: str) -> str:
    """Plan one more strategy under all of a run's experiments, inside `write()`; its label.

    The pool of the run is open again from then on: it is closed when all are judged.

    Raises:
        BadInput: as `check_addition`.
    """
    configured = check_addition(store, run, spec, settings.folder)
    put_added_strategy(
        store,
        run,
        NewStrategy(configured.label, configured.abbr, configured.family, configured.parameters),
        settings.language_model if configured.needs_language_model else "",
    )
    return configured.label
