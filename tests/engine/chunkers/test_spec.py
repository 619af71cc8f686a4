"""The specification language."""

from __future__ import annotations

import pickle
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.chunkers.registry import REGISTRY
from chunkbench_engine.chunkers.spec import parse_spec, parse_specs
from chunkbench_engine.errors import BadInput

ALONE = [abbr for abbr, entry in REGISTRY.items() if not entry.wraps]
"""Strategies that are not written around another."""


def labels(text: str) -> list[str]:
    return [configured.label for configured in parse_specs(text)]


@pytest.mark.parametrize("abbr", ALONE)
def test_a_bare_abbreviation_is_the_default_configuration(abbr: str) -> None:
    configured = parse_spec(abbr)
    entry = REGISTRY[abbr]
    assert configured.label == configured.abbr == abbr
    assert configured.family == entry.family
    assert configured.parameters == entry.defaults
    assert configured.needs_vectors == entry.needs_vectors
    assert configured.strategy == entry.factory()


@pytest.mark.parametrize("abbr", ALONE)
def test_every_parameter_with_its_default_written_out_is_the_same(abbr: str) -> None:
    written = ", ".join(
        f'{name}="{value}"' if isinstance(value, str) else f"{name}={str(value).lower()}"
        for name, value in REGISTRY[abbr].defaults.items()
    )
    assert parse_spec(f"{abbr}({written})") == parse_spec(abbr)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FC(token_size=50)", ["FC"]),
        ("FC( overlap = 20 , token_size=200 )", ["FC(token_size=200, overlap=20)"]),
        ("FC()", ["FC"]),
        ("RC(chunk_size=200..800:200)", [f"RC(chunk_size={n})" for n in (200, 400, 600, 800)]),
        ("SSTC(threshold=0.4..0.6:0.1)", ["SSTC(threshold=0.4)", "SSTC(threshold=0.5)", "SSTC"]),
        ("SSTC(threshold=1)", ["SSTC(threshold=1)"]),
        ("SSTC(threshold=0.00001)", ["SSTC(threshold=0.00001)"]),
        ("FC(overlap=0|10..20:10)", ["FC", "FC(overlap=10)", "FC(overlap=20)"]),
        ("LAC(unit=tokens), LAC(unit='chars')", ["LAC(unit=tokens)", "LAC"]),
        ("LCSI(pooling=true|false)", ["LCSI", "LCSI(pooling=false)"]),
        ("FC\nRC(\n  overlap=0\n)\n\nSBC; PBC,", ["FC", "RC(overlap=0)", "SBC", "PBC"]),
        ("FC, FC(overlap=0)", ["FC"]),
        ("PGC>>FC(token_size=200,overlap=20)", ["PGC >> FC(token_size=200, overlap=20)"]),
        ("(PGC >> RC) >> FC", ["PGC >> RC >> FC"]),
        ("PGC >> (RC >> FC)", ["PGC >> (RC >> FC)"]),
        ("SGC(overlap=0|1) >> FC(overlap=0|5)",
         ["SGC(overlap=0) >> FC", "SGC(overlap=0) >> FC(overlap=5)", "SGC >> FC",
          "SGC >> FC(overlap=5)"]),
        ("CTX(RC)", ["CTX(RC)"]),
        ("CTX( RC(chunk_size=400, overlap=0|50) )",
         ["CTX(RC(chunk_size=400, overlap=0))", "CTX(RC(chunk_size=400))"]),
        ("CTX((PGC >> FC))", ["CTX(PGC >> FC)"]),
        ("CTX(CTX(SBC)) >> FC", ["CTX(CTX(SBC)) >> FC"]),
        ('RC(separators="newline, character")', ['RC(separators="newline, character")']),
    ],
)  # fmt: skip
def test_specifications_and_their_canonical_labels(text: str, expected: list[str]) -> None:
    assert labels(text) == expected


def test_lists_and_ranges_multiply_out_the_last_turning_fastest() -> None:
    assert labels("RC(chunk_size=200..600:200, overlap=0|50)") == [
        "RC(chunk_size=200, overlap=0)", "RC(chunk_size=200)",
        "RC(chunk_size=400, overlap=0)", "RC(chunk_size=400)",
        "RC(chunk_size=600, overlap=0)", "RC(chunk_size=600)",
    ]  # fmt: skip


_calls = st.sampled_from(
    ["FC", "FC(overlap=7)", "RC(unit=tokens, overlap=0)", "LCSI(pooling=false)", "SVAC",
     "SSTC(threshold=0.25)", 'RC(separators="space, character")', "HPGC(min_chars=3)"]
)  # fmt: skip
_specs = st.recursive(
    _calls,
    lambda inner: (
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}) >> ({pair[1]})")
        | inner.map(lambda one: f"CTX({one})")
    ),
)


@given(_specs)
@settings(max_examples=60, deadline=None)
def test_a_label_reads_back_as_the_same_configuration(text: str) -> None:
    configured = parse_spec(text)
    again = parse_spec(configured.label)
    assert again == configured
    assert pickle.loads(pickle.dumps(configured)) == configured


