"""Where a person stopped building questions, kept beside the database for the next time."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class GoldPlace:
    """A question file, and the document and offset at which the caret stood."""

    file: str
    document: str
    offset: int


def place_in(store: Path, root: str) -> GoldPlace | None:
    """Where the work on a folder of documents stopped; None if it was not begun."""
    try:
        return GoldPlace(**_kept(store)["places"][root])
    except (KeyError, TypeError):
        return None


def last_corpus(store: Path) -> str:
    """The folder or file that questions were built for last; "" if there is none."""
    return str(_kept(store).get("last", ""))


def keep_place(store: Path, root: str, corpus: str, place: GoldPlace) -> None:
    """Keep a place, all at once; raises `OSError` where that is not possible."""
    kept = _kept(store)
    places = kept.get("places")
    kept = {
        "last": corpus,
        "places": {**(places if isinstance(places, dict) else {}), root: asdict(place)},
    }
    path = _path(store)
    written = path.with_suffix(f".{os.getpid()}")
    written.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    os.replace(written, path)


def _kept(store: Path) -> dict[str, Any]:
    """What was kept; a file that cannot be read keeps nothing, and is put anew."""
    try:
        kept = json.loads(_path(store).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _path(store: Path) -> Path:
    return store.parent / f"{store.stem}-gold.json"
