"""The specification language: `RC(chunk_size=200..800:200)`, `PGC >> FC(token_size=200)`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from difflib import get_close_matches
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from chunkbench_engine.chunkers.foreign import foreign
from chunkbench_engine.chunkers.pipeline import Pipeline
from chunkbench_engine.chunkers.plug_ins import target_of
from chunkbench_engine.chunkers.registry import PAPER, REGISTRY
from chunkbench_engine.chunkers.syntax import Then, parse
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from chunkbench_engine.chunkers.chunk import Strategy
    from chunkbench_engine.chunkers.entry import Entry, Value
    from chunkbench_engine.chunkers.syntax import Call, Node

__all__ = ["PAPER", "ConfiguredStrategy", "parse_spec", "parse_specs"]

_MOST_CONFIGURATIONS = 1_000
_WORD = re.compile(r"[A-Za-z_][\w-]*")
TYPE_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}


@dataclass(frozen=True)
class ConfiguredStrategy:
    """A strategy with all its parameters.

    Attributes:
        label: how it is written; only parameters that differ from the defaults are named, so the
            same configuration always has the same label.
        abbr: its abbreviation; for a pipeline, those of its parts.
        family: its category.
        parameters: all its parameters, defaults included; of a pipeline, those of its `primary`
            and `secondary`, of a strategy around another those of the `inner`, each with its
            `strategy`.
        strategy: what does the chunking.
        needs_vectors: whether it asks the chunkers' own embedding model.
        needs_language_model: whether it asks a language model.
    """

    label: str
    abbr: str
    family: str
    parameters: dict[str, Any] = field(hash=False)
    strategy: Strategy
    needs_vectors: bool
    needs_language_model: bool = False


def parse_specs(text: str) -> list[ConfiguredStrategy]:
    """Every configuration that the text names, each once, in order; lists and ranges multiply out.

    Raises `BadInput` for an unknown strategy or parameter, a value out of range, or bad syntax.
    """
    nodes = parse(text)
    if not nodes:
        raise BadInput("no strategy is named; list them with: chunkbench-tui strategies")
    found: dict[str, ConfiguredStrategy] = {}
    for node in nodes:
        found.update((configured.label, configured) for configured in _expand(node))
    return list(found.values())


def parse_spec(text: str) -> ConfiguredStrategy:
    """The one configuration that the text names; `BadInput` if it names several."""
    found = parse_specs(text)
    if len(found) > 1:
        raise BadInput(f"{text!r} names {len(found)} configurations where one is wanted")
    return found[0]


def _expand(node: Node) -> list[ConfiguredStrategy]:
    if isinstance(node, Then):
        firsts, seconds = _expand(node.first), _expand(node.second)
        _check_number(len(firsts) * len(seconds))
        return [_pipeline(*pair) for pair in product(firsts, seconds)]
    if target := target_of(node.abbr, REGISTRY):
        return _foreign(node, target)
    entry = _entry(node.abbr)
    if entry.wraps:
        if node.inner is None:
            raise BadInput(f"{entry.abbr} is written around another strategy, as {entry.abbr}(RC)")
        return [_around(entry, inner) for inner in _expand(node.inner)]
    if node.inner is not None:
        allowed = ", ".join(entry.defaults) or "none"
        raise BadInput(
            f"{entry.abbr} is not written around another strategy; its parameters are: {allowed}"
        )
    choices = [
        [_coerced(entry, name, value) for value in values]
        for name, values in _known(entry, node).items()
    ]
    _check_number(prod(map(len, choices)))
    return [
        _single(entry, dict(zip(node.parameters, values, strict=True)))
        for values in product(*choices)
    ]


def _foreign(call: Call, target: str) -> list[ConfiguredStrategy]:
    """Configurations of anyone's chunker, whose parameters only itself can check."""
    if call.inner is not None:
        raise BadInput(f"{call.abbr} takes parameters by name, as {call.abbr}(size=400)")
    _check_number(prod(map(len, call.parameters.values())))
    strategies = [
        foreign(call.abbr, target, dict(zip(call.parameters, values, strict=True)))
        for values in product(*call.parameters.values())
    ]
    return [
        ConfiguredStrategy(
            label=strategy.label,
            abbr=call.abbr,
            family="foreign",
            parameters=dict(strategy.parameters),
            strategy=strategy,
            needs_vectors=False,
        )
        for strategy in strategies
    ]


