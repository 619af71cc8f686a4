"""The written form of strategies: from text to a tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from chunkbench_engine.chunkers.entry import Value

_TOKEN = re.compile(
    r"""(?P<number>-?\d{1,15}(?:\.\d{1,15})?(?![\w]))
      | (?P<callable>[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*)
      | (?P<word>[A-Za-z_][\w-]*)
      | (?P<string>"[^"\n]*"|'[^'\n]*')
      | (?P<mark>>>|\.\.|[(),;=|:])
      | (?P<line>\n)
      | (?P<space>[^\S\n]+)
    """,
    re.VERBOSE,
)
_MOST_VALUES = 1_000
_MOST_NESTED = 20


@dataclass(frozen=True)
class Call:
    """`ABBR(name=value|value, …)`: a strategy, and for each parameter given its values.

    Or `ABBR(strategy)`: one around another, `inner`. `module:callable` may be in ABBR's place.
    """

    abbr: str
    parameters: dict[str, list[Value]]
    inner: Node | None = None


@dataclass(frozen=True)
class Then:
    """`first >> second`."""

    first: Node
    second: Node


Node = Call | Then


class _Token(NamedTuple):
    kind: str
    text: str
    place: int


def parse(text: str) -> list[Node]:
    """The strategies of a text, which `,`, `;` or new lines separate.

    Grammar: `A >> B` binds to the left; parentheses group, or hold the parameters of a strategy or
    the one that it is written around; a value is a number, a word or a quoted
    string; several are written `a|b` or `low..high:step`, both ends included. Raises `BadInput`
    naming the place, counted in characters from 1.
    """
    parser = _Parser(text)
    nodes = []
    while not parser.at_end():
        if parser.skip(",", ";"):
            continue
        nodes.append(parser.pipeline())
        if not parser.at_end() and not parser.skip(",", ";"):
            raise parser.expected("'>>', ',' or the end")
    return nodes


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = self._scan(text)
        self._next = 0

    def _scan(self, text: str) -> list[_Token]:
        tokens = []
        place = depth = 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None or match.lastgroup is None:
                raise BadInput(
                    f"{text[place]!r} at character {place + 1} of {text!r} has no meaning there"
                )
            kind, value = match.lastgroup, match[0]
            depth += (value == "(") - (value == ")")
            if depth > _MOST_NESTED:
                raise BadInput(f"more than {_MOST_NESTED} nested parentheses in {text[:40]!r}…")
            if kind == "line" and depth <= 0:
                # inside parentheses a new line is but space; elsewhere it ends a strategy
                tokens.append(_Token("mark", ";", place))
            elif kind not in ("space", "line"):
                tokens.append(_Token(kind, value, place))
            place = match.end()
        tokens.append(_Token("end", "", len(text)))
        return tokens

    def at_end(self) -> bool:
        return self._tokens[self._next].kind == "end"

    def skip(self, *marks: str) -> bool:
        token = self._tokens[self._next]
        if token.kind == "mark" and token.text in marks:
            self._next += 1
            return True
        return False

    def expected(self, what: str) -> BadInput:
        token = self._tokens[self._next]
        found = repr(token.text) if token.text else "the end"
        return BadInput(
            f"expected {what} but found {found} at character {token.place + 1} of {self._text!r}"
        )

    def _take(self, kind: str, what: str) -> str:
        token = self._tokens[self._next]
        if token.kind != kind:
            raise self.expected(what)
        self._next += 1
        return token.text

    def pipeline(self) -> Node:
        node = self._strategy()
        steps = 1
        while self.skip(">>"):
            node = Then(node, self._strategy())
            steps += 1
            if steps > _MOST_NESTED:
                raise BadInput(f"a pipeline has more than {_MOST_NESTED} steps")
        return node

    def _strategy(self) -> Node:
        if self.skip("("):
            node = self.pipeline()
            if not self.skip(")"):
                raise self.expected("'>>' or ')'")
            return node
        named = self._tokens[self._next].kind == "callable"
        abbr = self._take("callable" if named else "word", "a strategy")
        parameters: dict[str, list[Value]] = {}
        if self.skip("("):
            if self._at_strategy():
                inner = self.pipeline()
                if not self.skip(")"):
                    raise self.expected("'>>' or ')'")
                return Call(abbr, parameters, inner)
            while not self.skip(")"):
                name = self._take("word", "a parameter or ')'")
                if name in parameters:
                    raise BadInput(f"{abbr} is given {name} twice in {self._text!r}")
                if not self.skip("="):
                    raise self.expected("'='")
                parameters[name] = self._values()
                if not self.skip(","):
                    if not self.skip(")"):
                        raise self.expected("',' or ')'")
                    break
        return Call(abbr, parameters)

    def _at_strategy(self) -> bool:
        """Whether a strategy begins here, and no parameter, which has `=` after its name."""
        token, *after = self._tokens[self._next : self._next + 2]
        if token.kind == "word":
            token = after[0]
            return token.kind == "end" or (
                token.kind == "mark" and token.text in ("(", ")", ">>", ":", ",")
            )
        return token.kind == "callable" or (token.kind == "mark" and token.text == "(")

    def _values(self) -> list[Value]:
        values = self._choice()
        while self.skip("|"):
            values += self._choice()
        return list(dict.fromkeys(values))

    def _choice(self) -> list[Value]:
        token = self._tokens[self._next]
        if token.kind == "number":
            self._next += 1
            return self._range(token.text) if self.skip("..") else [_number(token.text)]
        if token.kind == "string":
            self._next += 1
            return [token.text[1:-1]]
        word = self._take("word", "a value")
        return [{"true": True, "false": False}.get(word, word)]

    def _range(self, low: str) -> list[Value]:
        high = self._take("number", "the upper end of the range")
        if not self.skip(":"):
            raise self.expected("':' and the step of the range")
        step = self._take("number", "the step of the range")
        first, last, by = Decimal(low), Decimal(high), Decimal(step)
        if by <= 0 or last < first:
            raise BadInput(f"the range {low}..{high}:{step} must rise, by a step above 0")
        count = int((last - first) / by) + 1
        if count > _MOST_VALUES:
            raise BadInput(
                f"the range {low}..{high}:{step} has {count} values, more than {_MOST_VALUES}"
            )
        return [_number(str(first + by * i)) for i in range(count)]


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)
