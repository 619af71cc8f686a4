"""Late chunking: units are indexed; passages are made of those that a query finds."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.chunkers.late import Late, Unit, late_of, materialise
from chunkbench_engine.chunkers.spec import parse_spec

from .any_text import annotated, pieces

TEXT = "Stars shine. Rivers run.\n\nBirds sing. Fish swim."
UNITS = [Unit("a.md", c.start, c.end, 3, 0.0) for c in
         parse_spec("LCSI").strategy.chunk(annotated(TEXT))]  # fmt: skip
TEXTS = {"a.md": TEXT, "b.md": TEXT}
SCORES = tuple(enumerate((0.3, 0.3, 0.1, 0.9)))


def unit(index: int, score: float, document: str = "a.md") -> Unit:
    return Unit(document, UNITS[index].start, UNITS[index].end, 3, score)


def passages(found: list[Unit], k: int = 5, max_tokens: int = 100) -> list[tuple[str, float]]:
    return [
        (TEXTS[p.document][p.start : p.end], p.score)
        for p in materialise(found, TEXTS, k, max_tokens)
    ]


def test_units_are_sentences_paragraphs_or_windows_of_tokens() -> None:
    assert pieces("LCSI", TEXT) == ["Stars shine.", "Rivers run.", "Birds sing.", "Fish swim."]
    assert pieces("LCPI", TEXT) == ["Stars shine. Rivers run.", "Birds sing. Fish swim."]
    assert pieces("LCTS(span=4, step=2)", "a b c d e f g") == ["a b c d", " c d e f", " e f g"]


def test_both_steps_are_parameters() -> None:
    assert late_of(parse_spec("LCTS").strategy) == Late(True, True, 200, 4)
    assert late_of(parse_spec("LCSI(pooling=false, materialise=false, max=50)").strategy) == Late(
        False, False, 50, 4
    )


def test_neighbours_are_merged_and_score_as_the_best_of_them() -> None:
    assert passages([unit(1, 0.9), unit(3, 0.7), unit(0, 0.5)]) == [
        ("Stars shine. Rivers run.", 0.9),
        ("Fish swim.", 0.7),
    ]


def test_a_blank_line_does_not_part_neighbours() -> None:
    assert passages([unit(1, 0.2), unit(2, 0.3)]) == [("Rivers run.\n\nBirds sing.", 0.3)]


def test_units_of_different_documents_are_never_merged() -> None:
    assert passages([unit(0, 0.2), unit(1, 0.3, "b.md")]) == [
        ("Rivers run.", 0.3),
        ("Stars shine.", 0.2),
    ]


def test_overlapping_units_are_merged_without_repeating_text() -> None:
    found = [Unit("a.md", 0, 19, 5, 0.1), Unit("a.md", 3, 9, 3, 0.4), Unit("a.md", 13, 24, 3, 0.2)]
    assert passages(found) == [("Stars shine. Rivers run.", 0.4)]


def test_a_passage_is_no_longer_than_max() -> None:
    found = [unit(i, 0.1 * i) for i in range(4)]
    made = materialise(found, TEXTS, 5, max_tokens=7)
    assert [TEXT[p.start : p.end] for p in made] == [
        "Birds sing. Fish swim.",
        "Stars shine. Rivers run.",
    ]
    assert all(p.tokens <= 7 for p in made)


def test_a_unit_longer_than_max_is_left_whole() -> None:
    assert passages([unit(0, 0.5), unit(1, 0.4)], max_tokens=1) == [
        ("Stars shine.", 0.5),
        ("Rivers run.", 0.4),
    ]


def test_ties_are_in_document_order_and_only_k_are_returned() -> None:
    found = [unit(3, 0.5), unit(1, 0.5, "b.md"), unit(1, 0.5)]
    assert passages(found, k=2) == [("Rivers run.", 0.5), ("Fish swim.", 0.5)]


@given(st.permutations([unit(i, s, d) for d in TEXTS for i, s in SCORES]))
@settings(max_examples=30, deadline=None)
def test_the_order_in_which_units_are_found_does_not_matter(found: list[Unit]) -> None:
    assert materialise(found, TEXTS, 3, 7) == materialise(sorted(found, key=str), TEXTS, 3, 7)
