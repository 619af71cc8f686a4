"""A strategy with other parameters: steps of size and overlap, and values as they are written."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkbench_engine.chunkers.registry import REGISTRY
from chunkbench_engine.chunkers.spec import parse_spec
from chunkbench_engine.chunkers.variation import parameters_of, vary
from chunkbench_engine.errors import BadInput

SINGLE = sorted(abbr for abbr, entry in REGISTRY.items() if not entry.wraps)


def _role(spec: str, role: str) -> object:
    return next((p.value for p in parameters_of(spec) if p.role == role), None)


@pytest.mark.parametrize("abbr", SINGLE)
def test_without_a_change_a_strategy_is_itself(abbr: str) -> None:
    assert vary(abbr) == abbr
    assert {p.name: p.value for p in parameters_of(abbr)} == REGISTRY[abbr].defaults


@pytest.mark.parametrize("abbr", SINGLE)
def test_the_size_grows_by_one_parameter_or_the_strategy_has_none(abbr: str) -> None:
    before = _role(abbr, "size")
    if before is None:
        with pytest.raises(BadInput, match="has no size to change"):
            vary(abbr, size=1)
        return
    changed = parse_spec(vary(abbr, size=1)).parameters
    differing = {n for n, v in changed.items() if v != REGISTRY[abbr].defaults[n]}
    assert len(differing) == 1
    assert changed[differing.pop()] > before


@settings(max_examples=60, deadline=None)
@given(
    size=st.integers(120, 4000),
    steps=st.integers(-3, 12),
    overlap=st.integers(0, 4),
)
def test_steps_are_even_and_lead_to_round_sizes(size: int, steps: int, overlap: int) -> None:
    spec = f"RC(chunk_size={size}, overlap=10)"
    one = _role(vary(spec, size=1), "size") - size  # type: ignore[operator]
    assert size / 20 <= one <= size / 4
    assert str(one).rstrip("0") in ("1", "2", "5")
    varied = vary(spec, size=steps, overlap=overlap)
    assert _role(varied, "size") == size + steps * one
    assert parse_spec(varied).label == varied, "what is answered can be asked for"


def test_of_a_pipeline_the_last_size_and_the_last_overlap_are_meant() -> None:
    assert vary("PGC >> FC(token_size=200)", size=2) == "PGC >> FC(token_size=240)"
    assert vary("PGC >> SBC", size=1) == "PGC(paragraphs=3) >> SBC"
    assert vary("SBC >> (RC >> FC)", size=1) == "SBC >> (RC >> FC(token_size=55))"
    assert vary("CTX(RC)", size=-1) == "CTX(RC(chunk_size=450))"
    assert vary("FC >> SWC", overlap=1) == "FC >> SWC(step=20)", "a shorter step overlaps more"


def test_anyone_s_chunker_has_the_parameters_that_it_is_given() -> None:
    spec = 'mine:split(mode="a b", size=100, soft=true)'
    assert [p.name for p in parameters_of(spec)] == ["mode", "size", "soft"]
    assert vary(spec, size=1) == 'mine:split(mode="a b", size=110, soft=true)'
    assert vary(spec, values={2: "no", 0: "c"}) == "mine:split(mode=c, size=100, soft=false)"
    with pytest.raises(BadInput, match="no size to change"):
        vary("mine:split", size=1)


@pytest.mark.parametrize(
    ("place", "text", "sentence"),
    [
        (0, "abc", "RC: chunk_size=abc must be a whole number"),
        (0, "", "RC: chunk_size= must be a whole number"),
        (0, "10", "RC: overlap=50 must be below chunk_size=10"),
        (2, "miles", "RC: unit=miles must be one of chars, tokens"),
        (3, "\"'", "has no meaning"),
        (9, "1", "RC has no parameter 10"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(place: int, text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        vary("RC", values={place: text})
