"""Layers as formulas that read as they were written: operators with their precedence, compositions put in place."""

from __future__ import annotations

import math
from typing import Any

from layertree.core.brief import name_of
from layertree.core.dynamic import is_a
from layertree.core.static_index import index_text
from layertree.text.code import is_code_atom
from layertree.text.displayed import Shown, as_built, by_field, in_place, inputs_of
from layertree.text.printer import Ref, Style, joined, one_line, printed
from layertree.text.values import attribute_pieces, cell_text, data_text


def formula(layer: Any, *, full: bool = False) -> str:
    """The formula as it was written; shortened above 200 nodes.

    In ``full`` nothing is left out, and compositions are calls, so that it tells the tree exactly.
    """
    return printed(as_built(layer) if full else in_place(layer), FORMULA, full=full)


BINDING = {
    "==": 0, "!=": 0, "<": 0, "<=": 0, ">": 0, ">=": 0,
    "|": 1, "^": 2, "&": 3, "<<": 4, ">>": 4,
    "+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6, "@": 6,
    "**": 8,
}  # fmt: skip
"""How tightly Python's operators bind; signs bind tighter than all but the power."""
UNARY = 7
_NUMBER = 10
_ATOM = 11


def _binding(shown: Any) -> int:
    if shown.control == "constant":
        return _constant_binding(shown)
    if shown.operator is None or _is_signed_number(shown):
        return _ATOM
    return UNARY if len(shown.inputs) == 1 else BINDING[shown.operator]


def _constant_binding(shown: Shown) -> int:
    number = shown.number
    if number is None or number - number != 0:
        return _ATOM
    return UNARY if is_negative(number) else _NUMBER


def is_negative(number: Any) -> bool:
    """Whether a number is written with a minus: -0.0 is, too."""
    return bool(number < 0 or (number == 0 and math.copysign(1, number) < 0))


def _is_signed_number(shown: Shown) -> bool:
    """A minus before a number, which would be read as a negative number."""
    return shown.function == "negative" and shown.inputs[0].number is not None


def _formula_pieces(shown: Any, full: bool) -> list[Any]:
    layer, inputs = shown.layer, shown.inputs
    if layer is None:
        return ["x"]
    if shown.control in _LEAVES:
        return [_LEAVES[shown.control](layer, full)]
    if shown.control == "call":
        by_name = by_field(shown)
        return [Ref(by_name["outer"], _ATOM), "(", Ref(by_name["inner"]), ")"]
    if shown.operator is not None and not _is_signed_number(shown):
        return _operation(shown.operator, inputs)
    if shown.function == "item":
        return [Ref(inputs[0], _ATOM), f"[{layer.position}]"]
    if shown.function == "getitem":
        return [Ref(inputs[0], _ATOM), f"[{index_text(layer.index)}]"]
    if shown.function == "tuple" and not all(part.control == "constant" for part in inputs):
        return ["(", *joined([[Ref(item)] for item in inputs]), ",)" if len(inputs) == 1 else ")"]
    return [name_of(layer), "(", *joined([*operand_pieces(shown), *attribute_pieces(layer, full)]), ")"]


def _constant(layer: Any, full: bool) -> str:
    return data_text(layer.data, full)


def _cell(layer: Any, full: bool) -> str:
    return cell_text(layer, full, formula=True)


def _variable(layer: Any, full: bool) -> str:
    return "v"


_LEAVES = {"constant": _constant, "cell": _cell, "free": _variable}


def operand_pieces(shown: Any) -> list[list[Any]]:
    """The operands and regions of a call; a variable number of them is a list."""
    return [
        ["[", *joined([[Ref(item)] for item in found]), "]"] if is_a(found, list) else [Ref(found)]
        for found in by_field(shown).values()
    ]


def _operation(operator: str, inputs: tuple[Any, ...]) -> list[Any]:
    if len(inputs) == 1:
        return [operator, Ref(inputs[0], UNARY)]
    left, right = bindings_beside(operator)
    return [Ref(inputs[0], left), f" {operator} ", Ref(inputs[1], right)]


def bindings_beside(operator: str) -> tuple[int, int]:
    """How tightly the operands of an operator have to bind to stand without parentheses."""
    binding = BINDING[operator]
    # A power groups to the right, and takes a sign there; all else groups to the left; comparisons do not chain.
    return binding + (operator == "**" or binding == 0), UNARY if operator == "**" else binding + 1


def _formula_atom(shown: Any) -> bool:
    if shown.control == "source" or shown.path is not None:
        return True
    return is_code_atom(shown.layer)


FORMULA = Style(inputs_of, _formula_pieces, _binding, _formula_atom)


def brief(layer: Any, length: int) -> str:
    """The formula in one line of a length at most, for messages."""
    return one_line(in_place(layer), FORMULA, length)
