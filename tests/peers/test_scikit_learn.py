"""TBC beside scikit-learn's agglomerative clustering on the same vectors."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from chunkbench_engine.chunkers.spec import parse_spec

from .sample import FILES, annotated

cluster = pytest.importorskip("sklearn.cluster", reason="scikit-learn is not installed")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("distance", [0.4, 0.6])
def test_tbc_has_the_same_boundaries(name: str, distance: float) -> None:
    document = annotated(FILES[name])
    labels = cluster.AgglomerativeClustering(
        n_clusters=None, metric="cosine", linkage="average", distance_threshold=distance
    ).fit_predict(document.sentence_vectors().astype(np.float64))
    chunks = parse_spec(f"TBC(distance={distance})").strategy.chunk(document)
    theirs = [
        after[0]
        for (before, after), (one, other) in zip(
            pairwise(document.sentences), pairwise(labels), strict=True
        )
        if one != other
    ]
    assert [chunk.start for chunk in chunks[1:]] == theirs
