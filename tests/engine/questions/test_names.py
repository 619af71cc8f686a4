"""Which document a name in a question file means."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunkbench_engine.documents.corpus import Corpus
from chunkbench_engine.documents.document import Document
from chunkbench_engine.questions.names import find_documents, nearest_documents


def corpus(*ids: str, root: str = "/data/samples") -> Corpus:
    return Corpus(Path(root), "c", tuple(Document(name, "x") for name in ids))


@pytest.mark.parametrize(
    ("name", "ids", "root", "found"),
    [
        ("a/x.md", ("a/x.md", "b/a/x.md"), "/c", ("a/x.md",)),  # the exact id goes first
        ("x.md", ("a/x.md", "b/y.md"), "/c", ("a/x.md",)),
        ("./a\\x.md", ("a/x.md",), "/c", ("a/x.md",)),
        ("biology/cells.md", ("cells.md",), "/data/biology", ("cells.md",)),
        ("data/biology/cells", ("cells.md",), "/data/biology", ("cells.md",)),
        ("physics/README.md", ("README.md",), "/data/biology", ()),
        (
            "constitution",
            ("constitution/constitution.md",),
            "/c",
            ("constitution/constitution.md",),
        ),
        ("x.md", ("a/x.md", "b/x.md"), "/c", ("a/x.md", "b/x.md")),
        ("x.txt", ("x.txt.md", "x.md"), "/c", ("x.txt.md",)),
        ("x", ("x.md", "a/x"), "/c", ("a/x",)),  # a whole name goes before a stem
        ("ells.md", ("cells.md",), "/c", ()),
        ("x.txt", ("x.md",), "/c", ()),
        ("/", ("x.md",), "/c", ()),
    ],
)
def test_a_name_is_an_id_or_the_end_of_one_or_leads_to_one_from_further_up(
    name: str, ids: tuple[str, ...], root: str, found: tuple[str, ...]
) -> None:
    assert find_documents(name, corpus(*ids, root=root)) == found


def test_the_nearest_ids_are_offered_for_a_name_that_is_mistyped() -> None:
    some = corpus("biology/photosynthesis.md", "biology/cells.md", "physics/friction.md")
    assert nearest_documents("photosythesis", some)[0] == "biology/photosynthesis.md"
    assert nearest_documents("bio/cell.md", some)[0] == "biology/cells.md"
    assert nearest_documents("zzzz", some) == []
