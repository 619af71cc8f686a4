"""The paper's twelve hybrids: a primary strategy, then windows of tokens over each chunk of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkbench_engine.chunkers.adaptive import DensityAdaptive, DynamicTokens
from chunkbench_engine.chunkers.entry import Entry
from chunkbench_engine.chunkers.paragraphs import ParagraphGroups, Paragraphs
from chunkbench_engine.chunkers.pipeline import Pipeline
from chunkbench_engine.chunkers.recursive import Recursive
from chunkbench_engine.chunkers.semantic import DistancePercentile, SimilarityDrop
from chunkbench_engine.chunkers.sentences import SentenceGroups, Sentences
from chunkbench_engine.chunkers.windows import CharacterWindows, SlidingWindows, TokenWindows

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkbench_engine.chunkers.chunk import Strategy


def _then_tokens(primary: Strategy) -> Callable[..., Pipeline]:
    """The primary with its default parameters, then FC; `min_chars` as in `Pipeline`."""

    def make(token_size: int = 200, overlap: int = 20, min_chars: int = 0) -> Pipeline:
        return Pipeline(primary, TokenWindows(token_size, overlap), min_chars)

    return make


def semantic_sliding(window: int = 50, step: int = 25, min_chars: int = 0) -> Pipeline:
    """The paper's HSSC: SEBC, then SWC."""
    return Pipeline(DistancePercentile(), SlidingWindows(window, step), min_chars)


_SEMANTIC, _STRUCTURAL = "semantic-first hybrid", "structural-first hybrid"

ENTRIES = (
    Entry("HSmFC", "Hybrid Semantic Fixed Token Chunking", _SEMANTIC,
          _then_tokens(DistancePercentile()), "SEBC, then windows of tokens",
          needs_vectors=True),
    Entry("HSSC", "Hybrid Semantic Sliding Window Chunking", _SEMANTIC,
          semantic_sliding, "SEBC, then sliding windows of tokens",
          needs_vectors=True),
    Entry("HSVFC", "Hybrid Semantic Variance Fixed Token Chunking", _SEMANTIC,
          _then_tokens(SimilarityDrop()), "SVAC, then windows of tokens",
          needs_vectors=True),
    Entry("HSnFC", "Hybrid Sentence Fixed Token Chunking", _STRUCTURAL,
          _then_tokens(Sentences()), "SBC, then windows of tokens"),
    Entry("HSGC", "Hybrid Sentence Group Fixed Token Chunking", _STRUCTURAL,
          _then_tokens(SentenceGroups()), "SGC, then windows of tokens"),
    Entry("HPFC", "Hybrid Paragraph Fixed Token Chunking", _STRUCTURAL,
          _then_tokens(Paragraphs()), "PBC, then windows of tokens"),
    Entry("HPGC", "Hybrid Paragraph Group Fixed Token Chunking", _STRUCTURAL,
          _then_tokens(ParagraphGroups()), "PGC, then windows of tokens"),
    Entry("HRC", "Hybrid Recursive Fixed Token Chunking", _STRUCTURAL,
          _then_tokens(Recursive()), "RC, then windows of tokens"),
    Entry("HFCF", "Hybrid Fixed Char Fixed Token Chunking", _STRUCTURAL,
          _then_tokens(CharacterWindows()), "FCC, then windows of tokens"),
    Entry("HOFC", "Hybrid Overlapping Fixed Token Chunking", _STRUCTURAL,
          _then_tokens(TokenWindows(overlap=10)), "OFC, then windows of tokens"),
    Entry("HDFC", "Hybrid Dynamic Fixed Token Chunking", _STRUCTURAL,
          _then_tokens(DynamicTokens()), "DFC, then windows of tokens"),
    Entry("HCDC", "Hybrid Content Density Fixed Token Chunking", _STRUCTURAL,
          _then_tokens(DensityAdaptive()), "CDAC, then windows of tokens"),
)  # fmt: skip
