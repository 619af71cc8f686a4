"""SEBC, SSTC, TBC, SBDC, SVAC and CSC: boundaries from sentence vectors.

The vectors here are given, so that every similarity is known: a sentence `12.` lies at 12 degrees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.documents.document import Document
from chunkbench_engine.embedders.embedder import Vectors
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence


def at_degrees(texts: Sequence[str]) -> Vectors:
    """A text of several sentences lies at the mean of their angles."""
    angles = [np.radians(np.mean([int(part) for part in t.split("。") if part])) for t in texts]
    return Vectors(np.array([[np.cos(a), np.sin(a)] for a in angles], dtype=np.float32), 0.0)


def chunks_of(spec: str, *degrees: int) -> list[list[int]]:
    """The chunks that a strategy makes of sentences at these angles."""
    text = "".join(f"{degree}。" for degree in degrees)
    document = AnnotatedDocument(Document("a", text), at_degrees)
    found = parse_spec(spec).strategy.chunk(document)
    return [[int(part) for part in text[c.start : c.end].split("。") if part] for c in found]


def test_sstc_divides_where_similarity_is_below_the_threshold() -> None:
    # cos 50° = 0.643, cos 60° = 0.5
    assert chunks_of("SSTC", 0, 50, 110, 120) == [[0, 50], [110, 120]]
    assert chunks_of("SSTC(threshold=0.65)", 0, 50, 110, 120) == [[0], [50], [110, 120]]


def test_sebc_divides_where_a_distance_exceeds_its_percentile() -> None:
    steps = chunks_of("SEBC(percentile=80, buffer=0)", 0, 10, 20, 60, 65, 70)
    assert steps == [[0, 10, 20], [60, 65, 70]]


def test_sebc_embeds_each_sentence_with_its_neighbours() -> None:
    series = (0, 0, 0, 90, 90, 90)
    assert chunks_of("SEBC(percentile=30, buffer=0)", *series) == [[0, 0, 0], [90, 90, 90]]
    # means over three: 0, 0, 30, 60, 90, 90, so three equal steps
    assert chunks_of("SEBC(percentile=30, buffer=1)", *series) == [[0, 0], [0], [90], [90, 90]]


def test_sbdc_divides_where_the_distance_rises_most() -> None:
    # distances by steps of 0 0 0 60 60 degrees: 0, 0, 0, .5, .5; gradient 0, 0, .25, .25, 0
    assert chunks_of("SBDC(percentile=60, buffer=0)", 0, 0, 0, 0, 60, 120) == [
        [0, 0, 0],
        [0],
        [60, 120],
    ]


@pytest.mark.parametrize("spec", ["SEBC", "SBDC", "SVAC", "SSTC", "TBC", "CSC"])
def test_one_or_two_sentences_alike_are_one_chunk(spec: str) -> None:
    assert chunks_of(spec, 7) == [[7]]
    assert chunks_of(spec, 7, 7) == [[7, 7]]


def test_svac_divides_where_similarity_drops_below_its_recent_mean() -> None:
    # similarities 1, 1, cos 40° = .77 (a drop of .23), then .77 against a mean of .92
    assert chunks_of("SVAC", 0, 0, 0, 40, 80) == [[0, 0, 0], [40, 80]]
    assert chunks_of("SVAC(sensitivity=0.25)", 0, 0, 0, 40, 80) == [[0, 0, 0, 40, 80]]


def test_svac_remembers_only_its_window() -> None:
    # .5 after 1, 1, .5: their mean over three is .83, over one .5
    assert chunks_of("SVAC(window=3)", 0, 0, 0, 60, 120) == [[0, 0, 0], [60], [120]]
    assert chunks_of("SVAC(window=1)", 0, 0, 0, 60, 120) == [[0, 0, 0], [60, 120]]


def test_tbc_divides_where_the_cluster_changes_and_not_where_it_returns() -> None:
    # neighbours 30° apart are alike, but all within 40° of each other form one cluster
    assert chunks_of("TBC(distance=0.1)", 0, 5, 90, 95, 3) == [[0, 5], [90, 95], [3]]


def test_tbc_clusters_by_the_average_distance() -> None:
    # 1 - cos 50° = .36 and 1 - cos 100° = 1.17: the mean to both others is .77
    assert chunks_of("TBC(distance=0.4)", 0, 50, 100) == [[0, 50], [100]]
    assert chunks_of("TBC(distance=0.8)", 0, 50, 100) == [[0, 50, 100]]


def test_tbc_divides_between_its_runs_of_2000_sentences() -> None:
    assert [len(chunk) for chunk in chunks_of("TBC", *[7] * 4_100)] == [2_000, 2_000, 100]


def test_csc_makes_the_division_of_greatest_reward() -> None:
    assert chunks_of("CSC", 0, 10, 5, 90, 95, 85, 0, 5) == [[0, 10, 5], [90, 95, 85], [0, 5]]


def test_csc_keeps_its_maximum() -> None:
    assert chunks_of("CSC(max=4)", 7, 7, 7, 7, 90) == [[7, 7], [7, 7], [90]]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("SEBC(percentile=101)", "percentile=101.0 must be between 0 and 100"),
        ("SBDC(buffer=-1)", "buffer=-1 must be at least 0"),
        ("SSTC(threshold=1.5)", "threshold=1.5 must be between -1 and 1"),
        ("TBC(distance=-0.1)", "distance=-0.1 must be between 0 and 2"),
        ("SVAC(window=0)", "window=0 must be at least 1"),
    ],
)
def test_a_wrong_value_is_refused_with_its_range(spec: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_spec(spec)
