"""The origin of formulas: the ``placeholder`` call that made their input."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from layertree.core.diagnostics import MISFITS, operation_text, written_at
from layertree.core.spec import require, spec_text

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
    from symbolic.core.types import AnyLayer, Spec

__all__ = ["Origin", "common_origin", "input_spec", "part_advice"]


class Origin:
    """One ``placeholder`` call. All formulas of one origin have the same input, whose spec is ``spec``."""

    __slots__ = ("spec",)

    spec: Spec

    def __init__(self, spec: Spec) -> None:
        self.spec = spec


def input_spec(origin: Origin | None) -> Spec:
    """The spec of the input of formulas of an origin; the empty tuple for formulas without an input."""
    return () if origin is None else origin.spec


def part_advice(spec: Spec, given: object) -> str:
    """The end of a message about data, or the spec of a formula, that is a part of a tuple input and no whole input."""
    for part in spec if isinstance(spec, tuple) and not isinstance(given, tuple) else ():
        try:
            require(part, given)
        except MISFITS:
            continue
        return (
            ". This formula is of the whole input, and what is given fits a part of it: a model that is to be used "
            "alone is built on a placeholder of its own, and called with the part, model(images)"
        )
    return ""


def common_origin(layer: AnyLayer, operands: Iterable[AnyFormula]) -> Origin | None:
    """The one origin of all operands of a layer; None if no operand has an input.

    Raises ValueError for operands of two origins, with the text of the operation and its line.
    """
    operands = tuple(operands)
    origin: Origin | None = None
    for operand in operands:
        if origin is None:
            origin = operand.origin
        elif operand.origin is not None and operand.origin is not origin:
            operation = operation_text(layer, [spec_text(one.spec) for one in operands])
            raise ValueError(
                f"{operation}: these formulas stem from two different placeholder calls, and a formula has one input: "
                f"make them a pair, x, y = placeholder((float, float)), or compose them, f(g){written_at(layer)}"
            )
    return origin
