"""The parser of expressions: an operator-precedence parser with Python's precedence and an explicit stack."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from layertree.text.formula import BINDING, UNARY
from symbolic.parsing import _data
from symbolic.parsing._calls import Arguments, Callee, Elements, Operation, signs
from symbolic.parsing._data import DataError
from symbolic.parsing._error import ParseError
from symbolic.parsing._names import Names
from symbolic.parsing._operands import LeftOut, OperandError, tuple_of
from symbolic.parsing._parts import composed, indexed
from symbolic.parsing._tokens import INDEX, TOKEN

_WORDS = {"and": "&", "or": "|", "not": "~", "if": "if_(condition, then, otherwise)", "is": "==", "in": "=="}
_COMPARISON = BINDING["=="]

Match: TypeAlias = re.Match[str]
State: TypeAlias = "Mapping[str, Callable[[Match], State | None]]"
"""What the parser does with each kind of token; each action gives the next state, None at the end."""


class _Operator(NamedTuple):
    """An operator whose right operand is not complete."""

    binding: int
    build: Operation
    operands: int
    position: int


class _Keyword(NamedTuple):
    """The name of an argument, its index among the arguments, and its position in the text."""

    name: str
    place: int
    position: int


class _Bracket:
    """An open bracket: a group, a list, or the arguments of a call."""

    __slots__ = ("callee", "has_comma", "keywords", "operators", "position", "sign", "values")

    def __init__(self, sign: str, position: int, values: int, operators: int, callee: Callee | None = None) -> None:
        self.sign = sign
        self.position = position
        self.values = values  # the sizes of both stacks when the bracket was opened
        self.operators = operators
        self.callee = callee
        self.keywords: list[_Keyword] | None = None
        self.has_comma = False


class Expressions:
    """A parser of the expressions of a text."""

    def __init__(self, text: str, names: Names) -> None:
        self.text = text
        self.names = names
        self.position = 0
        self.code: object = None  # the result of the last call of a layer class
        self._values: list[object] = []
        self._operators: list[_Operator] = []
        self._brackets: list[_Bracket] = []
        self._operand: State = {
            "number": self._number,
            "string": self._string,
            "name": self._name,
            "call": self._call,
            "keyword": self._keyword,
            "operator": self._sign,
            "left_out": self._left_out,
            "open": self._open,
            "close": self._close_after_comma,
            "newline": self._newline_before,
        }
        self._operation: State = {
            "operator": self._infix,
            "open": self._postfix,
            "comma": self._comma,
            "close": self._close,
            "newline": self._newline_behind,
            "end": self._end,
        }

    def expression(self) -> object:
        """The value of one expression; the position moves to the end of its line."""
        state: State | None = self._operand
        match, text = TOKEN.match, self.text
        while state is not None:
            found = match(text, self.position)
            assert found is not None  # the grammar ends with any character
            self.position = found.end()
            kind = found.lastgroup or "end"
            read = state.get(kind)
            state = self._unexpected(kind, found, state) if read is None else read(found)
        return self._values.pop()

    def error(self, message: str, position: int) -> ParseError:
        """The error of a mistake at a position."""
        return ParseError(message, self.text, position)

    def attempt(self, position: int, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result of a function, whose errors become errors at a position."""
        try:
            return function(*arguments)
        except OperandError as error:
            if error.keyword is not None:
                raise
            raise self.error(str(error), position) from None
        except DataError as error:
            raise self.error(str(error), position + error.offset) from None
        except (TypeError, ValueError, OverflowError, IndexError, KeyError) as error:
            raise self.error(str(error), position) from None

    def _unexpected(self, kind: str, found: Match, state: State) -> State:
        start = found.start(kind)
        if state is self._operand:
            raise self.error("a formula is wanted here: a number, a name, a call, '-', '+', '~' or '('", start)
        word = found[kind].rstrip("( =")
        if word in _WORDS:
            raise self.error(f"{word!r} has no meaning for formulas: write {_WORDS[word]}", start)
        ends = [f"',' or {_END[self._brackets[-1].sign]!r}"] if self._brackets else ["the end of the line"]
        raise self.error(f"an operator is wanted here, or {ends[0]}", start)

    # The actions before an operand.

    def _push(self, value: object) -> State:
        self._values.append(value)
        return self._operation

    def _number(self, found: Match) -> State:
        return self._push(self.attempt(found.start("number"), _data.number, found["number"]))

    def _string(self, found: Match) -> State:
        return self._push(self.attempt(found.start("string"), _data.string, found["string"]))

    def _name(self, found: Match) -> State:
        name = found["name"]
        if name in _WORDS:
            raise self.error(f"{name!r} has no meaning for formulas: write {_WORDS[name]}", found.start("name"))
        return self._push(self.attempt(found.start("name"), self.names.value, name))

    def _left_out(self, found: Match) -> State:
        return self._push(LeftOut(found["left_out"]))

    def _call(self, found: Match) -> State:
        name, start = found["call"], found.start("call")
        defined = self.names.defined(name)
        if defined is None:
            defined = self.names.number(name)
        if defined is not None:
            return self._begin("(", start, composed(defined))
        self._begin("(", start, self.attempt(start, self.names.callee, name))
        return self._elements() if name == "array" else self._operand

    def _elements(self) -> State:
        shape, texts, self.position = self.attempt(self.position, _data.array_elements, self.text, self.position)
        return self._push(Elements(shape, texts))

    def _sign(self, found: Match) -> State:
        sign, start = found["operator"], found.start("operator")
        build = signs().get((sign, 1))
        if build is None:
            return self._unexpected("operator", found, self._operand)
        self._operators.append(_Operator(UNARY, build, 1, start))
        return self._operand

    def _open(self, found: Match) -> State:
        return self._begin(found["open"], found.start("open"))

    def _begin(self, sign: str, position: int, callee: Callee | None = None) -> State:
        self._brackets.append(_Bracket(sign, position, len(self._values), len(self._operators), callee))
        return self._operand

    def _keyword(self, found: Match) -> State:
        bracket = self._brackets[-1] if self._brackets else None
        if bracket is None or bracket.callee is None or len(self._operators) > bracket.operators:
            raise self.error("'=' belongs into a call, or behind a name at the start of a line", found.end() - 1)
        place = len(self._values) - bracket.values
        bracket.keywords = bracket.keywords or []
        bracket.keywords.append(_Keyword(found["keyword"], place, found.start("keyword")))
        return self._operand

    def _close_after_comma(self, found: Match) -> State:
        """A closing bracket after an opening one or after a comma."""
        bracket = self._brackets[-1] if self._brackets else None
        is_empty = bracket is not None and len(self._values) == bracket.values
        if bracket is None or len(self._operators) > bracket.operators or not (bracket.has_comma or is_empty):
            return self._unexpected("close", found, self._operand)
        bracket.has_comma = True
        return self._close(found)

    def _newline_before(self, found: Match) -> State:
        return self._operand if self._brackets else self._unexpected("newline", found, self._operand)

    # The actions after an operand.

    def _infix(self, found: Match) -> State | None:
        sign, start = found["operator"], found.start("operator")
        build = signs().get((sign, 2))
        if build is None:
            return self._unexpected("operator", found, self._operation)
        binding = BINDING[sign]
        # A power groups to the right, all else to the left.
        self._reduce(binding + (sign == "**" or binding == _COMPARISON))
        floor = self._brackets[-1].operators if self._brackets else 0
        if binding == _COMPARISON and len(self._operators) > floor and self._operators[-1].binding == binding:
            raise self.error("comparisons do not chain: write (a < b) & (b < c)", start)
        self._operators.append(_Operator(binding, build, 2, start))
        return self._operand

    def _reduce(self, binding: int) -> None:
        """Apply the operators of at least this precedence in the innermost bracket."""
        floor = self._brackets[-1].operators if self._brackets else 0
        operators, values = self._operators, self._values
        while len(operators) > floor and operators[-1].binding >= binding:
            operator = operators.pop()
            operands = values[-operator.operands :]
            del values[-operator.operands :]
            values.append(self.attempt(operator.position, operator.build, *operands))

    def _postfix(self, found: Match) -> State:
        start = found.start("open")
        value = self._values.pop()
        if found["open"] == "(":
            return self._begin("(", start, self.attempt(start, composed, value))
        index = INDEX.match(self.text, start)
        if index is None:
            raise self.error("an index is integers, slices, None and '...'; take(x, indices) looks up at others", start)
        self.position = index.end()
        return self._push(self.attempt(start, indexed, value, index[1], start))

    def _comma(self, found: Match) -> State:
        if not self._brackets:
            raise self.error("several formulas are a tuple, in brackets: (x, y)", found.start("comma"))
        self._reduce(_COMPARISON)
        bracket = self._brackets[-1]
        bracket.has_comma = True
        return self._operand

    def _close(self, found: Match) -> State:
        start = found.start("close")
        if not self._brackets or _END[self._brackets[-1].sign] != found["close"]:
            return self._unexpected("close", found, self._operation)
        self._reduce(_COMPARISON)
        bracket = self._brackets.pop()
        items = self._values[bracket.values :]
        del self._values[bracket.values :]
        if bracket.callee is not None:
            return self._push(self._called(bracket, bracket.callee, items))
        if bracket.sign == "[":
            return self._push(items)
        return self._push(self.attempt(start, tuple_of, items) if bracket.has_comma else items[0])

    def _called(self, bracket: _Bracket, callee: Callee, items: list[object]) -> object:
        """The result of a call."""
        given = bracket.keywords or []
        first = given[0].place if given else len(items)
        places = {keyword.name: keyword.position for keyword in given}
        if [keyword.place for keyword in given] != list(range(first, len(items))):
            raise self.error("behind an argument by keyword, each has a keyword and a value", bracket.position)
        if len(places) < len(given):
            raise self.error("an argument is given twice", bracket.position)
        keywords = dict(zip(places, items[first:], strict=True))
        try:
            made: object = self.attempt(bracket.position, callee, Arguments(items[:first], keywords))
        except OperandError as error:
            raise self.error(str(error), places.get(error.keyword or "", bracket.position)) from None
        if self.text[bracket.position].isupper():
            self.code = made
        return made

    def _newline_behind(self, found: Match) -> State | None:
        return self._operation if self._brackets else self._end(found)

    def _end(self, found: Match) -> State | None:
        if self._brackets:
            bracket = self._brackets[-1]
            end = found.start(found.lastgroup or 0)
            start = self.error("", bracket.position)
            wanted = _END[bracket.sign]
            opened = f"{bracket.sign!r} in line {start.line}, column {start.column}"
            raise self.error(f"{wanted!r} is wanted here, or an operator: it ends the {opened}", end)
        self._reduce(_COMPARISON)
        return None


_END = {"(": ")", "[": "]"}
