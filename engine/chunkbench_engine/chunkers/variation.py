"""A strategy with other parameters: a size up or down, more or less overlap, any value."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from chunkbench_engine.chunkers.foreign import written
from chunkbench_engine.chunkers.plug_ins import target_of
from chunkbench_engine.chunkers.registry import REGISTRY
from chunkbench_engine.chunkers.spec import TYPE_NAMES, parse_spec
from chunkbench_engine.chunkers.syntax import Call, Then, parse
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chunkbench_engine.chunkers.entry import Value
    from chunkbench_engine.chunkers.syntax import Node

Role = Literal["", "size", "overlap", "step"]
"""What a parameter does to chunks; a `step` from one to the next is overlap the other way."""

_SIZES = (
    "chunk_size", "token_size", "char_size", "size", "base_size", "target", "words", "span",
    "child", "max", "window", "sentences", "paragraphs",
)  # fmt: skip
"""Names of what sets the size of a chunk; the first that a strategy has."""
_WORDS = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a strategy, or of one of the strategies that it is made of.

    Attributes:
        strategy: abbreviation of the one that has it.
        role: what it does; of a pipeline, the last size and the last overlap have one.
    """

    strategy: str
    name: str
    value: Value
    role: Role = ""


def parameters_of(spec: str) -> list[Parameter]:
    """All parameters of the one configuration that a spec names, from left to right.

    Raises `BadInput` where it names none, or several.
    """
    found = [
        Parameter(call.abbr, name, value)
        for call in _calls(_node(spec))
        for name, value in _values(call).items()
    ]
    for place, role in _roles(_node(spec)).items():
        found[place] = replace(found[place], role=role)
    return found


def vary(
    spec: str, *, size: int = 0, overlap: int = 0, values: Mapping[int, str] | None = None
) -> str:
    """The label of a strategy with other parameters.

    A step of the size is about an eighth of it, one of the overlap about a tenth of the size, both
    round numbers; so many steps up and as many down lead back.

    Args:
        size: steps up, or down if negative.
        overlap: steps, likewise.
        values: what is written for a parameter, by its place among `parameters_of`.

    Raises:
        BadInput: it has no such parameter, or cannot have such a value.
    """
    if values:
        spec = _with(spec, {place: _read(spec, place, text) for place, text in values.items()})
    known = parameters_of(spec)
    by_role: dict[Role, int] = {parameter.role: place for place, parameter in enumerate(known)}
    changed: dict[int, Value] = {}
    if size:
        place = _place(spec, by_role, "size")
        changed[place] = _number(known[place]) + size * _round(_number(known[place]) / 8)
    if overlap:
        back = "step" in by_role
        place = by_role["step"] if back else _place(spec, by_role, "overlap")
        whole = _number(known[by_role["size"]]) if "size" in by_role else 10
        steps = -overlap if back else overlap
        changed[place] = _number(known[place]) + steps * _round(whole / 10)
    return parse_spec(_with(spec, changed)).label


def _place(spec: str, by_role: dict[Role, int], role: Literal["size", "overlap"]) -> int:
    if role not in by_role:
        raise BadInput(f"{spec} has no {role} to change")
    return by_role[role]


def _number(parameter: Parameter) -> int:
    assert isinstance(parameter.value, int)  # `_roles` gives none to anything else
    return parameter.value


def _round(number: float) -> int:
    """The nearest of 1, 2, 5, 10, 20, 50, …"""
    power: int = 10 ** math.floor(math.log10(max(number, 1)))
    return min((power * digit for digit in (1, 2, 5, 10)), key=lambda step: abs(step - number))


def _node(spec: str) -> Node:
    parse_spec(spec)  # what it says of a bad one is better than what follows
    return parse(spec)[0]


def _calls(node: Node) -> Iterator[Call]:
    """The strategies of a tree that have parameters, from left to right."""
    if isinstance(node, Then):
        yield from _calls(node.first)
        yield from _calls(node.second)
    elif node.inner is not None:
        yield from _calls(node.inner)
    else:
        yield node


def _values(call: Call) -> dict[str, Value]:
    given = {name: values[0] for name, values in call.parameters.items()}
    if target_of(call.abbr, REGISTRY):
        return given
    return {**REGISTRY[call.abbr].defaults, **given}


def _roles(node: Node) -> dict[int, Role]:
    """The role of parameters by their place; of several strategies, the last with one has it."""
    places: dict[Role, int] = {}
    roles: tuple[Role, ...] = ("overlap", "step")
    first = 0
    for call in _calls(node):
        values = _values(call)
        numbers = [name for name, value in values.items() if type(value) is int]
        names = list(values)
        sizes = [name for name in _SIZES if name in numbers]
        if "step" not in numbers:  # without one, a window is what is looked at, not what is cut
            sizes = [name for name in sizes if name != "window"]
        if sizes:
            places["size"] = first + names.index(sizes[0])
        for role in roles:
            if role in numbers:
                places.pop("overlap", None)
                places.pop("step", None)
                places[role] = first + names.index(role)
        first += len(values)
    return {place: role for role, place in places.items()}


def _read(spec: str, place: int, text: str) -> Value:
    """What is written for a parameter, in the type that it has."""
    known = parameters_of(spec)
    if not 0 <= place < len(known):
        raise BadInput(f"{spec} has no parameter {place + 1}")
    parameter, text = known[place], text.strip()
    kind = type(parameter.value)
    try:
        if kind is bool:
            return _WORDS[text.casefold()]
        return kind(text)
    except (KeyError, ValueError):
        raise BadInput(
            f"{parameter.strategy}: {parameter.name}={text} must be {TYPE_NAMES[kind]}"
        ) from None


def _with(spec: str, changed: Mapping[int, Value]) -> str:
    """A spec with some parameters changed, by their place."""
    first = 0

    def write(node: Node) -> str:
        nonlocal first
        if isinstance(node, Then):
            before, after = write(node.first), write(node.second)
            return (
                f"{before} >> ({after})"
                if isinstance(node.second, Then)
                else f"{before} >> {after}"
            )
        if node.inner is not None:
            return f"{node.abbr}({write(node.inner)})"
        values = _values(node)
        for place, name in enumerate(list(values), first):
            values[name] = changed.get(place, values[name])
        first += len(values)
        inside = ", ".join(f"{name}={written(value)}" for name, value in values.items())
        return f"{node.abbr}({inside})" if inside else node.abbr

    return write(_node(spec))