def test_a_pipeline_names_the_parameters_of_both_parts() -> None:
    configured = parse_spec("SSTC(threshold=0.5) >> FC(overlap=5)")
    assert configured.abbr == "SSTC >> FC"
    assert configured.family == "semantic-first hybrid"
    assert configured.needs_vectors
    assert configured.parameters == {
        "primary": {"strategy": "SSTC", "threshold": 0.5},
        "secondary": {"strategy": "FC", "token_size": 50, "overlap": 5},
    }


def test_a_pipeline_needs_vectors_if_either_part_does() -> None:
    assert not parse_spec("PBC >> FC").needs_vectors
    assert parse_spec("PBC >> SEBC").needs_vectors


def test_a_strategy_around_another_names_that_one_and_its_parameters() -> None:
    configured = parse_spec("CTX(SSTC(threshold=0.5))")
    assert configured.abbr == "CTX(SSTC)"
    assert configured.parameters == {"inner": {"strategy": "SSTC", "threshold": 0.5}}
    assert configured.needs_vectors


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("RC", False),
        ("LBDC", True),
        ("CTX(RC)", True),
        ("RC >> LSTC", True),
        ("LBDC >> RC", True),
        ("PGC >> FC", False),
    ],
)
def test_it_is_known_which_need_a_language_model(text: str, needed: bool) -> None:
    assert parse_spec(text).needs_language_model == needed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no strategy is named"),
        ("RCC", "no strategy 'RCC'; did you mean RC?"),
        ("hpgc", "did you mean HPGC?"),
        ("RCC", "chunkbench-tui strategies"),
        ("banana", "no strategy 'banana'; all of them: chunkbench-tui strategies"),
        ("FC(size=3)", "FC has no parameter 'size'; its parameters are: token_size, overlap"),
        ("SBC(size=3)", "SBC has no parameter 'size'; its parameters are: none"),
        ("FC(overlap=60)", "FC: overlap=60 must be below token_size=50"),
        ("FC(overlap=1.5)", "FC: overlap=1.5 must be a whole number"),
        ("FC(overlap=much)", "FC: overlap=much must be a whole number"),
        ("FC(overlap=true)", "FC: overlap=True must be a whole number"),
        ("LCSI(pooling=1)", "LCSI: pooling=1 must be true or false"),
        ("LAC(unit=3)", "LAC: unit=3 must be a word"),
        ("FC(overlap=1, overlap=2)", "FC is given overlap twice"),
        ("FC(overlap=", "expected a value but found the end at character 12"),
        ("FC(overlap 3)", "expected '=' but found '3' at character 12"),
        ("FC(overlap=3", r"expected ',' or '\)' but found the end at character 13"),
        ("FC(=3)", r"expected a parameter or '\)' but found '=' at character 4"),
        ("CTX", r"CTX is written around another strategy, as CTX\(RC\)"),
        ("CTX(size=3)", r"CTX is written around another strategy, as CTX\(RC\)"),
        ("FC(RC)", "FC is not written around another strategy; its parameters are: token_size"),
        ("CTX(RC", r"expected '>>' or '\)' but found the end at character 7"),
        ("CTX(RC, FC)", r"expected '>>' or '\)' but found ',' at character 7"),
        ("CTX(RCC)", "no strategy 'RCC'; did you mean RC?"),
        ("LBDC(threshold=2)", "LBDC: threshold=2.0 must be between 0 and 1"),
        ("LSTC(max=0)", "LSTC: max=0 must be at least 1"),
        ("FC RC", "expected '>>', ',' or the end but found 'RC' at character 4"),
        ("FC >>", "expected a strategy but found the end at character 6"),
        ("(FC", r"expected '>>' or '\)' but found the end at character 4"),
        ("FC(overlap=1..9)", "expected ':' and the step of the range"),
        ("FC(overlap=9..1:2)", "must rise, by a step above 0"),
        ("FC(overlap=1..9:0)", "must rise, by a step above 0"),
        ("FC(overlap=0..99999:1)", "has 100000 values, more than 1000"),
        ("RC(chunk_size=100..500:1, overlap=0|1|2)", "sweep of 1203 configurations"),
        ("FC & RC", "'&' at character 4 of 'FC & RC' has no meaning there"),
        ("(" * 5_000, "nested parentheses"),
        (">>".join(["FC"] * 5_000), "more than 20 steps"),
    ],
)  # fmt: skip
def test_errors_say_what_and_where(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_specs(text)


def test_one_is_not_several() -> None:
    with pytest.raises(BadInput, match="names 2 configurations where one is wanted"):
        parse_spec("FC(overlap=0|1)")


@given(st.text(max_size=30) | st.text("FCRLAC()>=|.,:;0123456789-\"'\n ", max_size=30))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_or_refused_with_a_message(text: str) -> None:
    with suppress(BadInput):
        assert parse_specs(text)