def _check_number(configurations: int) -> None:
    if configurations > _MOST_CONFIGURATIONS:
        raise BadInput(
            f"a sweep of {configurations} configurations is more than {_MOST_CONFIGURATIONS}: "
            "give fewer values"
        )


def _entry(abbr: str) -> Entry:
    if abbr in REGISTRY:
        return REGISTRY[abbr]
    folded = {known.casefold(): known for known in REGISTRY}
    near = get_close_matches(abbr.casefold(), folded, n=1, cutoff=0.5)
    hint = f"did you mean {folded[near[0]]}? All of them" if near else "all of them"
    raise BadInput(f"there is no strategy {abbr!r}; {hint}: chunkbench-tui strategies")


def _known(entry: Entry, call: Call) -> dict[str, list[Value]]:
    for name in call.parameters:
        if name not in entry.defaults:
            allowed = ", ".join(entry.defaults) or "none"
            raise BadInput(f"{entry.abbr} has no parameter {name!r}; its parameters are: {allowed}")
    return call.parameters


def _coerced(entry: Entry, name: str, value: Value) -> Value:
    """The value in the type of the parameter's default."""
    wanted = type(entry.defaults[name])
    if wanted is float and type(value) is int:
        return float(value)
    if type(value) is not wanted:
        raise BadInput(f"{entry.abbr}: {name}={value} must be {TYPE_NAMES[wanted]}")
    return value


def _single(entry: Entry, given: dict[str, Value]) -> ConfiguredStrategy:
    parameters = {**entry.defaults, **given}
    try:
        strategy = entry.factory(**parameters)
    except BadInput as error:
        raise BadInput(f"{entry.abbr}: {error}") from error
    shown = [
        f"{name}={_written(value)}"
        for name, value in parameters.items()
        if value != entry.defaults[name]
    ]
    return ConfiguredStrategy(
        label=f"{entry.abbr}({', '.join(shown)})" if shown else entry.abbr,
        abbr=entry.abbr,
        family=entry.family,
        parameters=parameters,
        strategy=strategy,
        needs_vectors=entry.needs_vectors,
        needs_language_model=entry.needs_language_model,
    )


def _around(entry: Entry, inner: ConfiguredStrategy) -> ConfiguredStrategy:
    return ConfiguredStrategy(
        label=f"{entry.abbr}({inner.label})",
        abbr=f"{entry.abbr}({inner.abbr})",
        family=entry.family,
        parameters={"inner": {"strategy": inner.abbr, **inner.parameters}},
        strategy=entry.factory(inner.strategy),
        needs_vectors=entry.needs_vectors or inner.needs_vectors,
        needs_language_model=entry.needs_language_model or inner.needs_language_model,
    )


def _pipeline(first: ConfiguredStrategy, second: ConfiguredStrategy) -> ConfiguredStrategy:
    # `>>` binds to the left, so only a pipeline on the right needs its parentheses
    grouped = ">>" in second.abbr
    semantic = first.needs_vectors or first.needs_language_model
    return ConfiguredStrategy(
        label=f"{first.label} >> " + (f"({second.label})" if grouped else second.label),
        abbr=f"{first.abbr} >> " + (f"({second.abbr})" if grouped else second.abbr),
        family=f"{'semantic' if semantic else 'structural'}-first hybrid",
        parameters={
            "primary": {"strategy": first.abbr, **first.parameters},
            "secondary": {"strategy": second.abbr, **second.parameters},
        },
        strategy=Pipeline(first.strategy, second.strategy),
        needs_vectors=first.needs_vectors or second.needs_vectors,
        needs_language_model=first.needs_language_model or second.needs_language_model,
    )


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and not _WORD.fullmatch(value):
        return f'"{value}"'
    if isinstance(value, float):
        # never with an exponent, which the language does not read
        return f"{Decimal(str(value)):f}".removesuffix(".0")
    return str(value)
