"""Formulas as mathematics writes them: what its Unicode and its LaTeX have in common.

A layer without an entry in a table prints as a call of its function: the name, the operands, the attributes.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from layertree.core.brief import name_of
from layertree.core.dynamic import is_a
from layertree.core.nested import nested_text
from layertree.core.structure import post_order
from layertree.text.displayed import Shown, by_field, in_place, inputs_of
from layertree.text.formula import is_negative, operand_pieces
from layertree.text.notation import Name, distinct, is_greek
from layertree.text.printer import Ref, Style, Text, joined, text_of
from layertree.text.values import attributes_of, object_name

CHOICE, COMPARISON, SUM, QUOTIENT, PRODUCT, MATRIX, SIGN, FRACTION, POWER, ATOM = 0, 4, 5, 5.5, 6, 6.5, 7, 7.2, 8, 11
_LARGEST = 8

INFIX: Mapping[str, tuple[float, float, float]] = {
    "equal": (COMPARISON, SUM, SUM),
    "not_equal": (COMPARISON, SUM, SUM),
    "less": (COMPARISON, SUM, SUM),
    "less_equal": (COMPARISON, SUM, SUM),
    "greater": (COMPARISON, SUM, SUM),
    "greater_equal": (COMPARISON, SUM, SUM),
    "bitwise_or": (1, 1, 2),
    "bitwise_xor": (2, 2, 3),
    "bitwise_and": (3, 3, 4),
    "add": (SUM, SUM, QUOTIENT),
    "subtract": (SUM, SUM, QUOTIENT),
    "multiply": (PRODUCT, PRODUCT, MATRIX),
    "remainder": (PRODUCT, PRODUCT, SIGN),
    "matmul": (MATRIX, MATRIX, SIGN),
}
"""How tightly the operators of mathematics bind, and how tightly their two operands have to."""


class Form(NamedTuple):
    """The pieces of a node, and how tightly they bind."""

    binding: float
    pieces: list[Any]


class Mathematics(ABC):
    """A way to write mathematics. One is made for each formula: it knows the names of its cells.

    ``signs`` are the operators by the function that the layer is, ``words`` the functions with a name of their own.
    """

    signs: ClassVar[Mapping[str, str]]
    words: ClassVar[Mapping[str, str]]
    parentheses: ClassVar[tuple[str, str]]
    ellipsis: ClassVar[str]

    def __init__(self, root: Shown) -> None:
        cells = [node.layer for node in post_order(root, inputs_of) if node.control == "cell"]
        distinct_cells = {id(layer.cell): layer for layer in cells}
        self.taken = {"x"}
        paths = [layer.path for layer in distinct_cells.values()]
        letters = ["w" if layer.is_trainable else "s" for layer in distinct_cells.values()]
        self._names = dict(zip(distinct_cells, distinct(paths, letters, self.taken), strict=True))
        self._forms: Mapping[str, Callable[[Shown], Form]] = {
            "negative": self._negative,
            "bitwise_invert": self._not,
            "pow": self._power,
            "divide": self._quotient,
            "floor_divide": self._floor_divide,
            "where": self._choice,
            "item": self._item,
            "getitem": self._getitem,
            "tuple": self._tuple,
        }

    @classmethod
    def text(cls, layer: Any) -> Text:
        """The lines of a formula, shortened above 200 nodes."""
        root = in_place(layer)
        return text_of(root, cls(root).style(), full=False)

    def style(self) -> Style:
        """The style in which the formula prints."""

        def pieces(shown: Any, full: bool) -> list[Any]:
            return self.form(shown).pieces

        def binding(shown: Any) -> float:
            return self.form(shown).binding

        def is_atom(shown: Any) -> bool:
            return shown.control in ("cell", "free") or shown.path is not None or _is_short_constant(shown)

        return Style(inputs_of, pieces, binding, is_atom, self.parentheses, self.ellipsis, self.shared, self.taken)

    def form(self, shown: Any) -> Form:
        """How a node is written."""
        if shown.path is not None:
            return Form(ATOM, [self.input(shown.path)])
        if shown.control == "constant":
            return self._constant(shown.layer.data)
        if shown.control == "cell":
            return Form(ATOM, [self.symbol(self._names[id(shown.layer.cell)])])
        if shown.control == "free":
            return Form(ATOM, ["v"])
        if shown.control == "call":
            by_name = by_field(shown)
            return Form(PRODUCT, [Ref(by_name["outer"], SIGN), self.signs["call"], Ref(by_name["inner"], SIGN)])
        if shown.control == "cond":
            return self._choice(shown)
        own = self._forms.get(shown.function)
        if own is not None:
            return own(shown)
        if shown.function in INFIX and shown.function in self.signs:
            return self._infix(shown)
        return self.call(shown)

    # What the two write differently.

    @abstractmethod
    def input(self, path: tuple[int, ...]) -> str:
        """The input, or a part of it."""

    @abstractmethod
    def symbol(self, name: Name) -> str:
        """A cell by its name."""

    @abstractmethod
    def shared(self, name: str) -> str:
        """The name of a shared part, a letter and digits."""

    @abstractmethod
    def word(self, text: str) -> str:
        """A name or a text of a user's."""

    @abstractmethod
    def scientific(self, mantissa: str, exponent: int) -> str:
        """A number times a power of ten."""

    @abstractmethod
    def array(self, data: Any) -> str:
        """A small array."""

    @abstractmethod
    def large(self, data: Any) -> str:
        """What stands for a large array."""

    @abstractmethod
    def raised(self, base: Any, exponent: Any) -> list[Any]:
        """A power."""

    @abstractmethod
    def fraction(self, above: Any, below: Any) -> Form:
        """A quotient."""

    @abstractmethod
    def cases(self, condition: Any, then: Any, otherwise: Any) -> Form:
        """A choice."""

    @abstractmethod
    def index(self, index: tuple[Any, ...]) -> str:
        """A static index with its brackets."""

    @abstractmethod
    def lowered(self, text: str) -> str:
        """An index of a function: the axis along which it works."""

    def call(self, shown: Any) -> Form:
        """A function of its operands; an axis is its index, other attributes stand behind the operands."""
        attributes = dict(attributes_of(shown.layer))
        axis = attributes.pop("axis") if is_a(attributes.get("axis"), int) or attributes.get("axis") else None
        name = self.words.get(shown.function) or self.word(name_of(shown.layer).removesuffix("_"))
        below = "" if axis is None else self.lowered(", ".join(map(str, axis if is_a(axis, tuple) else (axis,))))
        shown_attributes = [[f"{self.word(key)} = {self.value(value)}"] for key, value in attributes.items()]
        opening, closing = self.parentheses
        arguments = joined([*operand_pieces(shown), *shown_attributes])
        return Form(ATOM, [name, below, opening, *arguments, closing])

    # What both write alike.

    def number(self, number: Any) -> tuple[float, str]:
        """How tightly a real number binds, and its digits."""
        if number != number:
            return ATOM, self.word("NaN")
        binding = SIGN if is_negative(number) else ATOM
        if is_a(number, (float, np.floating)) and not np.isfinite(number):
            return binding, f"{'-' if number < 0 else ''}{self.signs['infinity']}"
        if is_a(number, float) and abs(number) == math.pi:
            return binding, f"{'-' if number < 0 else ''}{self.signs['pi']}"
        digits, _, exponent = _decimal(number).partition("e")
        digits = digits.removesuffix(".0")
        if not exponent:
            return binding, digits
        return min(binding, POWER if digits in ("1", "-1") else PRODUCT), self.scientific(digits, int(exponent))

    def value(self, value: Any) -> str:
        """An attribute, or a part of a constant."""
        if is_a(value, (bool, np.bool_)) or value is None:
            return self.word(str(value))
        if is_a(value, (int, float, np.number)):
            return self.number(value)[1]
        if is_a(value, tuple):
            return nested_text(value, self.value)
        if is_a(value, np.ndarray):
            return self.large(value) if value.size > _LARGEST or value.size == 0 else self.array(value)
        if is_a(value, np.dtype):
            return self.word(value.name)
        return self.word(value if is_a(value, str) else object_name(value))

    def _constant(self, data: Any) -> Form:
        if is_a(data, (int, float, np.number)) and not is_a(data, bool):
            binding, digits = self.number(data)
            return Form(binding, [digits])
        return Form(ATOM, [self.value(data)])

    def _infix(self, shown: Any) -> Form:
        binding, left, right = INFIX[shown.function]
        first, second = shown.inputs
        behind = self._behind(second, right) if binding >= SUM else Ref(second, right)
        return Form(binding, [Ref(first, left), self.signs[shown.function], behind])

    def _behind(self, shown: Any, binding: float) -> Ref:
        """An operand behind an operator, where a sign stands in parentheses."""
        return Ref(shown, SIGN + 0.1 if self.form(shown).binding == SIGN else binding)

    def _negative(self, shown: Any) -> Form:
        return Form(SIGN, ["-", self._behind(shown.inputs[0], SIGN)])

    def _not(self, shown: Any) -> Form:
        return Form(SIGN, [self.signs["bitwise_invert"], Ref(shown.inputs[0], SIGN)])

    def _power(self, shown: Any) -> Form:
        return Form(POWER, self.raised(*shown.inputs))

    def _quotient(self, shown: Any) -> Form:
        return self.fraction(*shown.inputs)

    def _floor_divide(self, shown: Any) -> Form:
        inner = self.fraction(*shown.inputs)
        return Form(ATOM, [self.signs["floor"], *inner.pieces, self.signs["end of floor"]])

    def _choice(self, shown: Any) -> Form:
        return self.cases(*shown.inputs)

    def _item(self, shown: Any) -> Form:
        return Form(ATOM, [Ref(shown.inputs[0], ATOM), self.index((shown.layer.position,))])

    def _getitem(self, shown: Any) -> Form:
        return Form(ATOM, [Ref(shown.inputs[0], ATOM), self.index(shown.layer.index)])

    def _tuple(self, shown: Any) -> Form:
        opening, closing = self.parentheses
        end = "," if len(shown.inputs) == 1 else ""
        return Form(ATOM, [opening, *joined([[Ref(part)] for part in shown.inputs]), end, closing])

    def around(self, shown: Any, before: str, after: str) -> Form:
        """An operand between two signs, which are its parentheses."""
        return Form(ATOM, [before, Ref(shown.inputs[0]), after])


def _is_short_constant(shown: Shown) -> bool:
    return shown.control == "constant" and not is_a(shown.layer.data, np.ndarray)


def _decimal(number: Any) -> str:
    """The digits of a number, shortest first; of a huge integer only the size of it."""
    if is_a(number, int) and abs(number) >= 10**21:
        return f"{number:.10e}" if abs(number) < 10**300 else f"{'-' * (number < 0)}1e{int(math.log10(abs(number)))}"
    return str(number)


def is_single(name: Name) -> bool:
    """Whether the base of a name is one letter, Latin or Greek."""
    return (len(name.base) == 1 and name.base.isalpha()) or is_greek(name.base)
