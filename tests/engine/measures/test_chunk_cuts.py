"""What chunks look like, and what they cut through."""

from __future__ import annotations

from dataclasses import asdict
from typing import NamedTuple

import numpy as np
import pytest

from chunkbench_engine.measures.chunks import Cuts, Sizes, cuts, sizes


class Block(NamedTuple):
    kind: str
    start: int
    end: int


TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
FENCE = "```\ncode\n```\n"
TEXT = f"# Title\n\nOne is here. Two is there.\n\n{TABLE}\n{FENCE}\n## End\n"


def span(piece: str) -> tuple[int, int]:
    start = TEXT.index(piece)
    return start, start + len(piece)


SENTENCES = [span("# Title"), span("One is here."), span("Two is there.")]
BLOCKS = [
    Block("heading", *span("# Title\n")),
    Block("paragraph", *span("One is here. Two is there.\n")),
    Block("table", *span(TABLE)),
    Block("fence", *span(FENCE)),
    Block("heading", *span("## End\n")),
]


def diagnosed(*spans: tuple[int, int]) -> Cuts:
    return cuts(TEXT, np.array(spans).reshape(-1, 2), SENTENCES, BLOCKS)


def test_a_chunk_of_everything_cuts_nothing() -> None:
    assert diagnosed((0, len(TEXT))) == Cuts(chunks=1, tables=1, fences=1)


def test_chunks_at_sentence_ends_are_clean_whatever_white_space_they_take_along() -> None:
    first, second = span("One is here."), span("Two is there.")
    for chunks in ([first, second], [(first[0] - 2, second[0]), (second[0], second[1] + 2)]):
        found = diagnosed(*chunks)
        assert (found.begin_inside, found.end_inside, found.inside) == (0, 0, 0)


def test_beginnings_and_ends_inside_a_sentence_are_counted() -> None:
    found = diagnosed(span("One is"), span("here. Two"), span("is there."))
    assert (found.begin_inside, found.end_inside, found.inside) == (2, 2, 3)
    assert found.inside_share == 1.0
    assert found.begin_inside_share == found.end_inside_share == pytest.approx(2 / 3)


def test_a_block_is_cut_if_no_chunk_holds_it_whole() -> None:
    start, end = span(TABLE)
    assert diagnosed((0, start + 5), (start + 5, len(TEXT))).tables_cut == 1
    # With overlap another chunk may hold it all the same; its last line end is not needed.
    assert diagnosed((0, end - 1), (start + 5, len(TEXT))).tables_cut == 0
    assert diagnosed((0, end - 2), (start + 5, len(TEXT))).tables_cut == 1
    assert diagnosed((0, len(TEXT)), (start + 5, end)).tables_cut == 0
    assert diagnosed().tables_cut == 1
    assert diagnosed(span("code")).fences_cut == 1


def test_a_heading_at_a_chunks_end_is_left_unless_the_document_ends_there() -> None:
    heading = span("# Title\n")
    assert diagnosed(heading, (heading[1], len(TEXT))).headings_left == 1
    assert diagnosed((0, len(TEXT) - 3)).headings_left == 0
    assert diagnosed((0, len(TEXT))).headings_left == 0


def test_numbers_of_documents_add_up() -> None:
    one, two = diagnosed(span("One is")), diagnosed(span("is there."), (0, len(TEXT)))
    both = one + two
    assert both.chunks == 3
    assert asdict(both) == {name: asdict(one)[name] + asdict(two)[name] for name in asdict(one)}


def test_lengths_by_hand() -> None:
    found = sizes([10, 20, 60, 30], [11, 22, 300, 257], window=256)
    assert found == Sizes(4, 30.0, 25.0, 10, 60, 0.5)
    assert sizes([1], [1_000_000], window=None).over_window == 0
    assert sizes([], [], window=256) == Sizes(0, 0, 0, 0, 0, 0)
    assert sizes([5], [256], window=256).over_window == pytest.approx(0)
