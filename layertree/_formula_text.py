"""Layers as formulas that read as they were written: operators with their precedence, compositions put in place."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from layertree._code_text import is_code_atom
from layertree._kinds import is_a
from layertree._sweep import Request, sweep
from layertree._text import Ref, Style, brief, joined, printed
from layertree._value_text import attributes_of, cell_text, data_text


def formula(layer: Any, *, full: bool = False) -> str:
    """The formula as it was written; shortened above 200 nodes unless ``full``."""
    return printed(_shown(layer), FORMULA, full=full)


def brief_formula(layer: Any, length: int = 60) -> str:
    """The formula in one short line, for messages."""
    return brief(_shown(layer), FORMULA, length)


def _shown(layer: Any) -> Any:
    return sweep(layer.__layer__(), Shown(None, ()), _Displaying())


class Shown:
    """A layer and what it is applied to, ready to print; None is the input."""

    __slots__ = ("inputs", "layer")

    def __init__(self, layer: Any, inputs: tuple[Any, ...]) -> None:
        self.layer = layer
        self.inputs = inputs


class _Displaying:
    """The reading whose results are ``Shown``."""

    def apply(self, node: Any, inputs: list[Any]) -> Shown:
        if node._function == "item" and getattr(inputs[0].layer, "_function", None) == "tuple":
            part: Shown = inputs[0].inputs[node.position]
            return part
        return Shown(node, tuple(inputs))

    def constant(self, node: Any, context: Any) -> Shown:
        return Shown(node, ())

    def cell(self, node: Any, context: Any) -> Shown:
        return Shown(node, ())

    def free(self, node: Any, context: Any) -> Shown:
        return Shown(node, ())

    def cond(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Generator[Request, Any, Shown]:
        then = yield Request(node.then, source, context)
        otherwise = yield Request(node.otherwise, source, context)
        return Shown(node, (inputs[0], then, otherwise))

    def call(self, node: Any, inputs: list[Any], source: Any, context: Any) -> Generator[Request, Any, Any]:
        return (yield Request(node.outer, inputs[0], context))


_BINDING = {
    "|": 1, "^": 2, "&": 3,
    "==": 0, "!=": 0, "<": 0, "<=": 0, ">": 0, ">=": 0,
    "+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6, "@": 6,
    "**": 8,
}  # fmt: skip
_UNARY = 7
_ATOM = 10


def _binding(shown: Any) -> int:
    layer = shown.layer
    if layer is None:
        return _ATOM
    operator = layer._operator
    if operator is None:
        if layer._control == "constant" and _is_negative(layer.data):
            return _UNARY
        return _ATOM
    return _UNARY if len(shown.inputs) == 1 else _BINDING[operator]


def _is_negative(data: Any) -> bool:
    return isinstance(data, (int, float)) and not isinstance(data, bool) and str(data).startswith("-")


def _formula_pieces(shown: Any, full: bool) -> list[Any]:
    layer, inputs = shown.layer, shown.inputs
    if layer is None:
        return ["x"]
    if layer._control == "constant":
        return [data_text(layer.data, full)]
    if layer._control == "free":
        return ["v"]
    if layer._control == "cell":
        return [cell_text(layer, full, formula=True)]
    operator = layer._operator
    if operator is not None and len(inputs) == 1:
        return [operator, Ref(inputs[0], _UNARY)]
    if operator is not None:
        return _infix(operator, inputs)
    if layer._function == "item":
        return [Ref(inputs[0], _ATOM), f"[{layer.position}]"]
    if layer._function == "getitem":
        return [Ref(inputs[0], _ATOM), f"[{_index_text(layer.index)}]"]
    if layer._function == "tuple":
        return ["(", *joined([[Ref(item)] for item in inputs]), ",)" if len(inputs) == 1 else ")"]
    arguments = joined([[Ref(item)] for item in inputs])
    if layer._layout.variadic and not layer._layout.operands:
        arguments = ["[", *arguments, "]"]
    return [name_of(layer), "(", *joined([arguments, *attributes_of(layer)]), ")"]


def _infix(operator: str, inputs: tuple[Any, ...]) -> list[Any]:
    binding = _BINDING[operator]
    # A power groups to the right, and takes a sign there; all else groups to the left; comparisons do not chain.
    left = binding + (operator == "**" or binding == 0)
    right = _UNARY if operator == "**" else binding + 1
    return [Ref(inputs[0], left), f" {operator} ", Ref(inputs[1], right)]


def _index_text(index: tuple[Any, ...]) -> str:
    def part(item: Any) -> str:
        if not is_a(item, tuple):
            return "..." if item == "..." else str(item)
        start, stop, step = ("" if end is None else str(end) for end in item)
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"

    return ", ".join(map(part, index)) or "()"


def name_of(layer: Any) -> str:
    """The function that builds the layer, as formulas show it."""
    name = type(layer).__name__
    return layer._function or ("if_" if name == "If" else name.lower())


def _formula_atom(shown: Any) -> bool:
    layer = shown.layer
    if layer is None:
        return True
    if layer._function == "item":
        return shown.inputs[0].layer is None
    return is_code_atom(layer)


def _inputs(shown: Any) -> tuple[Any, ...]:
    inputs: tuple[Any, ...] = shown.inputs
    return inputs


FORMULA = Style(_inputs, _formula_pieces, _binding, _formula_atom)
