"""Which document of a corpus a question file means."""

from __future__ import annotations

import difflib
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkbench_engine.documents.corpus import Corpus


def find_documents(name: str, corpus: Corpus) -> tuple[str, ...]:
    """Ids of the documents a name may mean: one if it is clear, none if there is no such document.

    A name is an id; or the end of an id's path (`cells.md` for `biology/cells.md`); or a path
    from further up, whose beginning is the corpus folder's own (`biology/cells.md` in a corpus
    that is the folder `biology`). The suffix may be left out. A full name goes before a stem.
    """
    if name in corpus.by_id:
        return (name,)
    wanted = _parts(name)
    if not wanted:
        return ()
    whole, stems = [], []
    for document in corpus.documents:
        parts = _parts(document.id)
        if _ends_alike(parts, wanted, corpus.root.parts):
            whole.append(document.id)
        elif _ends_alike((*parts[:-1], _stem(parts[-1])), wanted, corpus.root.parts):
            stems.append(document.id)
    return tuple(whole or stems)


def nearest_documents(name: str, corpus: Corpus) -> list[str]:
    """Up to three ids that look like the name, best first."""
    last = _parts(name)[-1:] or (name,)
    by_last: dict[str, list[str]] = {}
    for document in corpus.documents:
        parts = _parts(document.id)
        for key in {document.id, parts[-1], _stem(parts[-1])}:
            by_last.setdefault(key, []).append(document.id)
    close = difflib.get_close_matches(name, by_last, n=3) + difflib.get_close_matches(
        last[0], by_last, n=3
    )
    ids = [found for key in close for found in by_last[key]]
    return list(dict.fromkeys(ids))[:3]


def _ends_alike(id_parts: tuple[str, ...], name: tuple[str, ...], root: tuple[str, ...]) -> bool:
    if len(name) <= len(id_parts):
        return id_parts[len(id_parts) - len(name) :] == name
    # The part of the name that is not in the id must be the end of the corpus folder's own path:
    # `physics/README.md` is not the README.md of a corpus that is the folder `biology`.
    above = name[: len(name) - len(id_parts)]
    return name[len(above) :] == id_parts and root[len(root) - len(above) :] == above


@lru_cache(maxsize=65536)
def _parts(name: str) -> tuple[str, ...]:
    return PurePosixPath(name.replace("\\", "/").lstrip("/")).parts


def _stem(last: str) -> str:
    return PurePosixPath(last).stem
