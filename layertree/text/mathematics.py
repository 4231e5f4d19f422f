"""Mathematical notation: the common part of its Unicode and LaTeX styles.

A layer without an entry in a table prints as a call of its function: the name, the operands, the attributes.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from layertree.core.dynamic import is_a
from layertree.core.layer import AnyLayer
from layertree.core.narrowing import is_tuple
from layertree.core.nested import nested_text
from layertree.core.static_index import EncodedIndex
from layertree.core.structure import post_order
from layertree.core.weight import Weight
from layertree.text.display import DisplayNode, inlined, inputs_of
from layertree.text.formula import is_negative, operand_pieces
from layertree.text.names import shown_function
from layertree.text.notation import Name, distinct, is_greek
from layertree.text.printer import Piece, Ref, Style, Text, joined, text_of
from layertree.text.values import attributes_of, object_name

CHOICE, COMPARISON, SUM, QUOTIENT, PRODUCT, MATRIX, SIGN, FRACTION, POWER, ATOM = 0, 4, 5, 5.5, 6, 6.5, 7, 7.2, 8, 11
"""The precedence of the operators of mathematics."""

_LARGEST = 8
"""The largest array whose elements are shown."""

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
"""The precedence of each infix operator, and the least precedence of its two operands without parentheses."""


class Form(NamedTuple):
    """The pieces of a node, and their precedence."""

    binding: float
    pieces: list[Piece[DisplayNode]]


class Mathematics(ABC):
    """A mathematical notation for one formula, whose cells have distinct names; a number without a name is in bold.

    ``signs`` are operator signs by the function of a layer, ``words`` the names of functions other than their own.
    """

    signs: ClassVar[Mapping[str, str]]
    words: ClassVar[Mapping[str, str]]
    parentheses: ClassVar[tuple[str, str]]
    ellipsis: ClassVar[str]

    taken: set[str]

    def __init__(self, root: DisplayNode) -> None:
        cells = [node.layer for node in post_order(root, inputs_of) if node.control == "cell"]
        distinct_cells = {id(layer.cell): layer for layer in cells}
        # A weight without a name is a number in bold, so it needs no symbol. It is read once: other threads may train.
        values = {
            key: layer.value for key, layer in distinct_cells.items() if is_a(layer, Weight) and layer.path is None
        }
        self._values = {key: value for key, value in values.items() if _is_number(value)}
        for key in self._values:
            del distinct_cells[key]
        self.taken = {"x"}
        paths = [layer.path for layer in distinct_cells.values()]
        letters = ["w" if layer.is_trainable else "s" for layer in distinct_cells.values()]
        self._names = dict(zip(distinct_cells, distinct(paths, letters, self.taken), strict=True))
        self._forms: Mapping[str, Callable[[DisplayNode], Form]] = {
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
    def text(cls, layer: AnyLayer) -> Text:
        """The lines of a formula, shortened above 200 nodes."""
        root = inlined(layer)
        return text_of(root, cls(root).style(), full=False)

    def style(self) -> Style[DisplayNode]:
        """The style of the printer for the formula."""

        def pieces(shown: DisplayNode, full: bool) -> list[Piece[DisplayNode]]:
            return self.form(shown).pieces

        def binding(shown: DisplayNode) -> float:
            return self.form(shown).binding

        def is_atom(shown: DisplayNode) -> bool:
            return shown.control in ("cell", "free") or shown.path is not None or _is_short_constant(shown)

        return Style(inputs_of, pieces, binding, is_atom, self.parentheses, self.ellipsis, self.shared, self.taken)

    def form(self, shown: DisplayNode) -> Form:
        """The notation of a node."""
        if shown.path is not None:
            return Form(ATOM, [self.input(shown.path)])
        if shown.control == "constant":
            return self._constant(shown.layer.data)
        if shown.control == "cell":
            return self._cell(id(shown.layer.cell))
        if shown.control == "free":
            return Form(ATOM, ["v"])
        if shown.control == "call":
            inner, outer = shown.inputs
            return Form(PRODUCT, [Ref(outer, SIGN), self.signs["call"], Ref(inner, SIGN)])
        if shown.control == "cond":
            return self._choice(shown)
        function = shown.function or ""
        own = self._forms.get(function)
        if own is not None:
            return own(shown)
        if function in INFIX and function in self.signs:
            return self._infix(shown, function)
        return self.call(shown)

    # The two styles differ in:

    @abstractmethod
    def input(self, path: tuple[int, ...]) -> str:
        """The input, or a part of it."""

    @abstractmethod
    def symbol(self, name: Name) -> str:
        """The symbol of a cell with a name."""

    @abstractmethod
    def shared(self, name: str) -> str:
        """The symbol of a shared node, whose name is a letter and digits."""

    @abstractmethod
    def word(self, text: str) -> str:
        """A name or text of a user in upright type."""

    @abstractmethod
    def scientific(self, mantissa: str, exponent: int) -> str:
        """A number times a power of ten."""

    @abstractmethod
    def bold(self, digits: str) -> str:
        """The digits of a weight without a name, apart from those of a constant."""

    @abstractmethod
    def array(self, data: np.ndarray[Any, Any]) -> str:
        """A small array."""

    @abstractmethod
    def large(self, data: np.ndarray[Any, Any]) -> str:
        """The dtype and shape of a large array."""

    @abstractmethod
    def raised(self, base: DisplayNode, exponent: DisplayNode) -> list[Piece[DisplayNode]]:
        """A power."""

    @abstractmethod
    def fraction(self, above: DisplayNode, below: DisplayNode) -> Form:
        """A quotient."""

    @abstractmethod
    def cases(self, condition: DisplayNode, then: DisplayNode, otherwise: DisplayNode) -> Form:
        """A function by cases."""

    @abstractmethod
    def index(self, index: EncodedIndex) -> str:
        """A static index with its brackets."""

    @abstractmethod
    def lowered(self, text: str) -> str:
        """A subscript of a function: the axis along which the function works."""

    def call(self, shown: DisplayNode) -> Form:
        """A function of its operands; an axis is a subscript, other attributes follow the operands."""
        attributes = dict(attributes_of(shown.layer))
        axis = attributes.pop("axis") if is_a(attributes.get("axis"), int) or attributes.get("axis") else None
        name = self.words.get(shown.function or "") or self.word(shown_function(type(shown.layer)).removesuffix("_"))
        below = "" if axis is None else self.lowered(", ".join(map(str, axis if is_tuple(axis) else (axis,))))
        shown_attributes = [[f"{self.word(key)} = {self.value(value)}"] for key, value in attributes.items()]
        opening, closing = self.parentheses
        arguments: list[Sequence[Piece[DisplayNode]]] = [*operand_pieces(shown), *shown_attributes]
        return Form(ATOM, [name, below, opening, *joined(arguments), closing])

    # The two styles have in common:

    def number(self, number: Any) -> tuple[float, str]:
        """The precedence and the digits of a real number."""
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

    def _cell(self, key: int) -> Form:
        if key not in self._values:
            return Form(ATOM, [self.symbol(self._names[key])])
        binding, digits = self.number(self._values[key])
        return Form(binding, [self.bold(digits)])

    def _constant(self, data: Any) -> Form:
        if _is_number(data):
            binding, digits = self.number(data)
            return Form(binding, [digits])
        return Form(ATOM, [self.value(data)])

    def _infix(self, shown: DisplayNode, function: str) -> Form:
        binding, left, right = INFIX[function]
        first, second = shown.inputs
        behind = self._behind(second, right) if binding >= SUM else Ref(second, right)
        return Form(binding, [Ref(first, left), self.signs[function], behind])

    def _behind(self, shown: DisplayNode, binding: float) -> Ref[DisplayNode]:
        """The right operand of an operator, in parentheses if it begins with a sign."""
        return Ref(shown, SIGN + 0.1 if self.form(shown).binding == SIGN else binding)

    def _negative(self, shown: DisplayNode) -> Form:
        return Form(SIGN, ["-", self._behind(shown.inputs[0], SIGN)])

    def _not(self, shown: DisplayNode) -> Form:
        return Form(SIGN, [self.signs["bitwise_invert"], Ref(shown.inputs[0], SIGN)])

    def _power(self, shown: DisplayNode) -> Form:
        return Form(POWER, self.raised(*shown.inputs))

    def _quotient(self, shown: DisplayNode) -> Form:
        return self.fraction(*shown.inputs)

    def _floor_divide(self, shown: DisplayNode) -> Form:
        inner = self.fraction(*shown.inputs)
        return Form(ATOM, [self.signs["floor"], *inner.pieces, self.signs["end of floor"]])

    def _choice(self, shown: DisplayNode) -> Form:
        return self.cases(*shown.inputs)

    def _item(self, shown: DisplayNode) -> Form:
        return Form(ATOM, [Ref(shown.inputs[0], ATOM), self.index((shown.layer.position,))])

    def _getitem(self, shown: DisplayNode) -> Form:
        return Form(ATOM, [Ref(shown.inputs[0], ATOM), self.index(shown.layer.index)])

    def _tuple(self, shown: DisplayNode) -> Form:
        opening, closing = self.parentheses
        end = "," if len(shown.inputs) == 1 else ""
        return Form(ATOM, [opening, *joined([[Ref(part)] for part in shown.inputs]), end, closing])

    def around(self, shown: DisplayNode, before: str, after: str) -> Form:
        """An operand between two delimiters instead of parentheses."""
        return Form(ATOM, [before, Ref(shown.inputs[0]), after])


def _is_number(data: Any) -> bool:
    return is_a(data, (int, float, np.number)) and not is_a(data, bool)


def _is_short_constant(shown: DisplayNode) -> bool:
    return shown.control == "constant" and not is_a(shown.layer.data, np.ndarray)


def _decimal(number: Any) -> str:
    """The shortest digits that determine a number; of a huge integer only its magnitude."""
    if is_a(number, int) and abs(number) >= 10**21:
        return f"{number:.10e}" if abs(number) < 10**300 else f"{'-' * (number < 0)}1e{int(math.log10(abs(number)))}"
    return str(number)


def is_single(name: Name) -> bool:
    """Whether the base of a name is one letter, Latin or Greek."""
    return (len(name.base) == 1 and name.base.isalpha()) or is_greek(name.base)
