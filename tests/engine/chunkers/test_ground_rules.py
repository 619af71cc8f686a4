"""What holds for every strategy on any text (the ground rules of the specification)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from chunkbench_engine.chunkers.registry import PAPER, REGISTRY
from chunkbench_engine.chunkers.spec import parse_specs

from .any_text import HARD_TEXTS, annotated, texts

if TYPE_CHECKING:
    from chunkbench_engine.annotate.document import AnnotatedDocument
    from chunkbench_engine.chunkers.chunk import Chunk
    from chunkbench_engine.chunkers.spec import ConfiguredStrategy

# sizes so small that every limit is met within a short text
SMALL = """
    FCC(char_size=7, overlap=3), FC(token_size=1), FC(token_size=3, overlap=2), OFC(token_size=4,
    overlap=1), SWC(window=3, step=1), LAC(target=10, tolerance=5, unit=chars|tokens),
    SGC(sentences=2, overlap=0), PGC(paragraphs=3, overlap=2), RC(chunk_size=1, overlap=0),
    RC(chunk_size=12, overlap=0|5|11, unit=chars|tokens), RTF(token_size=5, overlap=0|4),
    RC(chunk_size=9, overlap=2, separators="newline, sentence, character"),
    PCC(parent=20, child=6, unit=chars|tokens), SEBC(percentile=0|50, buffer=0|2),
    SBDC(percentile=50), SSTC(threshold=1), TBC(distance=0), DFC(min=1, max=1), DFC(min=3, max=8),
    CDAC(base_size=2|20, unit=chars|tokens), SVAC(sensitivity=0, window=1), LCTS(span=4, step=3),
    HFCF(token_size=2, overlap=1), HPGC(token_size=3, overlap=1), HSSC(window=3, step=2),
    HSGC(token_size=5, overlap=4, min_chars=9), F6C(size=1|12), PPC(size=9), HAC(size=9),
    HIC(child=2), MDC(max=4), FWC(words=2, overlap=1), RWC(words=2), CSC(max=6),
    PGC >> RC(chunk_size=10, overlap=5), HAC >> FC(token_size=4), PBC >> SEBC(percentile=50),
    OFC >> (MDC(max=4) >> PCC(parent=9, child=4)), LCPI >> LCSI,
    LBDC(threshold=0|0.8, max=400|5), LSTC(max=4), CTX(RC), CTX(HAC(size=20)), CTX(PCC),
    CTX(LSTC >> FC(token_size=3)), PBC >> CTX(LBDC), CTX(LCSI), CTX(SSTC)
"""
EVERY = parse_specs(",".join(abbr for abbr, entry in REGISTRY.items() if not entry.wraps))
EVERY += parse_specs(SMALL)
UNTRIMMED = {"FCC", "FC", "OFC", "SWC", "LCTS"}
LIMITS = {
    "FCC": ("chars", "char_size"),
    "FC": ("tokens", "token_size"),
    "OFC": ("tokens", "token_size"),
    "SWC": ("tokens", "window"),
    "LCTS": ("tokens", "span"),
    "RC": ("unit", "chunk_size"),
    "RTF": ("tokens", "token_size"),
    "PCC": ("unit", "child"),
    "DFC": ("tokens", "max"),
    "MDC": ("tokens", "max"),
    "CSC": ("tokens", "max"),
    "LBDC": ("tokens", "max"),
    "LSTC": ("tokens", "max"),
    "F6C": ("squeezed", "size"),
    "FWC": ("words", "words"),
    "RWC": ("words", "words"),
    "HIC": ("words", "child"),
}


def each_strategy(test: object) -> object:
    return pytest.mark.parametrize("configured", EVERY, ids=lambda c: c.label)(test)


@each_strategy
@given(text=texts)
@settings(max_examples=25, deadline=None)
def test_the_ground_rules_hold_on_any_text(configured: ConfiguredStrategy, text: str) -> None:
    document = annotated(text)
    chunks = configured.strategy.chunk(document)
    assert_ground_rules(configured, document, chunks)
    assert configured.strategy.chunk(annotated(text)) == chunks, "the same text, the same chunks"


@pytest.mark.parametrize("name", HARD_TEXTS)
def test_the_ground_rules_hold_on_hard_texts(name: str) -> None:
    document = annotated(HARD_TEXTS[name])
    for configured in EVERY:
        assert_ground_rules(configured, document, configured.strategy.chunk(document))


@each_strategy
def test_a_strategy_declares_every_annotation_it_reads(configured: ConfiguredStrategy) -> None:
    document = annotated(
        "# Title\n\nOne sentence. Another, of something else!\n\nThe last one.\n\n"
        + "A longer paragraph of words. " * 20
    )
    document.warm(configured.strategy.annotations)
    assert not document.used
    configured.strategy.chunk(document)
    assert document.used <= set(configured.strategy.annotations)


def test_the_paper_has_34_strategies_without_a_language_model() -> None:
    assert len(PAPER) == len(set(PAPER)) == 34
    assert all(REGISTRY[abbr].source == "paper" for abbr in PAPER)
    paper = {abbr for abbr, entry in REGISTRY.items() if entry.source == "paper"}
    assert paper - set(PAPER) == {"LBDC", "LSTC"}
    assert all(REGISTRY[abbr].needs_language_model for abbr in paper - set(PAPER))


def assert_ground_rules(
    configured: ConfiguredStrategy, document: AnnotatedDocument, chunks: list[Chunk]
) -> None:
    text = document.text
    name = configured.label
    assert bool(chunks) == bool(text.strip()), f"{name}: no chunks exactly where nothing is"
    assert [c.span for c in chunks] == sorted(c.span for c in chunks), "order: start, then end"
    covered = 0
    for before, chunk in zip([None, *chunks], chunks, strict=False):
        assert 0 <= chunk.start < chunk.end <= len(text), "no empty span"
        assert chunk.document == document.id
        assert not text[covered : chunk.start].strip(), "nothing is lost"
        covered = max(covered, chunk.end)
        if before:
            assert chunk.end > before.end, "no chunk lies in its predecessor"
        if configured.abbr not in UNTRIMMED:
            assert text[chunk.start : chunk.end] == text[chunk.start : chunk.end].strip()
        if chunk.context:
            assert chunk.context[0] <= chunk.start < chunk.end <= chunk.context[1]
    assert not text[covered:].strip(), "nothing is lost"
    if configured.abbr in LIMITS:
        unit, name = LIMITS[configured.abbr]
        unit = configured.parameters["unit"] if unit == "unit" else unit
        for chunk in chunks:
            one_character = chunk.end - chunk.start == 1
            assert one_character or length(document, chunk, unit) <= configured.parameters[name]


def length(document: AnnotatedDocument, chunk: Chunk, unit: str) -> int:
    slice_ = document.text[chunk.start : chunk.end]
    match unit:
        case "chars":
            return len(slice_)
        case "squeezed":
            return len(" ".join(slice_.split()))
        case "words":
            return len(slice_.split())
    # a token counts where it holds a character of the chunk, not where it ends inside its first
    edges = document.tokens.edges
    return int(((edges[:-1] < chunk.end) & (edges[1:] > chunk.start)).sum())
