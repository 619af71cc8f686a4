"""Beyond the paper: F6C, PPC, HAC, HIC, MDC, FWC, RWC and DOC."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.chunkers.spec import parse_spec

from .any_text import annotated, pieces

if TYPE_CHECKING:
    from chunkbench_engine.chunkers.chunk import Chunk

CONSTITUTION = Path(__file__).parents[3] / "sample_corpus" / "constitution" / "constitution.md"

MARKDOWN = """\
intro

# A

first

## B ##

### C
second part; and more of it.

```
# no heading
```

# D
"""


def chunks(spec: str, text: str) -> list[Chunk]:
    return parse_spec(spec).strategy.chunk(annotated(text))


@pytest.mark.parametrize(
    ("strategy", "size", "count"),
    [
        ("F6C", 300, 104), ("PPC", 300, 109), ("HAC", 300, 111),
        ("F6C", 600, 52), ("PPC", 600, 57), ("HAC", 600, 60),
        ("F6C", 1200, 26), ("PPC", 1200, 25), ("HAC", 1200, 38),
    ],
)  # fmt: skip
def test_the_constitution_has_as_many_chunks_as_the_article_counts(
    strategy: str, size: int, count: int
) -> None:
    assert len(chunks(f"{strategy}(size={size})", CONSTITUTION.read_text())) == count


def test_f6c_windows_share_a_sixth_and_count_white_space_once() -> None:
    assert pieces("F6C(size=6)", "abc   defgh\n\n\nij") == ["abc   de", "efgh\n\n\ni", "ij"]


def test_ppc_packs_whole_paragraphs_and_counts_white_space_once() -> None:
    assert pieces("PPC(size=7)", "abc\n\n\n\ndef\n\ng") == ["abc\n\n\n\ndef", "g"]


def test_ppc_splits_a_long_paragraph_at_sentence_ends_only() -> None:
    text = "One is; two is. Three_is_longer_than_that.\n\nFour."
    assert pieces("PPC(size=8)", text) == ["One is;", "two is.", "Three_is_longer_than_that.",
                                           "Four."]  # fmt: skip


def test_hac_never_packs_across_a_heading_and_prefixes_the_heading_path() -> None:
    found = chunks("HAC", MARKDOWN)
    assert [c.prefix for c in found] == ["", "A", "A > B > C", "D"]
    assert [MARKDOWN[c.start : c.end] for c in found] == [
        "intro",
        "# A\n\nfirst",
        "## B ##\n\n### C\nsecond part; and more of it.\n\n```\n# no heading\n```",
        "# D",
    ]


def test_hac_counts_neither_the_prefix_nor_the_heading_lines() -> None:
    text = "# A long heading\n\n12345\n\n67890"
    assert pieces("HAC(size=11)", text) == [text]
    assert pieces("HAC(size=10)", text) == ["# A long heading\n\n12345", "67890"]


def test_a_heading_leaves_the_path_at_the_next_of_its_level_or_above() -> None:
    text = "### a\n\nx\n\n## b\n\nx\n\n#### c #\n\nx\n\nC#\n===\n\nx"
    assert [c.prefix for c in chunks("HAC", text)] == ["a", "b", "b > c", "C#"]


def test_hic_children_have_their_section_as_context() -> None:
    found = chunks("HIC(child=3)", MARKDOWN)
    sections = {MARKDOWN[slice(*c.judged)] for c in found}
    assert len(sections) == 4
    assert "# A\n\nfirst" in sections
    assert all(len(MARKDOWN[c.start : c.end].split()) <= 3 for c in found)


TABLE = "| k | v |\n|---|---|\n" + "".join(f"| n{i} | {i} |\n" for i in range(8))


def test_mdc_packs_whole_blocks() -> None:
    text = "# A\n\npara\n\n" + TABLE + "\n```\nx\n\ny\n```\n\n- a\n- b\n"
    assert pieces("MDC(max=200)", text) == [text.strip()]
    packed = pieces("MDC(max=74)", text)
    assert packed[0].startswith("# A\n\npara\n\n| k | v |")
    assert packed[1] == "```\nx\n\ny\n```\n\n- a\n- b"


def test_mdc_cuts_a_long_table_at_row_ends_and_repeats_its_header_as_prefix() -> None:
    found = chunks("MDC(max=30)", TABLE)
    parts = [TABLE[c.start : c.end] for c in found]
    assert len(parts) > 2
    assert "\n".join(parts) == TABLE.strip()
    assert [c.prefix for c in found] == ["", *["| k | v |"] * (len(parts) - 1)]


def test_mdc_cuts_a_long_fence_at_line_ends() -> None:
    code = "```\n" + "call(x)\n\n" * 9 + "```"
    parts = pieces("MDC(max=12)", code)
    assert len(parts) > 2
    assert set("".join(parts).replace("call(x)", "").replace("```", "")) == {"\n"}


def test_fwc_windows_are_of_white_space_words() -> None:
    assert pieces("FWC(words=3, overlap=1)", " a  b\nc d e, f g ") == [
        "a  b\nc",
        "c d e,",
        "e, f g",
    ]


def test_rwc_splits_at_sentences_before_spaces() -> None:
    text = "One two. Three four five. Six\n\nseven eight nine ten"
    assert pieces("RWC(words=3)", text) == [
        "One two.",
        "Three four five.",
        "Six",
        "seven eight nine",
        "ten",
    ]


def test_doc_is_the_whole_document() -> None:
    assert pieces("DOC", " \n# A\n\nb\n") == ["# A\n\nb"]
