"""Layers as formulas: infix operators with the precedence of Python, compositions inlined."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING

from layertree.core.layer import AnyLayer
from layertree.core.naming import suffixes
from layertree.core.narrowing import is_cell, is_literal
from layertree.core.static_index import index_text
from layertree.text.code import is_code_atom
from layertree.text.display import DisplayNode, by_field, inlined, inputs_of, with_calls
from layertree.text.names import shown_function
from layertree.text.printer import Piece, Ref, Style, joined, one_line, printed
from layertree.text.values import NONE, attribute_pieces, cell_text, data_text

if TYPE_CHECKING:
    from layertree.core.cell import Cell


def formula(layer: AnyLayer, *, full: bool = False) -> str:
    """The formula as a user writes it; shortened above 200 nodes.

    In ``full`` nothing is left out, and compositions are calls, so that the text determines the tree.
    """
    names = suffixes(layer)
    style = FORMULA._replace(pieces=partial(_formula_pieces, names=names)) if names else FORMULA
    return printed(with_calls(layer) if full else inlined(layer), style, full=full)


BINDING = {
    "==": 0, "!=": 0, "<": 0, "<=": 0, ">": 0, ">=": 0,
    "|": 1, "^": 2, "&": 3, "<<": 4, ">>": 4,
    "+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6, "@": 6,
    "**": 8,
}  # fmt: skip
"""The precedence of Python's binary operators."""
UNARY = 7
"""The precedence of signs: above all binary operators but the power."""

_NUMBER = 10
_ATOM = 11


def _binding(shown: DisplayNode) -> float:
    if shown.control == "constant":
        return _constant_binding(shown)
    if shown.operator is None or _is_signed_number(shown):
        return _ATOM
    return UNARY if len(shown.inputs) == 1 else BINDING[shown.operator]


def _constant_binding(shown: DisplayNode) -> float:
    number = shown.number
    if number is None or number - number != 0:
        return _ATOM
    return UNARY if is_negative(number) else _NUMBER


def is_negative(number: float) -> bool:
    """Whether a number has a minus sign; -0.0 has one."""
    return bool(number < 0 or (number == 0 and math.copysign(1, number) < 0))


def _is_signed_number(shown: DisplayNode) -> bool:
    """Whether a node is the negation of a number, which as an operator would parse as a negative number."""
    return shown.function == "negative" and shown.inputs[0].number is not None


def _formula_pieces(shown: DisplayNode, full: bool, names: Mapping[Cell, str] = NONE) -> list[Piece[DisplayNode]]:
    layer, inputs = shown.layer, shown.inputs
    if layer is None:
        return ["x"]
    if is_literal(layer):
        return [data_text(layer.data, full)]
    if is_cell(layer):
        return [cell_text(layer, full, formula=True, suffixes=names)]
    if shown.control == "free":
        return ["v"]
    if shown.control == "call":
        inner, outer = inputs
        return [Ref(outer, _ATOM), "(", Ref(inner), ")"]
    if shown.operator is not None and not _is_signed_number(shown):
        return _operation(shown.operator, inputs)
    if shown.function == "item":
        return [Ref(inputs[0], _ATOM), f"[{layer.position}]"]
    if shown.function == "getitem":
        return [Ref(inputs[0], _ATOM), f"[{index_text(layer.index)}]"]
    if shown.function == "tuple" and not all(part.control == "constant" for part in inputs):
        return ["(", *joined([[Ref(item)] for item in inputs]), ",)" if len(inputs) == 1 else ")"]
    arguments: list[Sequence[Piece[DisplayNode]]] = [*operand_pieces(shown), *attribute_pieces(layer, full)]
    return [shown_function(type(layer)), "(", *joined(arguments), ")"]


def operand_pieces(shown: DisplayNode) -> list[list[Piece[DisplayNode]]]:
    """The operands and regions of a call, each as its pieces; those of a variadic field as a list."""
    return [
        ["[", *joined([[Ref(item)] for item in found]), "]"] if isinstance(found, list) else [Ref(found)]
        for found in by_field(shown).values()
    ]


def _operation(operator: str, inputs: tuple[DisplayNode, ...]) -> list[Piece[DisplayNode]]:
    if len(inputs) == 1:
        return [operator, Ref(inputs[0], UNARY)]
    left, right = bindings_beside(operator)
    return [Ref(inputs[0], left), f" {operator} ", Ref(inputs[1], right)]


def bindings_beside(operator: str) -> tuple[int, int]:
    """The least precedence of the left and of the right operand of an operator without parentheses."""
    binding = BINDING[operator]
    # A power is right associative, and its exponent may have a sign; others are left associative; comparisons neither.
    return binding + (operator == "**" or binding == 0), UNARY if operator == "**" else binding + 1


def _formula_atom(shown: DisplayNode) -> bool:
    if shown.control == "source" or shown.path is not None:
        return True
    return is_code_atom(shown.layer)


FORMULA: Style[DisplayNode] = Style(inputs_of, _formula_pieces, _binding, _formula_atom)


def brief(layer: AnyLayer, length: int) -> str:
    """The formula in one line of a length at most, for messages."""
    return brief_display(inlined(layer), length)


def brief_display(shown: DisplayNode, length: int, hidden: Set[int] = frozenset()) -> str:
    """A display tree in one line of a length at most, without some nodes, given by id."""
    return one_line(shown, FORMULA, length, hidden)
