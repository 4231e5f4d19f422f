"""The origin of formulas: the ``placeholder`` call that made their input."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from layertree.core.diagnostics import operation_text, written_at
from layertree.core.spec import spec_text

if TYPE_CHECKING:
    from symbolic.core.formula import AnyFormula
    from symbolic.core.types import AnyLayer, Spec

__all__ = ["Origin", "common_origin", "input_spec"]


class Origin:
    """One ``placeholder`` call. All formulas of one origin have the same input, whose spec is ``spec``."""

    __slots__ = ("spec",)

    spec: Spec

    def __init__(self, spec: Spec) -> None:
        self.spec = spec


def input_spec(origin: Origin | None) -> Spec:
    """The spec of the input of formulas of an origin; the empty tuple for formulas without an input."""
    return () if origin is None else origin.spec


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
