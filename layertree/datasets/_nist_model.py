"""A parser of the arithmetic in NIST files, by operator precedence (Dijkstra's shunting yard): no text is evaluated."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

from layertree.core.layer import AnyLayer
from layertree.core.literal import Literal
from layertree.layers import layer_of

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?)|(?P<name>[A-Za-z]\w*)|(?P<sign>\*\*|[-+*/^()\[\]{}])"
    r"|(?P<other>\S))"
)

# The function of an operator, its precedence, and whether the operator is right-associative.
_BINARY = {
    "+": ("add", 1, False),
    "-": ("subtract", 1, False),
    "*": ("multiply", 2, False),
    "/": ("divide", 2, False),
    "**": ("pow", 4, True),
    "^": ("pow", 4, True),
}
_SIGN_STRENGTH = 3
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_FUNCTIONS = {
    "exp": "exp", "log": "log", "ln": "log", "log10": "log10", "sqrt": "sqrt", "abs": "abs",
    "sin": "sin", "cos": "cos", "tan": "tan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "asin": "asin", "acos": "acos", "atan": "atan",
}  # fmt: skip


class _Token(NamedTuple):
    kind: str
    text: str
    place: int


class _Pending(NamedTuple):
    """An operator without its right operand, or an open bracket."""

    kind: str  # "binary", "sign" or "open"
    text: str  # the bracket, the sign, or the operator
    strength: int
    function: str | None  # what the node computes; of a bracket the function before it
    place: int


def expression(text: str, names: Mapping[str, AnyLayer]) -> AnyLayer:
    """The formula of an arithmetic expression over known names: ``+ - * / **``, brackets of any kind, and functions.

    >>> from layertree import Identity
    >>> expression("1 - exp[-x**2]", {"x": Identity()})
    Minus(Literal(1), Exp(Negative(Power(Identity(), Literal(2)))))

    Raises ValueError, which shows the position, for text outside of the grammar.
    """
    return _Reader(text, names).read()


class _Reader:
    """The state of one parse: the stack of operands, and the stack of pending operators and brackets."""

    def __init__(self, text: str, names: Mapping[str, AnyLayer]) -> None:
        self.text = text
        self.names = {"pi": Literal(math.pi), **names}
        self.tokens = [_Token(str(found.lastgroup), found[str(found.lastgroup)], found.start(str(found.lastgroup)))
                       for found in _TOKEN.finditer(text)]  # fmt: skip
        self.operands: list[AnyLayer] = []
        self.pending: list[_Pending] = []

    def read(self) -> AnyLayer:
        wants_operand = True
        called: _Token | None = None  # the name of a function whose bracket comes next
        for token in self.tokens:
            if called is not None and token.text not in _CLOSING:
                raise self.error(f"the function {called.text!r} wants a bracket", called.place)
            if token.kind == "other":
                raise self.error(f"{token.text!r} is no sign of arithmetic", token.place)
            if wants_operand:
                wants_operand, called = self.operand(token, called)
            else:
                wants_operand = self.operator(token)
        if wants_operand:
            raise self.error("it ends where an operand is wanted", len(self.text))
        self.reduce(0)
        if self.pending:
            raise self.error("a bracket is not closed", self.pending[-1].place)
        return self.operands.pop()

    def operand(self, token: _Token, called: _Token | None) -> tuple[bool, _Token | None]:
        """Read a token where an operand is due; whether an operand is still due, and the function of the token."""
        if token.kind == "number":
            text = token.text.lower().replace("d", "e")
            self.operands.append(Literal(int(text) if text.isdigit() else float(text)))
        elif token.kind == "name" and token.text in self.names:
            self.operands.append(self.names[token.text])
        elif token.kind == "name" and token.text.lower() in _FUNCTIONS:
            return True, token
        elif token.kind == "name":
            raise self.error(f"the name {token.text!r} is not known", token.place)
        elif token.text in _CLOSING:
            function = None if called is None else _FUNCTIONS[called.text.lower()]
            self.pending.append(_Pending("open", token.text, 0, function, token.place))
            return True, None
        elif token.text in "+-":
            self.pending.append(_Pending("sign", token.text, _SIGN_STRENGTH, "negative", token.place))
            return True, None
        else:
            raise self.error(f"{token.text!r} stands where an operand is wanted", token.place)
        return False, None

    def operator(self, token: _Token) -> bool:
        """Read a token after an operand; whether another operand is due."""
        if token.text in _BINARY:
            function, strength, from_the_right = _BINARY[token.text]
            self.reduce(strength + 1 if from_the_right else strength)
            self.pending.append(_Pending("binary", token.text, strength, function, token.place))
            return True
        if token.text not in _CLOSING.values():
            raise self.error(f"an operator is missing before {token.text!r}", token.place)
        self.reduce(0)
        if not self.pending or _CLOSING[self.pending[-1].text] != token.text:
            raise self.error(f"{token.text!r} closes no bracket", token.place)
        opening = self.pending.pop()
        if opening.function is not None:
            self.operands.append(self.layer(opening.function, self.operands.pop(), opening))
        return False

    def reduce(self, strength: int) -> None:
        """Build the nodes of pending operators of at least a precedence, up to the last open bracket."""
        while self.pending and self.pending[-1].kind != "open" and self.pending[-1].strength >= strength:
            done = self.pending.pop()
            right = self.operands.pop()
            if done.kind == "binary":
                right = layer_of(str(done.function))(self.operands.pop(), right)
            elif done.text == "-":
                right = layer_of("negative")(right)
            self.operands.append(right)

    def layer(self, function: str, operand: AnyLayer, opening: _Pending) -> AnyLayer:
        try:
            made: AnyLayer = layer_of(function)(operand)
            return made
        except AttributeError:
            raise self.error(f"no layer computes {function}", opening.place) from None

    def error(self, what: str, place: int) -> ValueError:
        return ValueError(f"the expression is not understood: {what}\n  {self.text}\n  {' ' * place}^")
