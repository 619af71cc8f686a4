"""What chunks show by themselves: each kind of finding on a text made for it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.annotate.document import AnnotatedDocument
from chunkbench_engine.chunkers.chunk import Chunk
from chunkbench_engine.diagnose.coverage import characters, uncovered
from chunkbench_engine.diagnose.finding import MOST_OF_A_DOCUMENT, Finding
from chunkbench_engine.diagnose.structure import Structure, structure
from chunkbench_engine.documents.document import Document

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"
FENCE = "```python\nprint(1)\nprint(2)\n```"
TEXT = f"""# Title

One sentence is here, and it is long enough. Another one follows it, and it is long too.

## Table

{TABLE}

{FENCE}

---

The end comes last, as it does everywhere in the world.
"""


def span(first: str, last: str = "") -> tuple[int, int]:
    start = TEXT.index(first)
    last = last or first
    return start, TEXT.index(last, start) + len(last)


def looked_at(*spans: tuple[int, int], prefix: str = "") -> Structure:
    document = AnnotatedDocument(Document("d", TEXT))
    chunks = [Chunk("d", *place, prefix=prefix) for place in spans]
    tokens = [document.tokens.count(*place) for place in spans]
    return structure(TEXT, chunks, tokens, document.sentences, document.blocks)


def found(kind: str, *spans: tuple[int, int], prefix: str = "") -> list[Finding]:
    return [entry for entry in looked_at(*spans, prefix=prefix).findings if entry.kind == kind]


def test_the_whole_document_in_one_chunk_ails_nothing() -> None:
    seen = looked_at((0, len(TEXT)))
    assert seen.findings == ()
    assert seen.counts.pop("characters") == characters(TEXT) == len("".join(TEXT.split()))
    assert set(seen.counts.values()) == {0}


def test_a_chunk_that_begins_or_ends_in_a_sentence_says_which() -> None:
    parts = [
        span("One", "is here,"),
        span("and it is long enough", "Another"),
        span("one follows", "too."),
    ]
    entries = found("cut_sentences", *parts)
    assert {(e.span, e.chunk, e.value) for e in entries} == {
        (parts[0], 1, 2.0),
        (parts[1], 2, 3.0),
        (parts[2], 3, 1.0),
    }
    assert entries[0].value == 3  # cut at both ends is worst


def test_a_cut_table_is_named_with_the_chunks_that_share_it() -> None:
    middle = TEXT.index("| 1 |")
    (entry,) = found("cut_tables", (0, 20), (20, middle), (middle, len(TEXT)))
    assert TEXT[slice(*entry.span)] == TABLE
    assert (entry.chunk, entry.value) == (2, 2)
    (lost,) = found("cut_tables", span("# Title"))
    assert (lost.chunk, lost.value) == (None, 0)


def test_a_cut_code_block_is_named() -> None:
    middle = TEXT.index("print(2)")
    (entry,) = found("cut_fences", (0, middle), (middle, len(TEXT)))
    assert TEXT[slice(*entry.span)] == FENCE


def test_a_heading_at_a_chunks_end_is_stranded() -> None:
    first = span("# Title", "## Table\n")
    entries = found("stranded_headings", first, (first[1], len(TEXT)))
    assert entries == [Finding("stranded_headings", first, 1)]


def test_fragments_are_the_short_chunks_with_letters_and_no_prefix() -> None:
    assert [e.span for e in found("fragments", span("One"), span("One sentence"))] == [
        span("One"),
        span("One sentence"),
    ]  # the shortest first
    assert found("fragments", span("The end", "world.")) == []
    assert found("fragments", span("---\n\nThe", "The"), prefix="Title > Table") == []
    assert found("fragments", span("| 1 | 2 |")) == []


def test_chunks_without_a_letter_of_any_script_are_wordless() -> None:
    assert found("wordless", span("| 1 | 2 |")) == [Finding("wordless", span("| 1 | 2 |"), 1)]
    assert found("wordless", span("| 1 | 2 |"), prefix="| a | b |") == []
    text = "漢字"
    assert structure(text, [Chunk("d", 0, 2)], [2], [(0, 2)], []).counts["wordless"] == 0


def test_text_in_no_chunk_is_counted_without_white_space() -> None:
    gap = span("## Table", "| 3 | 4 |")
    seen = looked_at((0, gap[0]), (gap[1], len(TEXT)))
    (entry,) = (e for e in seen.findings if e.kind == "uncovered")
    assert (entry.span, entry.chunk) == (gap, None)
    assert entry.value == seen.counts["uncovered"] == characters(TEXT[slice(*gap)])


def test_of_a_document_only_the_worst_are_kept_and_all_are_counted() -> None:
    start = TEXT.index("One sentence")
    seen = looked_at(*((start + n, start + n + 3) for n in range(40)))
    kept = [e for e in seen.findings if e.kind == "cut_sentences"]
    assert seen.counts["cut_sentences"] > len(kept) == MOST_OF_A_DOCUMENT


@settings(max_examples=60, deadline=None)
@given(
    st.text(alphabet="ab \n", max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=5),
)
def test_covered_and_uncovered_make_the_whole_text(text: str, pairs: list[tuple[int, int]]) -> None:
    spans = [(min(a, b, len(text)), min(max(a, b), len(text))) for a, b in pairs]
    held = {place for start, end in spans for place in range(start, end)}
    missing = {n for n, c in enumerate(text) if not c.isspace() and n not in held}
    gaps = uncovered(text, spans)
    assert {n for a, b in gaps for n in range(a, b) if not text[n].isspace()} == missing
    assert all(text[a:b] == text[a:b].strip() != "" for a, b in gaps)
