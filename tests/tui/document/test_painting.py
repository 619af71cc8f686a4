"""A line as it is painted: tints, marks, numbers; and the map of the whole."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from chunkbench_engine.errors import BadInput
from chunkbench_store.boundaries import ChunkSpans
from chunkbench_tui.document.coverage import Chunking, chunking, merged
from chunkbench_tui.document.lines import index_lines
from chunkbench_tui.document.minimap import minimap
from chunkbench_tui.document.painting import Gutter, Layers, gutter_of, runs_of
from chunkbench_tui.document.places import offset_of


def chunks(*spans: tuple[int, int]) -> Chunking:
    starts, ends = array("i", [s for s, _ in spans]), array("i", [e for _, e in spans])
    nothing = array("i", [-1] * len(spans))
    return chunking("X", 1, ChunkSpans(starts, ends, nothing, nothing, nothing))


def painted(text: str, layers: Layers, width: int = 20) -> list[tuple[str, str]]:
    """Text and cover of the runs, those that are alike joined, without the rest of the line."""
    found: list[tuple[str, str]] = []
    for run in runs_of(text, (0, len(text)), width, layers):
        if found and found[-1][1] == run.tone.cover:
            found[-1] = (found[-1][0] + run.display, run.tone.cover)
        else:
            found.append((run.display, run.tone.cover))
    return found


def test_chunks_alternate_and_their_overlap_is_told_apart() -> None:
    layers = Layers(chunks((0, 6), (4, 10), (12, 14)), merged(()))
    assert painted("abcdefghijklmn", layers, 14) == [
        ("abcd", "even"), ("ef", "overlap"), ("ghij", "odd"), ("kl", "none"), ("mn", "even"),
    ]  # fmt: skip
    plain = layers._replace(overlaps=False)
    assert painted("abcdefghijklmn", plain, 14)[0] == ("abcd", "even")
    assert painted("abcdefghijklmn", plain, 14)[1] == ("efghij", "odd")


def test_evidence_and_the_beginning_of_a_chunk_are_marked_to_the_character() -> None:
    layers = Layers(chunks((2, 8)), merged([(3, 5)]), sought=(4, 6))
    runs = runs_of("abcdefgh", (0, 8), 8, layers)
    said = {run.display: (run.tone.begins, run.tone.evidence, run.tone.sought) for run in runs}
    assert said == {
        "ab": (False, False, False), "c": (True, False, False), "d": (False, True, False),
        "e": (False, True, True), "f": (False, False, True), "gh": (False, False, False),
    }  # fmt: skip


def test_a_chunk_that_begins_inside_a_grapheme_begins_with_it() -> None:
    text = "x👨‍👩‍👧y"
    runs = runs_of(text, (0, len(text)), 10, Layers(chunks((3, len(text))), merged(())))
    assert [(run.display, run.tone.begins) for run in runs][1] == ("👨‍👩‍👧", True)


@settings(max_examples=100, deadline=None)
@given(
    st.text(st.sampled_from("ab \t\x1b\u0301\u200d\ufe0f漢👨❤ש\n\r"), min_size=1, max_size=120),
    st.lists(st.tuples(st.integers(0, 120), st.integers(1, 30)), max_size=6),
    st.lists(st.tuples(st.integers(0, 120), st.integers(1, 9)), max_size=4),
)
def test_chunks_never_change_what_is_shown_nor_its_width(
    text: str, spans: list[tuple[int, int]], evidence: list[tuple[int, int]]
) -> None:
    made = chunks(*sorted((s, s + n) for s, n in spans))
    layers = Layers(made, merged(sorted((s, s + n) for s, n in evidence)))
    index = index_lines(text, 16)
    for line in range(len(index)):
        runs = runs_of(text, index.span(line), 16, layers)
        bare = runs_of(text, index.span(line), 16, Layers(None, merged(())))
        assert "".join(r.display for r in runs) == "".join(r.display for r in bare)
        assert sum(r.cells for r in runs) == 16
        assert cell_len("".join(r.display for r in runs)) == 16


def test_the_gutter_numbers_chunks_where_they_begin() -> None:
    layers = Layers(chunks((0, 30), (12, 40), (14, 18)), merged([(25, 26)]))
    gutters = [gutter_of((start, start + 10), layers) for start in range(0, 50, 10)]
    assert gutters == [
        Gutter("1", "┌", " "),
        Gutter("2+", "╓", " "),
        Gutter("", "║", "E"),
        Gutter("", "│", " "),
        Gutter("", " ", " "),
    ]
    assert gutter_of((20, 30), layers._replace(overlaps=False)).bar == "│"


def test_the_map_shows_where_chunks_begin_overlap_and_answer() -> None:
    layers = Layers(chunks((0, 10), (10, 20), (12, 30), (60, 90)), merged([(85, 95)]))
    rows = minimap(100, 10, layers)
    assert "".join(row.bar for row in rows) == "▄█    ▄   "
    assert "".join(row.overlap for row in rows) == " ║        "
    assert "".join(row.evidence for row in rows) == "        EE"
    assert minimap(0, 10, layers) == ()


@pytest.mark.parametrize(
    ("place", "offset"), [("0", 0), ("1,234", 1234), ("50%", 1000), ("100 %", 1999), ("#2", 700)]
)
def test_a_place_is_an_offset_a_share_or_a_chunk(place: str, offset: int) -> None:
    assert offset_of(place, 2000, [0, 700]) == offset


@pytest.mark.parametrize("place", ["", "x", "2000", "101%", "#0", "#3", "#1%", "-1"])
def test_a_place_that_is_none_is_said_to_be_so(place: str) -> None:
    with pytest.raises(BadInput):
        offset_of(place, 2000, [0, 700])
